import Control
import Measurements
import Workout

// Our own format: one JSON object, described by config/strapd-workout.schema.json. Events and samples stand a line each, so
// that neither a reader nor a person has to take all of it at once.

extension WorkoutFile {
  /// The whole of it as JSON, which strapd imports without loss.
  public func json() -> [UInt8] {
    var text: [UInt8] = Array("{\"format\":\"\(Self.jsonFormat)\",\"version\":\(Self.jsonVersion)".utf8)
    for member in header {
      text += Array(",\n".utf8) + JSON.string(member.name).bytes + [UInt8(ascii: ":")] + member.value.bytes
    }
    Self.append("events", events.compactMap { $0.recorded(as: $0.sequence, along: workout.start) }, to: &text)
    Self.append("samples", samples.lazy.map { $0.recorded(as: $0.sequence, along: workout.start) }, to: &text)
    return text + Array("}\n".utf8)
  }

  static let jsonFormat = "io.strapd.workout"
  static let jsonVersion = 1

  /// What is said of it: as GetRecording's first reply, and its laps and activities.
  private var header: [JSON.Member] {
    var listed = workout
    // Where it lies in a store is no matter of the workout's.
    listed.discarded = nil
    var members: [JSON.Member] = [
      .init("workout", WorkoutSnapshot(listed).json), .init("laps", .array(listed.laps.map { LapSnapshot($0).json })),
      .init("activities", .array(listed.activities.map { ActivitySnapshot($0).json })),
      .init("device", device.json), .init("anchors", .array(anchors.map(\.json))),
    ]
    members += clientData.exported
    return members
  }

  private static func append(_ name: String, _ values: some Sequence<JSON>, to text: inout [UInt8]) {
    text += Array(",\n\"\(name)\":[".utf8)
    var isFirst = true
    for value in values {
      text += Array((isFirst ? "\n" : ",\n").utf8) + value.bytes
      isFirst = false
    }
    text += Array("]".utf8)
  }
}

// MARK: - Reading

extension WorkoutFile {
  /// Whether it looks like one of our own JSON files.
  static func isJSON(_ octets: some Collection<UInt8>) -> Bool {
    String(decoding: octets.prefix(1024), as: UTF8.self).contains("\"\(jsonFormat)\"")
  }

  /// Reads one of our own JSON files.
  public init(json octets: [UInt8]) throws(ActivityFileError) {
    var reader = JSONPieces(octets[...])
    var header: [JSON.Member] = []
    var lists: [String: Range<Int>] = [:]
    try reader.members { name, range throws(ActivityFileError) in
      switch name {
      case "events", "samples": lists[name] = range
      default: header.append(JSON.Member(name, try JSONPieces.value(octets[range], of: name)))
      }
    }
    let all = JSON.object(header)
    guard all["format"]?.asString == Self.jsonFormat else {
      throw ActivityFileError(.json, "is JSON, and no workout of strapd")
    }
    guard all["version"]?.asInteger == Int64(Self.jsonVersion) else {
      throw ActivityFileError(.json, "is of another version than \(Self.jsonVersion), which is all that is known here")
    }
    var place = 0
    do {
      var recording = try Recording(all)
      if let range = lists["events"] {
        try JSONPieces.elements(of: octets[range]) { event, offset throws(ActivityFileError) in
          place = offset
          do { try recording.take(event: event) } catch { throw ActivityFileError(.json, at: offset, "\(error)") }
        }
      }
      if let range = lists["samples"] {
        try JSONPieces.elements(of: octets[range]) { sample, offset throws(ActivityFileError) in
          place = offset
          do { try recording.take(sample: sample) } catch { throw ActivityFileError(.json, at: offset, "\(error)") }
        }
      }
      self = try recording.whole()
    } catch let error as ActivityFileError {
      throw error
    } catch {
      throw ActivityFileError(.json, at: place == 0 ? nil : place, "\(error)")
    }
  }
}

/// Finds the members of one large JSON object and the elements of its lists, each of which is then read by itself: so that
/// a file of any size takes no more memory than what it says.
private struct JSONPieces {
  private let octets: ArraySlice<UInt8>
  private var next: Int

  /// The most octets of one member or element.
  static let largest = 1 << 20

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    next = octets.startIndex + (octets.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  static func value(_ octets: ArraySlice<UInt8>, of name: String) throws(ActivityFileError) -> JSON {
    if octets.count > largest {
      throw ActivityFileError(.json, at: octets.startIndex, "has a \(name) of \(octets.count) octets")
    }
    do { return try JSON(parsing: octets) } catch {
      throw ActivityFileError(.json, at: octets.startIndex + max(0, error.position), error.text)
    }
  }

  /// The names of the members, each with where its value lies.
  mutating func members(_ take: (String, Range<Int>) throws(ActivityFileError) -> Void) throws(ActivityFileError) {
    try expect("{")
    if skip("}") { return try end() }
    repeat {
      let start = next
      let name = try value()
      try expect(":")
      let range = try value()
      guard let text = try Self.value(octets[name], of: "name").asString else {
        throw ActivityFileError(.json, at: start, "has no member's name here")
      }
      try take(text, range)
    } while skip(",")
    try expect("}")
    try end()
  }

  static func elements(
    of list: ArraySlice<UInt8>, _ take: (JSON, Int) throws(ActivityFileError) -> Void
  ) throws(ActivityFileError) {
    var reader = JSONPieces(list)
    try reader.expect("[")
    if reader.skip("]") { return }
    repeat {
      let range = try reader.value()
      try take(try value(list[range], of: "part of a list"), range.lowerBound)
    } while reader.skip(",")
    try reader.expect("]")
  }

  private func end() throws(ActivityFileError) {
    if let place = octets[next...].firstIndex(where: { !Self.isBlank($0) }) {
      throw ActivityFileError(.json, at: place, "goes on behind its end")
    }
  }

  private static func isBlank(_ octet: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(octet) }

  private mutating func skipBlanks() {
    while next < octets.endIndex, Self.isBlank(octets[next]) { next += 1 }
  }

  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next < octets.endIndex, octets[next] == UInt8(ascii: mark) else { return false }
    next += 1
    return true
  }

  private mutating func expect(_ mark: Unicode.Scalar) throws(ActivityFileError) {
    if skip(mark) { return }
    let what = next < octets.endIndex ? "has no \"\(mark)\" where one must be" : "ends before its \"\(mark)\""
    throw ActivityFileError(.json, at: next, what)
  }

  /// Where the next value lies: by its brackets and quotation marks, what is in it is for the reader of the value.
  private mutating func value() throws(ActivityFileError) -> Range<Int> {
    skipBlanks()
    let start = next
    var depth = 0
    while next < octets.endIndex {
      switch octets[next] {
      case UInt8(ascii: "\""): try skipText()
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return try range(from: start) }
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return try range(from: start) }
      default: break
      }
      next += 1
    }
    throw ActivityFileError(.json, at: start, "ends inside this value")
  }

  private func range(from start: Int) throws(ActivityFileError) -> Range<Int> {
    if next == start { throw ActivityFileError(.json, at: start, "has no value where one must be") }
    return start..<next
  }

  /// From one quotation mark to the other.
  private mutating func skipText() throws(ActivityFileError) {
    let start = next
    next += 1
    while next < octets.endIndex, octets[next] != UInt8(ascii: "\"") {
      next += octets[next] == UInt8(ascii: "\\") ? 2 : 1
    }
    if next >= octets.endIndex { throw ActivityFileError(.json, at: start, "ends inside this text") }
  }
}
