/// A field of comma-separated values (RFC 4180, section 2).
public enum CSVField {
  /// Somebody's own words, quoted where they need it, and none that a spreadsheet would calculate.
  public static func text(_ text: String) -> String {
    let formula: [Unicode.Scalar] = ["=", "+", "-", "@", "\t", "\r"]
    let isFormula = text.unicodeScalars.first.map { formula.contains($0) } ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) else { return safe }
    var quoted = String.UnicodeScalarView()
    // By scalars: a mark behind a quotation mark makes another character of it, and no other field's end.
    for scalar in safe.unicodeScalars { quoted += scalar == "\"" ? [scalar, scalar] : [scalar] }
    return "\"\(String(quoted))\""
  }
}
