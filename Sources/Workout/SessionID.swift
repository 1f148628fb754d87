import Measurements

/// A session's name for ever, on the wire, on disk and as the finished workout's: a random UUID (RFC 9562, version 4), or
/// of a workout that came in a file without one, a UUID of that file's octets (version 8).
public struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The UUID's text, lower case.
  public let description: String

  /// Makes a UUID of 16 random octets; the octets arrive from outside, since the core has no randomness of its own.
  public init(randomBytes bytes: [UInt8]) {
    precondition(bytes.count == 16, "a session id is made of 16 random octets, not \(bytes.count)")
    var octets = bytes
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    description = UUIDText.text(octets)
  }

  /// Makes a UUID of the first 16 octets of a digest: the same file gives the same id, however often it comes.
  public init(digest bytes: [UInt8]) {
    precondition(bytes.count >= 16, "a session id is made of 16 octets of a digest, not \(bytes.count)")
    var octets = Array(bytes.prefix(16))
    octets[6] = octets[6] & 0x0F | 0x80
    octets[8] = octets[8] & 0x3F | 0x80
    description = UUIDText.text(octets)
  }

  /// Reads the text of a UUID of any version, in either case; nil for anything else.
  public init?(_ text: String) {
    guard let octets = UUIDText.octets(text) else { return nil }
    description = UUIDText.text(octets)
  }

  public static func < (a: SessionID, b: SessionID) -> Bool {
    a.description < b.description
  }
}
