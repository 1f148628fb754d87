import Bus

/// libdbus's type codes: the ASCII codes of the signature. Its DBUS_TYPE_ macros are casts, which Swift does not import.
enum TypeCode {
  /// Behind the last value.
  static let none: Int32 = 0
  static let byte = code("y")
  static let boolean = code("b")
  static let int16 = code("n")
  static let uint16 = code("q")
  static let int32 = code("i")
  static let uint32 = code("u")
  static let int64 = code("x")
  static let uint64 = code("t")
  static let double = code("d")
  static let string = code("s")
  static let objectPath = code("o")
  static let signature = code("g")
  static let unixFD = code("h")
  static let variant = code("v")
  static let array = code("a")
  static let structure = code("r")
  static let dictionaryEntry = code("e")

  private static func code(_ letter: Unicode.Scalar) -> Int32 {
    Int32(letter.value)
  }
}

extension BusType {
  /// What dbus_message_iter_get_arg_type() says of a value of this type.
  var typeCode: Int32 {
    switch self {
    case .byte: TypeCode.byte
    case .boolean: TypeCode.boolean
    case .int16: TypeCode.int16
    case .uint16: TypeCode.uint16
    case .int32: TypeCode.int32
    case .uint32: TypeCode.uint32
    case .int64: TypeCode.int64
    case .uint64: TypeCode.uint64
    case .double: TypeCode.double
    case .string: TypeCode.string
    case .objectPath: TypeCode.objectPath
    case .signature: TypeCode.signature
    case .unixFD: TypeCode.unixFD
    case .variant: TypeCode.variant
    case .array, .dictionary: TypeCode.array
    case .structure: TypeCode.structure
    }
  }
}
