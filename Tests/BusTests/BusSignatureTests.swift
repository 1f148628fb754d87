import Bus
import Testing

@Suite struct BusSignatureTests {
  @Test func everyBasicType() {
    #expect(
      BusSignature("ybnqiuxtdsoghv")?.types == [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
        .unixFD, .variant,
      ])
  }

  @Test func containers() {
    #expect(BusSignature("")?.types == [])
    #expect(BusSignature("ay")?.types == [.array(.byte)])
    #expect(BusSignature("aas")?.types == [.array(.array(.string))])
    #expect(BusSignature("(yv)")?.types == [.structure([.byte, .variant])])
    #expect(BusSignature("a{sv}")?.types == [.dictionary(key: .string, value: .variant)])
    #expect(
      BusSignature("a{oa{sa{sv}}}")?.types == [
        .dictionary(
          key: .objectPath,
          value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)))
      ])
    #expect(
      BusSignature("sa{sv}as")?.types == [
        .string, .dictionary(key: .string, value: .variant), .array(.string),
      ])
  }

  static let complicated = [
    "a{oa{sa{sv}}}", "sa{sv}as", "(ii(s(dv))a(yay))", "a{s(a{y(g)}ah)}b", "aaaaay", "((((y))))", "a(a{sv})(o)",
  ]

  @Test(arguments: complicated)
  func textComesBack(text: String) {
    #expect(BusSignature(text)?.description == text)
  }

  /// A prefix is legal exactly if it breaks off between two complete types; where those are is written out here.
  @Test(arguments: zip(complicated, [[0, 13], [0, 1, 6, 8], [0, 17], [0, 15, 16], [0, 6], [0, 9], [0, 8, 11]]))
  func everyPrefix(text: String, boundaries: [Int]) {
    for length in 0...text.utf8.count {
      let prefix = String(text.prefix(length))
      #expect((BusSignature(prefix) != nil) == boundaries.contains(length), "\(prefix)")
    }
  }

  @Test(arguments: [
    "a", "(", ")", "()", "(y", "y)", "{sv}", "a{sv", "a{s}", "a{svv}", "a{}", "a{vs}", "a{ayv}", "a{(y)v}", "a)", "z",
    "r", "e", "m", "*", "y\0", "ä", "a{sv)", "(y}", "a{s{sv}}",
  ])
  func malformed(text: String) {
    #expect(BusSignature(text) == nil)
  }

  @Test func nesting() {
    func arrays(_ count: Int) -> String { String(repeating: "a", count: count) + "y" }
    func structures(_ count: Int, around inner: String) -> String {
      String(repeating: "(", count: count) + inner + String(repeating: ")", count: count)
    }
    func dictionaries(_ count: Int) -> String {
      String(repeating: "a{y", count: count) + "y" + String(repeating: "}", count: count)
    }
    #expect(BusSignature(arrays(32)) != nil)
    #expect(BusSignature(arrays(33)) == nil)
    #expect(BusSignature(structures(32, around: "y")) != nil)
    #expect(BusSignature(structures(33, around: "y")) == nil)
    #expect(BusSignature(structures(32, around: arrays(32))) != nil)
    #expect(BusSignature(structures(32, around: arrays(33))) == nil)
    #expect(BusSignature(dictionaries(32)) != nil)
    #expect(BusSignature(dictionaries(33)) == nil)
  }

  @Test func length() {
    #expect(BusSignature(String(repeating: "y", count: 255))?.types.count == 255)
    #expect(BusSignature(String(repeating: "y", count: 256)) == nil)
  }

  @Test func basicTypesMayBeKeys() throws {
    for code in "ybnqiuxtdsogh" {
      #expect(try #require(BusSignature(String(code))).types[0].isBasic, "\(code)")
    }
    for code in ["v", "ay", "(y)", "a{sv}"] {
      #expect(try !#require(BusSignature(code)).types[0].isBasic, "\(code)")
    }
  }
}
