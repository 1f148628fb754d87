import Testing

@testable import strap_sim

@Suite struct WordsTests {
  static let lines: [(String, [String])] = [
    ("", []), ("   \t ", []), ("# all of it", []), ("A loss", ["A", "loss"]), ("  A\t loss  ", ["A", "loss"]),
    ("A loss # away", ["A", "loss"]), ("A loss#1", ["A", "loss#1"]), ("name=\"Demo HR\"", ["name=Demo HR"]),
    ("\"a # b\" c", ["a # b", "c"]), ("raw \"\"", ["raw", ""]), ("a\"b c\"d", ["ab cd"]), ("A loss\r", ["A", "loss"]),
  ]

  @Test(arguments: lines)
  func words(line: String, words: [String]) throws {
    #expect(try Words(line).rest == words)
  }

  @Test func anOpenQuotationMarkIsRefused() {
    #expect(throws: ScriptError("a quotation mark is not closed", allowed: "\"text\"")) { try Words("name=\"Demo") }
  }
}
