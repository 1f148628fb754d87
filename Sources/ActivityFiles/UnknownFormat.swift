import Measurements

/// Why a file has none of the formats that are read, by what it begins with.
public struct UnknownFormat: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it is other than a file of the format that comes nearest, in octets from its beginning.
  public let offset: Int
  /// What stands there and what would have to, to stand behind the file's name.
  public let text: String

  /// - Parameter octets: the first ones of a file that `ActivityFormat.recognised(_:)` does not know, 4096 or all of them.
  public init(_ octets: [UInt8]) {
    (offset, text) = Self.packed(octets) ?? Self.markup(octets) ?? Self.header(octets) ?? Self.lines(octets)
  }

  public var description: String { "at octet \(offset): \(text)" }

  /// Sites give people their files so.
  private static func packed(_ octets: [UInt8]) -> (Int, String)? {
    if octets.starts(with: [0x1F, 0x8B]) { return (0, "is packed by gzip; unpack it first") }
    if octets.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return (0, "is a zip archive; unpack it first") }
    return nil
  }

  /// XML or JSON of something else.
  private static func markup(_ octets: [UInt8]) -> (Int, String)? {
    let start = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let place = octets[start...].firstIndex(where: { !XMLText.isBlank($0) }) else { return nil }
    switch octets[place] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return (place, "is JSON without \"\(WorkoutFile.jsonFormat)\" in its first 1024 octets, as strapd's has it")
    case UInt8(ascii: "<"):
      let (offset, name) = firstElement(octets[place...])
      return (offset, "is XML of <\(name)>, and a TCX file is of <TrainingCenterDatabase>")
    default: return nil
    }
  }

  /// Behind declarations and comments, whose "<" no letter follows.
  private static func firstElement(_ octets: ArraySlice<UInt8>) -> (Int, String) {
    func isLetter(_ octet: UInt8) -> Bool { (0x41...0x5A).contains(octet & 0xDF) }
    let place = octets.indices.dropLast().first { octets[$0] == UInt8(ascii: "<") && isLetter(octets[$0 + 1]) }
    guard let place else { return (octets.startIndex, "?") }
    let name = octets[(place + 1)...].prefix {
      !XMLText.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    return (place, PrintableText.of(String(decoding: name.prefix(64), as: UTF8.self)))
  }

  /// What is no text; the length of a FIT file's header stands in its first octet (FIT Protocol, "File Header").
  private static func header(_ octets: [UInt8]) -> (Int, String)? {
    let isText = octets.prefix(64).allSatisfy { $0 >= 0x20 && $0 != 0x7F || XMLText.isBlank($0) }
    if isText { return nil }
    if octets.first == 12 || octets.first == 14 {
      if octets.count < 12 { return (octets.count, "ends, and a FIT file has \".FIT\" at octet 8") }
      return (8, "has \(hex(octets[8..<12])) where a FIT file has 2e 46 49 54 (\".FIT\")")
    }
    return (
      0,
      "begins with \(hex(octets.prefix(8))), where a FIT file has 0c or 0e, an HCI log \"btsnoop\" and others have text"
    )
  }

  private static func lines(_ octets: [UInt8]) -> (Int, String) {
    var text = RRText(octets)
    do {
      while try text.next() != nil {}
    } catch { return (error.offset ?? 0, error.text) }
    return (octets.count, "has no interval so far")
  }

  private static func hex(_ octets: ArraySlice<UInt8>) -> String {
    octets.map { Hex.text([$0]) }.joined(separator: " ")
  }
}
