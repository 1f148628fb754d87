/// One complete D-Bus type (D-Bus specification, "Type system"), as values and not as text.
public enum BusType: Hashable, Sendable {
  case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
  case string, objectPath, signature, unixFD, variant
  indirect case array(BusType)
  case structure([BusType])
  /// A dictionary: in D-Bus's terms an array of dict entries. The key is a basic type.
  indirect case dictionary(key: BusType, value: BusType)

  /// The type code or codes, "a{sv}".
  public var code: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .variant: "v"
    case .array(let element): "a" + element.code
    case .structure(let fields): "(" + fields.map(\.code).joined() + ")"
    case .dictionary(let key, let value): "a{" + key.code + value.code + "}"
    }
  }
}

/// A sequence of complete types, "sa{sv}as".
public struct BusSignature: Hashable, Sendable, CustomStringConvertible {
  public let types: [BusType]

  public init(_ types: [BusType]) {
    self.types = types
  }

  /// Parses the text form; nil where it is malformed, nests more than 32 arrays or more than 32 structures, or is over
  /// 255 long.
  public init?(_ text: String) {
    guard text.utf8.count <= 255 else { return nil }
    var rest = text.utf8[...]
    var types: [BusType] = []
    while !rest.isEmpty {
      guard let type = Self.parse(&rest, arrays: 0, structures: 0) else { return nil }
      types.append(type)
    }
    self.types = types
  }

  public var description: String {
    types.map(\.code).joined()
  }

  private static func parse(
    _ rest: inout Substring.UTF8View.SubSequence, arrays: Int, structures: Int
  ) -> BusType? {
    guard arrays <= 32, structures <= 32, let code = rest.popFirst() else { return nil }
    switch UnicodeScalar(code) {
    case "y": return .byte
    case "b": return .boolean
    case "n": return .int16
    case "q": return .uint16
    case "i": return .int32
    case "u": return .uint32
    case "x": return .int64
    case "t": return .uint64
    case "d": return .double
    case "s": return .string
    case "o": return .objectPath
    case "g": return .signature
    case "h": return .unixFD
    case "v": return .variant
    case "a":
      if rest.first == UInt8(ascii: "{") {
        rest.removeFirst()
        guard let key = parse(&rest, arrays: arrays + 1, structures: structures), key.isBasic,
          let value = parse(&rest, arrays: arrays + 1, structures: structures),
          rest.popFirst() == UInt8(ascii: "}")
        else { return nil }
        return .dictionary(key: key, value: value)
      }
      return parse(&rest, arrays: arrays + 1, structures: structures).map(BusType.array)
    case "(":
      var fields: [BusType] = []
      while let next = rest.first, next != UInt8(ascii: ")") {
        guard let field = parse(&rest, arrays: arrays, structures: structures + 1) else { return nil }
        fields.append(field)
      }
      guard rest.popFirst() != nil, !fields.isEmpty else { return nil }
      return .structure(fields)
    default: return nil
    }
  }
}

extension BusType {
  /// Whether the type may be a dictionary's key.
  public var isBasic: Bool {
    switch self {
    case .array, .structure, .dictionary, .variant: false
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .unixFD:
      true
    }
  }
}
