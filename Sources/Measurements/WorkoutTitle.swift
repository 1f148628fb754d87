/// What a person calls a workout: a line of text.
public struct WorkoutTitle: Hashable, Sendable, CustomStringConvertible {
  /// The title as it was written.
  public let description: String

  /// The most octets of UTF-8.
  public static let longest = 256

  /// What is allowed, for the person whose title was refused.
  public static let allowed = PersonalText.allowed(longest: longest)

  /// Takes 1 to 256 octets of UTF-8 without control characters, line breaks or blanks at the ends; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard PersonalText.isAllowed(text, longest: Self.longest) else { return nil }
    description = String(text)
  }
}

extension WorkoutTitle {
  /// Whether a text is part of it, in whatever case of the letters A to Z.
  public func contains(_ text: String) -> Bool {
    let (title, text) = (Self.lowered(description), Self.lowered(text))
    guard text.count <= title.count else { return false }
    return (0...title.count - text.count).contains { title[$0...].starts(with: text) }
  }

  private static func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }
}
