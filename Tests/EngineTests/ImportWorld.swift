import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Clients that export and import.
extension ImportScenarioTests {
  /// What GetRecording tells of a workout.
  struct Exported: Equatable {
    var header: JSON
    var events: [JSON] = []
    var samples: [JSON] = []

    var workout: JSON { header["workout"] ?? .null }

    /// The first one.
    func difference(from other: Exported) -> String {
      let all = [header] + events + samples
      let others = [other.header] + other.events + other.samples
      for (one, two) in zip(all, others) where one != two { return "\(one.text)\n\(two.text)" }
      return all.count == others.count ? "" : "\(all.count) and \(others.count) parts"
    }
  }

  static func export(_ id: SessionID, from world: World) throws -> Exported {
    let client = world.connect()
    world.send(
      client,
      VarlinkCall("io.strapd.GetRecording", .object(["id": .string(id.description)]), more: true))
    world.advance(.zero)
    let replies = world.take(client)
    world.input(.clientGone(client))
    #expect(
      replies.last?["continues"]?.asBool != true && replies.dropLast().allSatisfy { $0["continues"]?.asBool == true })
    var exported = Exported(header: try #require(replies.first?["parameters"]))
    for reply in replies.dropFirst() {
      exported.events += reply["parameters"]?["events"]?.asArray ?? []
      exported.samples += reply["parameters"]?["samples"]?.asArray ?? []
    }
    return exported
  }

  /// The parameters of BeginImport.
  static func beginning(_ exported: Exported) -> [JSON.Member] {
    let workout = exported.workout
    var members: [JSON.Member] = [JSON.Member("format", .string("json"))]
    for name in ["id", "startDate", "endDate", "activity", "location", "strap", "endReason", "title", "notes"] {
      if let value = workout[name] { members.append(JSON.Member(name, value)) }
    }
    members.append(JSON.Member("athlete", workout["athlete"] ?? .string("")))
    members.append(JSON.Member("zones", workout["zones"] ?? .array([])))
    for name in ["device", "anchors", "metadata", "blob"] {
      if let value = exported.header[name] { members.append(JSON.Member(name, value)) }
    }
    return members
  }

  /// Events and samples in pieces of both, in their order.
  static func pieces(_ exported: Exported, of size: Int) -> [JSON] {
    func number(_ json: JSON) -> Int64 { json["event"]?.asInteger ?? 0 }
    let all =
      (exported.events.map { (number($0), true, $0) } + exported.samples.map { (number($0), false, $0) })
      .sorted { $0.0 < $1.0 }
    return stride(from: 0, to: all.count, by: size).map { start in
      let piece = all[start..<min(start + size, all.count)]
      return .object([
        "events": .array(piece.filter(\.1).map(\.2)), "samples": .array(piece.filter { !$0.1 }.map(\.2)),
      ])
    }
  }

  @discardableResult
  static func ask(_ world: World, _ client: ClientID, _ method: String, _ parameters: JSON) -> JSON {
    world.send(client, VarlinkCall("io.strapd.\(method)", parameters))
    world.advance(.zero)
    return world.take(client).first ?? .null
  }

  static func restore(_ exported: Exported, into world: World, size: Int = 50) throws -> SessionID {
    let client = world.connect()
    let begun = ask(world, client, "BeginImport", .object(beginning(exported)))
    #expect(begun["error"] == nil, "\(begun.text)")
    for piece in pieces(exported, of: size) {
      let taken = ask(world, client, "AppendImport", piece)
      #expect(taken["error"] == nil, "\(taken.text)")
    }
    let done = ask(world, client, "CommitImport", .object([]))
    #expect(done["error"] == nil, "\(done.text)")
    world.input(.clientGone(client))
    return try #require(done["parameters"]?["workout"]?["id"]?.asString.flatMap { SessionID($0) })
  }
}

extension JSON {
  /// The same object with another value of a member.
  func with(_ name: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.name == name ? Member(name, value) : $0 })
  }
}

extension World {
  /// How many samples GetSamples lists, page by page.
  func samples(listed id: SessionID) throws -> Int {
    var (count, after): (Int, JSON?) = (0, nil)
    repeat {
      let page = call("GetSamples", ["id": .string(id.description), "after": after, "limit": .integer(10)])
      count += page["parameters"]?["samples"]?.asArray?.count ?? 0
      after = page["parameters"]?["next"]
    } while after != nil && count < 10_000
    return count
  }
}
