import Measurements
import Testing

@Suite struct PrintableTextTests {
  @Test(
    arguments: [
      ("Demo strap", "Demo strap"), ("a\u{1B}[31mb\n", "a\u{FFFD}[31mb\u{FFFD}"),
      ("\u{202E}a\u{2066}", "\u{FFFD}a\u{FFFD}"),
      ("\u{2028}\u{9B}\u{200B}\u{FEFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("\u{1F469}\u{200D}\u{2695}", "\u{1F469}\u{200D}\u{2695}"), ("Grüße ♥", "Grüße ♥"), ("", ""),
    ] as [(String, String)])
  func whatIsNotShownIsReplaced(_ text: String, _ shown: String) {
    #expect(PrintableText.of(text) == shown)
  }
}
