/// Texts of others, as they may go onto terminals and into journals: names come from whatever advertises.
public enum PrintableText {
  /// Whether a terminal shows it where it stands: not a control, nor what turns the direction of a text, ends a line, or is
  /// not seen. Of the last kind the joiners are of signs that are made of several.
  public static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
    default: true
    }
  }

  /// The text with U+FFFD in place of what is not shown.
  public static func of(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isShown(scalar) ? scalar : "\u{FFFD}") }
    return String(scalars)
  }
}
