import Control
import Measurements
import Workout

/// A change of finished workouts, as it is called: checked as far as that is possible without the daemon.
struct Revising: Equatable {
  var method: String
  var members: [JSON.Member]

  var call: VarlinkCall { Command.call(method, nil, members) }

  /// The same for the part of a list that begins at a place.
  func call(from place: JSON?) -> VarlinkCall {
    Command.call(method, nil, members + [place].compactMap { $0.map { JSON.Member("from", $0) } })
  }
}

/// The words of the commands that change workouts.
struct RevisionWords {
  var arguments: [String]
  var values: [Option: String]

  func edit() throws(UsageError) -> Revising {
    let said: [(String, Option)] = [
      ("activity", .activity), ("location", .location), ("title", .title), ("notes", .notes), ("athlete", .athlete),
    ]
    let members = said.compactMap { name, option in values[option].map { JSON.Member(name, .string($0)) } }
    if members.isEmpty {
      throw UsageError("what is to be changed? There are --title, --notes, --activity, --location and --athlete")
    }
    if let location = values[.location], LocationType(rawValue: location) == nil {
      throw UsageError("'\(location)' is no location; there are indoor and outdoor")
    }
    return Revising(method: "EditWorkout", members: [try id()] + members)
  }

  func trim() throws(UsageError) -> Revising {
    let bounds = [try place(.start, "startDate", "startSeconds"), try place(.end, "endDate", "endSeconds")]
    if bounds == [nil, nil] { throw UsageError("what is to be cut off? Give --start, --end, or both") }
    return Revising(method: "TrimWorkout", members: [try id()] + bounds.compactMap { $0 })
  }

  func merge() throws(UsageError) -> Revising {
    guard arguments.count == 2 else { throw UsageError("which two workouts? 'strapctl list' shows their ids") }
    return Revising(method: "MergeWorkouts", members: [try id(), try id(at: 1, "other")])
  }

  func split() throws(UsageError) -> Revising {
    guard let place = try place(.at, "date", "seconds") else {
      throw UsageError("where? Give --at a date, or how long after the start, such as --at 0:30:00")
    }
    return Revising(method: "SplitWorkout", members: [try id(), place])
  }

  func undo() throws(UsageError) -> Revising { Revising(method: "UndoEdit", members: [try id()]) }

  func history() throws(UsageError) -> Revising { Revising(method: "ListEdits", members: [try id()]) }

  private func id(at place: Int = 0, _ name: String = "id") throws(UsageError) -> JSON.Member {
    guard arguments.indices.contains(place) else {
      throw UsageError("which workout? 'strapctl list' shows their ids")
    }
    guard let id = SessionID(arguments[place]) else {
      throw UsageError(
        "'\(arguments[place])' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
    }
    return JSON.Member(name, .string(id.description))
  }

  /// A date, or a time since the workout's start.
  private func place(_ option: Option, _ dateName: String, _ secondsName: String) throws(UsageError) -> JSON.Member? {
    guard let text = values[option] else { return nil }
    if WallTime(rfc3339: text) != nil { return JSON.Member(dateName, .string(text)) }
    guard let seconds = Self.seconds(text) else {
      throw UsageError(
        "'\(text)' is no date as in RFC 3339 (2026-11-30T09:10:11+01:00), and no time since the start as 1:02:30 or 90")
    }
    return JSON.Member(secondsName, .real(seconds))
  }

  /// `1:02:30`, `2:30` or `150`, the last with decimals.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) || isLast && $0 == 0x2E }),
        let number = Double(part), index == 0 || number < 60
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds
  }
}

/// Edits of a workout for people.
enum EditText {
  static func table(_ edits: [JSON], _ style: TextStyle) -> [String] {
    if edits.isEmpty { return ["nothing has been changed"] }
    var table = Table([("date", .left), ("edit", .left), ("what", .left)])
    for edit in edits {
      let undone = style.dateAndTime(edit.text("undoneDate")).map { ["undone at \($0)"] } ?? []
      let sealed = edit["sealed"]?.asBool == true ? ["stays: what it had to do with is deleted"] : []
      let changes = undone + differences(edit["before"], edit["after"], style) + sealed
      table.add([
        style.dateAndTime(edit.text("date")) ?? "?", edit.text("kind") ?? "?", changes.joined(separator: ", "),
      ])
    }
    return table.lines
  }

  private static func differences(_ before: JSON?, _ after: JSON?, _ style: TextStyle) -> [String] {
    guard let before else { return ["it was made by this"] }
    guard let after else { return [] }
    let texts = ["title", "activity", "location", "athlete"].compactMap { name -> String? in
      let (old, new) = (before.text(name), after.text(name))
      return old == new ? nil : "\(name) \(old.map { "'\($0)'" } ?? "none") to \(new.map { "'\($0)'" } ?? "none")"
    }
    let dates = [("start", "startDate"), ("end", "endDate")].compactMap { name, member -> String? in
      let (old, new) = (before.text(member), after.text(member))
      return old == new ? nil : "\(name) \(style.dateAndTime(old) ?? "?") to \(style.dateAndTime(new) ?? "?")"
    }
    return texts + dates + (before.text("notes") == after.text("notes") ? [] : ["notes"])
  }
}

extension Draft {
  var revision: RevisionWords { RevisionWords(arguments: arguments, values: values) }
}
