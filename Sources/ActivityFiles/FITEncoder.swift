/// Puts the octets of one FIT file together, definition messages where they are needed.
struct FITEncoder: Sendable {
  private var messages: [UInt8] = []
  /// What the sixteen local types mean now, and when each was last used.
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  private var lastUses = [Int](repeating: 0, count: 16)
  private var count = 0

  /// A field and its value.
  struct Field: Sendable {
    var number: UInt8
    var baseType: FITBaseType
    var octets: [UInt8]

    init(_ number: UInt8, _ baseType: FITBaseType, octets: [UInt8]) {
      self.number = number
      self.baseType = baseType
      self.octets = octets
    }

    /// One number, or as many as there are.
    init(_ number: UInt8, _ baseType: FITBaseType, _ values: UInt64...) {
      self.init(number, baseType, array: values)
    }

    init(_ number: UInt8, _ baseType: FITBaseType, array: [UInt64]) {
      var octets: [UInt8] = []
      octets.reserveCapacity(array.count * baseType.width)
      for value in array {
        for place in 0..<baseType.width { octets.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
      }
      self.init(number, baseType, octets: octets)
    }

    /// A text with the NUL that ends it; cut at a character where it is longer than a field can be.
    init(_ number: UInt8, text: String) {
      var octets: [UInt8] = []
      for character in text {
        let next = Array(String(character).utf8)
        if octets.count + next.count > FITProfile.longestText { break }
        octets += next
      }
      self.init(number, .string, octets: octets + [0])
    }
  }

  mutating func add(_ message: UInt16, _ fields: [Field], developer: [Field] = []) {
    var definition = FITDefinition(message: message)
    for field in fields {
      definition.fields.append(
        FITDefinition.Field(
          number: field.number, size: UInt8(clamping: field.octets.count), baseType: field.baseType.rawValue))
    }
    for field in developer {
      definition.developerFields.append(
        FITDefinition.DeveloperField(number: field.number, size: UInt8(clamping: field.octets.count), developer: 0))
    }
    let local = place(of: definition)
    messages.append(UInt8(local))
    for field in fields { messages += field.octets }
    for field in developer { messages += field.octets }
  }

  /// The whole file: a header of 14 octets, the messages, the checksum. nil where it is more than a file can hold.
  func file() -> [UInt8]? {
    guard let size = UInt32(exactly: messages.count) else { return nil }
    var header: [UInt8] = [14, FITProfile.protocolVersion]
    header += [UInt8(FITProfile.version & 0xFF), UInt8(FITProfile.version >> 8)]
    for place in 0..<4 { header.append(UInt8(truncatingIfNeeded: size >> UInt32(8 * place))) }
    header += FITDecoder.signature
    header += Self.octets(FITChecksum(header))
    var checksum = FITChecksum(header)
    checksum.add(messages)
    return header + messages + Self.octets(checksum)
  }

  /// The local type of this layout, which takes the place of the one that was not used for longest.
  private mutating func place(of definition: FITDefinition) -> Int {
    count += 1
    var place = 0
    for index in definitions.indices {
      if definitions[index] == definition {
        lastUses[index] = count
        return index
      }
      if lastUses[index] < lastUses[place] { place = index }
    }
    definitions[place] = definition
    lastUses[place] = count
    let hasDeveloperFields = !definition.developerFields.isEmpty
    messages += [0x40 | (hasDeveloperFields ? 0x20 : 0) | UInt8(place), 0, 0]
    messages += [UInt8(definition.message & 0xFF), UInt8(definition.message >> 8), UInt8(definition.fields.count)]
    for field in definition.fields { messages += [field.number, field.size, field.baseType] }
    if hasDeveloperFields {
      messages.append(UInt8(definition.developerFields.count))
      for field in definition.developerFields { messages += [field.number, field.size, field.developer] }
    }
    return place
  }

  private static func octets(_ checksum: FITChecksum) -> [UInt8] {
    [UInt8(checksum.value & 0xFF), UInt8(checksum.value >> 8)]
  }
}
