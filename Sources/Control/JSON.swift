import CJansson

/// A JSON value; objects keep the order of their members.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSON])
  case object([Member])
  /// A value that is text already: what is large is made text piece by piece. Never read, only written.
  case encoded([UInt8])

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// An object of the members that are there: a nil value leaves its member out.
  public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(Self.members(members))
  }

  /// The members that are there.
  static func members(_ members: KeyValuePairs<String, JSON?>) -> [Member] {
    members.compactMap { name, value in value.map { Member(name, $0) } }
  }

  /// A member's value; nil where this is no object, has no such member, or has null there.
  public subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self, let member = members.first(where: { $0.name == name }),
      member.value != .null
    else { return nil }
    return member.value
  }

  public var asString: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var asInteger: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// A number with or without a fraction.
  public var asReal: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .null, .bool, .string, .array, .object, .encoded: nil
    }
  }

  public var asBool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  public var asArray: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension JSON {
  /// Whether a text in it has a NUL, which is JSON's but nobody's text: SQLite's and a terminal's would end there.
  var hasNUL: Bool {
    switch self {
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.hasNUL)
    case .object(let members): members.contains { $0.value.hasNUL }
    case .null, .bool, .integer, .real, .encoded: false
    }
  }
}

// MARK: - Text

extension JSON {
  /// Seeds jansson's hash once, before the first value is made; otherwise jansson would seek randomness by itself.
  public static func seedHash(_ seed: UInt) {
    json_object_seed(Int(bitPattern: seed | 1))
  }

  /// Reads one value; a member that stands twice, octets that are not UTF-8, numbers beyond 64 bits and a NUL in a
  /// member's name are errors.
  ///
  /// - Throws: `JSONError` with jansson's text and the place.
  public init(parsing bytes: some Collection<UInt8>) throws(JSONError) {
    var problem = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
    let parsed = Array(bytes).withUnsafeBytes { buffer in
      json_loadb(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, flags, &problem)
    }
    guard let parsed else {
      let text = withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw JSONError(text: text, position: Int(problem.position), isBeyond: strapd_json_is_beyond(&problem))
    }
    defer { json_decref(parsed) }
    self.init(parsed)
  }

  /// The value as compact text, reals with 15 digits. A real that is no number becomes null.
  public var bytes: [UInt8] {
    var text: [UInt8] = []
    append(to: &text)
    return text
  }

  private func append(to text: inout [UInt8]) {
    switch self {
    case .encoded(let octets): text += octets
    case .array(let elements) where hasEncoded:
      text.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        element.append(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members) where hasEncoded:
      text.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        text += JSON.string(member.name).dumped
        text.append(UInt8(ascii: ":"))
        member.value.append(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    case .null, .bool, .integer, .real, .string, .array, .object: text += dumped
    }
  }

  /// Whether it is to be put together from texts; of a list either all elements are or none.
  private var hasEncoded: Bool {
    switch self {
    case .encoded: true
    case .array(let elements): elements.first?.hasEncoded ?? false
    case .object(let members): members.contains { $0.value.hasEncoded }
    case .null, .bool, .integer, .real, .string: false
    }
  }

  private var dumped: [UInt8] {
    let value = jansson()
    defer { json_decref(value) }
    let flags = Int(JSON_COMPACT) | Int(JSON_ENCODE_ANY) | strapd_json_real_precision(15)
    guard let text = json_dumps(value, flags) else { preconditionFailure("jansson refused a value that it made") }
    defer { strapd_json_text_free(text) }
    return Array(String(cString: text).utf8)
  }

  public var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  private init(_ value: UnsafeMutablePointer<json_t>) {
    switch value.pointee.type {
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = .real(json_real_value(value))
    case JSON_STRING:
      let text = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
      self = .string(String(decoding: text, as: UTF8.self))
    case JSON_ARRAY:
      self = .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map(JSON.init) })
    case JSON_OBJECT:
      var members: [Member] = []
      members.reserveCapacity(json_object_size(value))
      var place = json_object_iter(value)
      while let member = place {
        if let name = json_object_iter_key(member), let inner = json_object_iter_value(member) {
          members.append(Member(String(cString: name), JSON(inner)))
        }
        place = json_object_iter_next(value, member)
      }
      self = .object(members)
    default: self = .null
    }
  }

  private func jansson() -> UnsafeMutablePointer<json_t> {
    let made: UnsafeMutablePointer<json_t>? =
      switch self {
      case .null: json_null()
      case .bool(let flag): flag ? json_true() : json_false()
      case .integer(let number): json_integer(json_int_t(number))
      case .real(let number): number.isFinite ? json_real(number) : json_null()
      case .string(let text): Self.jansson(text)
      case .array(let elements): Self.jansson(elements)
      case .object(let members): Self.jansson(members)
      case .encoded: preconditionFailure("a text in a list of values")
      }
    guard let made else { preconditionFailure("out of memory for JSON") }
    return made
  }

  private static func jansson(_ text: String) -> UnsafeMutablePointer<json_t>? {
    var text = text
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { json_stringn($0.baseAddress, $0.count) }
    }
  }

  private static func jansson(_ elements: [JSON]) -> UnsafeMutablePointer<json_t>? {
    let array = json_array()
    for element in elements { json_array_append_new(array, element.jansson()) }
    return array
  }

  private static func jansson(_ members: [Member]) -> UnsafeMutablePointer<json_t>? {
    let object = json_object()
    for member in members {
      // By length, since a C string would cut a name at its NUL.
      var name = member.name
      name.withUTF8 { utf8 in
        _ = utf8.withMemoryRebound(to: CChar.self) {
          json_object_setn_new(object, $0.baseAddress, $0.count, member.value.jansson())
        }
      }
    }
    return object
  }
}

/// Where a text is not JSON, and why.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public var text: String
  /// Octets from the start.
  public var position: Int
  /// It may be JSON for others, and asks too much here: a number beyond 64 bits, a NUL in a member's name, or nesting
  /// without end.
  public var isBeyond = false

  public var description: String {
    "not JSON at octet \(position): \(text)"
  }
}
