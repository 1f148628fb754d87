import Testing

@testable import ActivityFiles

@Suite struct CSVFieldTests {
  @Test(arguments: [
    ("", ""), ("hills", "hills"), ("a,b", "\"a,b\""), ("say \"go\"", "\"say \"\"go\"\"\""),
    ("two\nlines", "\"two\nlines\""),
    ("=1+1", "'=1+1"), ("-5", "'-5"), ("@x,y", "\"'@x,y\""), ("\ttab", "'\ttab"), ("5-6", "5-6"),
    // The combining accent makes one character of itself and the quotation mark.
    ("\"\u{301}", "\"\"\"\u{301}\""),
  ])
  func aFieldIsQuotedWhereItHasToBe(_ words: String, _ field: String) {
    #expect(Array(CSVField.text(words).utf8) == Array(field.utf8))
  }
}
