import Testing

@testable import ActivityFiles

@Suite struct XMLTextTests {
  @Test func whatIsEscapedAndWhatIsLeftOut() {
    #expect(XMLText.escaped("a<b>&\"'\t\n\r") == "a&lt;b&gt;&amp;&quot;'\t\n&#13;")
    #expect(XMLText.escaped("\0\u{1}\u{1F}\u{FFFE}\u{FFFF}\u{FFFD}\u{1F600}") == "\u{FFFD}\u{1F600}")
    // A mark behind a sign makes one character of the two.
    #expect(XMLText.escaped("<\u{301}&\u{301}") == "&lt;\u{301}&amp;\u{301}")
  }

  @Test(arguments: [("", ""), (" \t\r\n", ""), (" a b\n", "a b"), ("a", "a"), ("\u{A0}", "\u{A0}")])
  func trimmed(text: String, trimmed: String) {
    #expect(XMLText.trimmed(text) == trimmed)
  }

  @Test func aCutLeavesWholeCharacters() {
    let octets = Array("a\u{E4}\u{20AC}\u{1F600}".utf8)
    let cuts = (0...octets.count).map { XMLText.cut(octets, to: $0) }
    #expect(cuts.map(\.utf8.count) == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10])
    #expect(cuts.last == "a\u{E4}\u{20AC}\u{1F600}")
  }
}
