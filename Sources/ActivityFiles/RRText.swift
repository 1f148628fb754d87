import Measurements
import Workout

/// A text of RR intervals, line by line.
struct RRText {
  struct Entry {
    var what: What
    var line: Int
    /// Where the line begins, in octets from the beginning.
    var offset: Int

    enum What {
      /// In the text's unit, and when it was received by whatever clock, for a text that says so.
      case interval(Double, at: WallTime?)
      case gap(Duration)
    }
  }

  /// When the first interval begins, as far as a comment has told yet.
  private(set) var start: WallTime?
  private(set) var strap: String?
  /// Where this project has written it.
  private(set) var workout: SessionID?
  /// Milliseconds to the unit; nil where the text does not say.
  private(set) var scale: Double?
  private let octets: [UInt8]
  private var position: Int
  private var line = 0
  /// Where the intervals stand, and how the columns are parted; nil before the first line that is no comment.
  private var columns: Columns?

  private struct Columns {
    var count = 1
    var separator: UInt8 = 0
    var interval = 0
    var time: Int?
  }

  /// The comment that says the unit.
  static let unit = "RR intervals in ms"
  private static let mostColumns = 3
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameter isCutOff: whether it is the beginning of a longer one, so that a line without an end is none.
  init(_ octets: [UInt8], isCutOff: Bool = false) {
    let end = isCutOff ? (octets.lastIndex(of: Self.lineFeed) ?? octets.startIndex) : octets.endIndex
    self.octets = Array(octets[..<end])
    position = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next interval or gap; nil at the end.
  mutating func next() throws(ActivityFileError) -> Entry? {
    while position < octets.count {
      let offset = position
      let content = nextLine()
      guard let first = content.first else { continue }
      if first == UInt8(ascii: "#") || first == UInt8(ascii: "%") {
        if let gap = takeComment(content.dropFirst()) { return Entry(what: .gap(gap), line: line, offset: offset) }
        continue
      }
      if columns == nil {
        if Self.number(content) != nil {
          columns = Columns()
        } else {
          try takeHeading(content, offset)
          continue
        }
      }
      return Entry(what: try interval(in: content, offset), line: line, offset: offset)
    }
    return nil
  }

  /// Without blanks at its ends. A carriage return ends a line too, alone or before a line feed.
  private mutating func nextLine() -> ArraySlice<UInt8> {
    line += 1
    let end = octets[position...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn } ?? octets.endIndex
    let content = octets[position..<end]
    let isPair = end + 1 < octets.endIndex && octets[end] == Self.carriageReturn && octets[end + 1] == Self.lineFeed
    position = end + (isPair ? 2 : 1)
    return XMLText.trimmed(content)
  }
}

// MARK: - Lines

extension RRText {
  /// Takes what a comment of ours says.
  ///
  /// - Returns: the length of a gap, where it is one's.
  private mutating func takeComment(_ comment: ArraySlice<UInt8>) -> Duration? {
    guard comment.count <= 256 else { return nil }
    let text = XMLText.trimmed(String(decoding: comment, as: UTF8.self))
    if text == "gap" { return .zero }
    if text == Self.unit { scale = 1 }
    if text.hasPrefix("start ") { start = start ?? WallTime(rfc3339: XMLText.trimmed(String(text.dropFirst(6)))) }
    if text.hasPrefix("strap ") { strap = PrintableText.of(XMLText.trimmed(String(text.dropFirst(6)))) }
    if text.hasPrefix("workout ") { workout = workout ?? SessionID(XMLText.trimmed(String(text.dropFirst(8)))) }
    guard text.hasPrefix("gap "), text.hasSuffix(" s"), let seconds = Self.number(Array(text.utf8)[4...].dropLast(2)),
      (0...31_536_000).contains(seconds)
    else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  private mutating func takeHeading(_ heading: ArraySlice<UInt8>, _ offset: Int) throws(ActivityFileError) {
    let separators = [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: ",")]
    let separator = separators.first { heading.contains($0) } ?? 0
    let titles = heading.split(separator: separator, omittingEmptySubsequences: false)
    let names = titles.prefix(Self.mostColumns + 1).map { String(decoding: $0.prefix(64), as: UTF8.self).lowercased() }
    let place = names.firstIndex { name in
      let letters = name.filter(\.isLetter)
      return letters.hasPrefix("rr") || letters.hasPrefix("ibi")
    }
    guard let place, titles.count <= Self.mostColumns else {
      throw ActivityFileError(.rr, at: offset, "has '\(Self.excerpt(heading))' in line \(line), which is no interval")
    }
    let time = names.firstIndex { name in ["timestamp", "date"].contains { name.contains($0) } }
    columns = Columns(count: titles.count, separator: separator, interval: place, time: time)
    if names[place].contains("ms") { scale = 1 }
    if names[place].hasSuffix("[s]") || names[place].hasSuffix("(s)") { scale = 1000 }
  }

  private func interval(in content: ArraySlice<UInt8>, _ offset: Int) throws(ActivityFileError) -> Entry.What {
    var field = content
    var time: WallTime?
    if let columns, columns.count > 1 {
      let fields = content.split(separator: columns.separator, omittingEmptySubsequences: false)
      field = columns.interval < fields.count ? fields[columns.interval] : []
      if let place = columns.time, place < fields.count, fields[place].count <= 40 {
        // Of whatever zone: it is only held against other times of the text.
        time = WallTime(rfc3339: XMLText.trimmed(String(decoding: fields[place], as: UTF8.self)) + "Z")
      }
    }
    guard let number = Self.number(field) else {
      throw ActivityFileError(.rr, at: offset, "has '\(Self.excerpt(content))' in line \(line), which is no interval")
    }
    return .interval(number, at: time)
  }

  private static func excerpt(_ content: ArraySlice<UInt8>) -> String {
    PrintableText.of(XMLText.cut(Array(content.prefix(44)), to: 40))
  }

  /// A number with a decimal point or comma, and with an exponent, as some programs write all of theirs.
  private static func number(_ field: ArraySlice<UInt8>) -> Double? {
    guard (1...64).contains(field.count) else { return nil }
    var text = ""
    for octet in XMLText.trimmed(field) {
      switch octet {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        text.unicodeScalars.append(Unicode.Scalar(octet))
      case UInt8(ascii: ","): text += "."
      default: return nil
      }
    }
    return Double(text)
  }
}
