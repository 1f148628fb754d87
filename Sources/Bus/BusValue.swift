/// One D-Bus value with its type.
public enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(BusSignature)
  case unixFD(BusFileDescriptor)
  /// An array of bytes ("ay"): what characteristics are made of, kept flat.
  case bytes([UInt8])
  /// An array of anything else; the element type stands beside it because the array may be empty.
  case array(of: BusType, [BusValue])
  case structure([BusValue])
  case dictionary(key: BusType, value: BusType, [Entry])
  indirect case variant(BusValue)

  /// One entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    public var key: BusValue
    public var value: BusValue

    public init(_ key: BusValue, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value's type.
  public var type: BusType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .unixFD: .unixFD
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .structure(let fields): .structure(fields.map(\.type))
    case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
    case .variant: .variant
    }
  }
}

/// A file descriptor that came with a message, or is to go with one.
///
/// A received one is open and belongs to whoever takes it out of the message, who has to close it; one to be sent is
/// duplicated on sending and stays the sender's.
public struct BusFileDescriptor: Hashable, Sendable {
  public var raw: Int32

  public init(raw: Int32) {
    self.raw = raw
  }
}

extension BusValue {
  /// Every descriptor inside the value, in the order of the message.
  public var fileDescriptors: [BusFileDescriptor] {
    switch self {
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .bytes:
      []
    case .unixFD(let descriptor): [descriptor]
    case .array(_, let elements): elements.flatMap(\.fileDescriptors)
    case .structure(let fields): fields.flatMap(\.fileDescriptors)
    case .dictionary(_, _, let entries): entries.flatMap { $0.key.fileDescriptors + $0.value.fileDescriptors }
    case .variant(let inner): inner.fileDescriptors
    }
  }
}

// MARK: - Reading a value as what it should be

extension BusValue {
  /// The value itself, out of any variants around it.
  public var unwrapped: BusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  public var asString: String? {
    if case .string(let text) = unwrapped { text } else { nil }
  }

  public var asObjectPath: ObjectPath? {
    if case .objectPath(let path) = unwrapped { path } else { nil }
  }

  public var asBool: Bool? {
    if case .boolean(let flag) = unwrapped { flag } else { nil }
  }

  public var asByte: UInt8? {
    if case .byte(let byte) = unwrapped { byte } else { nil }
  }

  public var asInt16: Int16? {
    if case .int16(let number) = unwrapped { number } else { nil }
  }

  public var asUInt16: UInt16? {
    if case .uint16(let number) = unwrapped { number } else { nil }
  }

  public var asUInt32: UInt32? {
    if case .uint32(let number) = unwrapped { number } else { nil }
  }

  /// The octets of an "ay"; nil for every other type.
  public var asBytes: [UInt8]? {
    if case .bytes(let bytes) = unwrapped { bytes } else { nil }
  }

  /// The elements of an "as" or of any other array whose elements are all strings.
  public var asStrings: [String]? {
    guard case .array(.string, let elements) = unwrapped else { return nil }
    return elements.compactMap(\.asString)
  }

  /// The entries of an "a{s…}", or nil. A key that stands twice keeps its last value.
  public var asProperties: [String: BusValue]? {
    guard case .dictionary(.string, _, let entries) = unwrapped else { return nil }
    var properties: [String: BusValue] = [:]
    properties.reserveCapacity(entries.count)
    for entry in entries {
      if let key = entry.key.asString { properties[key] = entry.value.unwrapped }
    }
    return properties
  }

  /// An "a{sv}" to send.
  public static func properties(_ properties: KeyValuePairs<String, BusValue>) -> BusValue {
    .dictionary(key: .string, value: .variant, properties.map { Entry(.string($0.key), .variant($0.value)) })
  }

  /// An "as" to send.
  public static func strings(_ texts: [String]) -> BusValue {
    .array(of: .string, texts.map(BusValue.string))
  }
}
