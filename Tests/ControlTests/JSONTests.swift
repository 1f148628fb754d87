import Control
import Testing

@Suite struct JSONTests {
  // MARK: Reading

  static let readable: [(text: String, value: JSON)] = [
    ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("-7", .integer(-7)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("0.0", .real(0)), ("72.0", .real(72)), ("1.5e3", .real(1500)), ("1E2", .real(100)), ("-0.25", .real(-0.25)),
    ("9223372036854775808.0", .real(9_223_372_036_854_775_808)), ("1e-999", .real(0)),
    (#""""#, .string("")), (#""beat""#, .string("beat")),
    (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")),
    (#""\u00e9\u0001""#, .string("é\u{1}")), (#""\ud83d\ude00""#, .string("😀")), (#""é😀""#, .string("é😀")),
    (#""a\u0000b""#, .string("a\u{0}b")),
    ("[]", .array([])), (#"[1,[2.0,"x"],null]"#, .array([.integer(1), .array([.real(2), .string("x")]), .null])),
    ("{}", .object([])),
    (#"{"b":1,"a":{"":true}}"#, .object(["b": .integer(1), "a": .object(["": .bool(true)])])),
    (" \t\r\n{ \"a\" : [ 1 , 2 ] }\n", .object(["a": .array([.integer(1), .integer(2)])])),
  ]

  @Test(arguments: readable)
  func reads(_ text: String, _ value: JSON) throws {
    let parsed = try JSON(parsing: Array(text.utf8))
    #expect(parsed == value)
    // Equality takes 1 and 1.0 for two kinds of number, but 0.0 and -0.0 for one.
    #expect(parsed.text == value.text)
  }

  static let refused: [String] = [
    "", " ", "{", "}", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
    "nul", "True", "nulls", "'a'", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"", "\"a\u{1}b\"",
    "01", "1.", ".5", "+1", "1e", "--1", "0x10", "NaN", "Infinity", "-Infinity", "1_000",
    // Beyond 64 bits, and beyond a double.
    "9223372036854775808", "-9223372036854775809", "1e999", "-1e999",
    // Halves of surrogate pairs, alone or the wrong way round.
    #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ude00\ud83d""#,
    // A NUL ends a message; escaped, as a member's name, it would cut the name.
    #"{"a\u0000b":1}"#, "\"a\u{0}b\"",
    // A member twice: whoever reads it would have to guess.
    #"{"a":1,"a":2}"#, #"{"x":{"a":1,"b":2,"a":1}}"#,
    // Something behind the value.
    "{}{}", "{} x", "1 2", "null,", "[]]", "\u{feff}{}",
  ]

  @Test(arguments: refused)
  func refuses(_ text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
  }

  static let notUTF8: [[UInt8]] = [
    [0x80], [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98],
    // The longer forms of "/" and NUL, a surrogate, and what lies beyond U+10FFFF.
    [0xC0, 0xAF], [0xC0, 0x80], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88],
  ]

  @Test(arguments: notUTF8)
  func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: JSONError.self) { try JSON(parsing: [quote] + bytes + [quote]) }
    #expect(throws: JSONError.self) { try JSON(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8)) }
    #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
  }

  @Test func errorSaysWhere() {
    do throws(JSONError) {
      Issue.record("read as \(try JSON(parsing: Array(#"{"a":nope}"#.utf8)))")
    } catch {
      #expect(error.position == 9)
      #expect(error.description == "not JSON at octet 9: \(error.text)")
      #expect(error.text.contains("nope"))
    }
  }

  // MARK: Depth

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func nestsTwoThousandDeep(_ opening: String, _ closing: String) throws {
    let depth = 2000
    let text = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
    let value = try JSON(parsing: Array(text.utf8))
    #expect(value.text == text)
    var inner = value
    var count = 0
    while let next = inner.asArray?.first ?? inner["a"] {
      inner = next
      count += 1
    }
    #expect(count == depth)
    #expect(inner == .integer(1))
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), ("[", ""), (#"{"a":"#, ""), (#"[{"a":"#, "")])
  func refusesDepthThatCouldUseUpTheStack(_ opening: String, _ closing: String) {
    let text = String(repeating: opening, count: 100_000) + "1" + String(repeating: closing, count: 100_000)
    #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test func hundredThousandElements() throws {
    let value = JSON.array((0..<100_000).map { .integer($0) })
    #expect(try JSON(parsing: value.bytes) == value)
  }

  // MARK: Writing

  static let written: [(value: JSON, text: String)] = [
    (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"), (.integer(72), "72"),
    (.real(72), "72.0"), (.real(859.375), "859.375"), (.real(0.1), "0.1"), (.real(0), "0.0"), (.real(-0.5), "-0.5"),
    (.real(1.0 / 3), "0.333333333333333"), (.real(72.4), "72.4"), (.real(123_456_789.25), "123456789.25"),
    (.real(1e22), "1e22"),
    (.real(.nan), "null"), (.real(.infinity), "null"), (.real(-.infinity), "null"), (.array([.real(.nan)]), "[null]"),
    (.string(""), #""""#), (.string("\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}"), #""\"\\/\b\f\n\r\t\u0001\u001F""#),
    (.string("é😀"), #""é😀""#), (.string("a\u{0}b"), #""a\u0000b""#),
    (.array([]), "[]"), (.array([.integer(1), .string("x"), .null]), #"[1,"x",null]"#),
    (.object([]), "{}"), (.object(["b": .integer(1), "a": .array([])]), #"{"b":1,"a":[]}"#),
    (.object(["é": .bool(true), "": .null]), #"{"é":true,"":null}"#),
    // A C string would end at the NUL, and make one member of two.
    (
      .object(["a\u{0}b": .integer(1), "a\u{0}c": .integer(2), "a": .integer(3)]), #"{"a\u0000b":1,"a\u0000c":2,"a":3}"#
    ),
  ]

  @Test(arguments: written)
  func writes(_ value: JSON, _ text: String) {
    #expect(value.text == text)
    #expect(value.bytes == Array(text.utf8))
  }

  @Test func realsStayReals() throws {
    for real in [0, 1, -1, 72, 1e6, 1e15, 1e16, 1e22, 1e300, 1e-300, 0.1] {
      let text = JSON.real(real).text
      guard case .real(let back) = try JSON(parsing: Array(text.utf8)) else {
        Issue.record("\(text) was read back as an integer")
        continue
      }
      #expect(abs(back - real) <= abs(real) * 1e-14)
    }
  }

  // MARK: Access

  @Test func nilLeavesAMemberOut() {
    #expect(JSON.object(["a": nil, "b": .null]) == .object([.init("b", .null)]))
  }

  @Test func subscript_() {
    let value = JSON.object(["a": .integer(1), "b": .null])
    #expect(value["a"] == .integer(1))
    #expect(value["b"] == nil)
    #expect(value["c"] == nil)
    #expect(JSON.array([.integer(1)])["a"] == nil)
  }

  /// Each reader takes its own kind and no other, but for a whole number as a real.
  @Test func readers() {
    let values: [(JSON, String)] = [
      (.null, ""), (.bool(true), "bool"), (.integer(3), "integer real"), (.real(0.5), "real"), (.string("s"), "string"),
      (.array([.null]), "array"), (.object(["a": .null]), ""),
    ]
    for (value, kinds) in values {
      #expect((value.asBool == true) == kinds.contains("bool"))
      #expect((value.asInteger == 3) == kinds.contains("integer"))
      #expect((value.asReal != nil) == kinds.contains("real"))
      #expect((value.asString == "s") == kinds.contains("string"))
      #expect((value.asArray == [.null]) == kinds.contains("array"))
    }
    #expect(JSON.integer(3).asReal == 3.0)
  }

  // MARK: Round trips

  @Test(arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = SeededRandom(UInt64(seed))
    let value = RandomJSON.value(depth: 0, from: &random)
    #expect(try JSON(parsing: value.bytes) == value)
  }

  @Test func aTextAmongValues() throws {
    let value = try JSON(parsing: Array(#"{"a":[1,{"b":"ü"}],"c":{"d":[2.5]},"e":null}"#.utf8))
    let pieces = JSON.object([
      "a": .array([.encoded(JSON.integer(1).bytes), .encoded(JSON.object(["b": .string("ü")]).bytes)]),
      "c": .encoded(JSON.object(["d": .array([.real(2.5)])]).bytes), "e": .null,
    ])
    #expect(pieces.bytes == value.bytes)
    #expect(JSON.array([]).bytes == Array("[]".utf8))
  }
}
