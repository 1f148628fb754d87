/// The usual text of a UUID: 32 digits in groups of 8, 4, 4, 4 and 12.
public enum UUIDText {
  /// The text of 16 octets, lower case.
  public static func text(_ octets: [UInt8]) -> String {
    precondition(octets.count == 16, "a UUID has 16 octets, not \(octets.count)")
    var groups: [String] = []
    var rest = octets[...]
    for count in [4, 2, 2, 2, 6] {
      groups.append(Hex.text(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return groups.joined(separator: "-")
  }

  /// The 16 octets of a text in either case; nil for anything else.
  public static func octets(_ text: String) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    return Hex.bytes(groups.joined())
  }
}
