/// How the data messages of one local type are laid out (FIT Protocol, "Definition Message").
struct FITDefinition: Hashable, Sendable {
  /// The global message number.
  var message: UInt16
  var isBigEndian = false
  var fields: [Field] = []
  var developerFields: [DeveloperField] = []

  struct Field: Hashable, Sendable {
    var number: UInt8
    var size: UInt8
    /// As it was read: of types that are not known, octets are all that can be said.
    var baseType: UInt8
  }

  /// A field that a field_description message describes.
  struct DeveloperField: Hashable, Sendable {
    var number: UInt8
    var size: UInt8
    var developer: UInt8
  }

  /// Octets of a data message without its header.
  var size: Int {
    fields.reduce(0) { $0 + Int($1.size) } + developerFields.reduce(0) { $0 + Int($1.size) }
  }
}

/// One data message, its octets still in the file.
struct FITMessage: Sendable {
  var definition: FITDefinition
  /// Where its header is.
  var offset: Int
  /// The time that a compressed timestamp header gives, or that was there last; in seconds since FIT's epoch.
  var timestamp: UInt32?
  /// The octets behind the header.
  var content: ArraySlice<UInt8>

  /// The values of one field.
  struct Values: Sendable {
    var octets: ArraySlice<UInt8>
    var baseType: UInt8
    var isBigEndian: Bool
  }

  func values(_ number: UInt8) -> Values? {
    var start = content.startIndex
    for field in definition.fields {
      let end = start + Int(field.size)
      guard end <= content.endIndex else { return nil }
      if field.number == number {
        return Values(octets: content[start..<end], baseType: field.baseType, isBigEndian: definition.isBigEndian)
      }
      start = end
    }
    return nil
  }

  /// The values of a developer's field, by the type that its description gives.
  func values(of field: (developer: UInt8, number: UInt8), _ baseType: UInt8) -> Values? {
    var start = content.startIndex + definition.fields.reduce(0) { $0 + Int($1.size) }
    for entry in definition.developerFields {
      let end = start + Int(entry.size)
      guard end <= content.endIndex else { return nil }
      if entry.number == field.number, entry.developer == field.developer {
        return Values(octets: content[start..<end], baseType: baseType, isBigEndian: definition.isBigEndian)
      }
      start = end
    }
    return nil
  }

  func whole(_ number: UInt8) -> UInt64? { values(number)?.whole }

  func text(_ number: UInt8) -> String? { values(number)?.text }
}

extension FITMessage.Values {
  /// The bits of each value. Where the size is no multiple of the type's width, the octets are all there is, as the
  /// protocol has it.
  var bits: [UInt64] {
    let width = type.width
    return stride(from: octets.startIndex, to: octets.endIndex, by: width).map { start in
      var bits: UInt64 = 0
      for place in 0..<width {
        let octet = octets[start + (isBigEndian ? place : width - 1 - place)]
        bits = bits << 8 | UInt64(octet)
      }
      return bits
    }
  }

  /// All values; nil in the place of one that is absent or no whole number.
  var wholes: [UInt64?] {
    let type = type
    return bits.map { type.whole($0) }
  }

  /// The first value, where it is a whole number.
  var whole: UInt64? {
    bits.first.flatMap { type.whole($0) }
  }

  /// UTF-8 up to the first NUL; nil where there is none.
  var text: String? {
    guard baseType == FITBaseType.string.rawValue else { return nil }
    let text = String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// The declared type, where the size fits it, else octets.
  private var type: FITBaseType {
    guard let type = FITBaseType(rawValue: baseType), octets.count % type.width == 0 else { return .byte }
    return type
  }
}
