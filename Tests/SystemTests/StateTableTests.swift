import Control
import TestSupport
import Testing

/// The table of states and calls, over the real socket.
@Suite struct StateTableTests {
  /// Each row: the calls that lead into the state, the call, and the state after it or nil for a refusal.
  private static let rows: [(path: [String], state: String, call: String, after: String?)] = [
    (["Create"], "notStarted", "Prepare", "prepared"),
    (["Create"], "notStarted", "Start", "running"),
    (["Create"], "notStarted", "Pause", nil),
    (["Create"], "notStarted", "Resume", nil),
    (["Create"], "notStarted", "Stop", nil),
    (["Create"], "notStarted", "End", "ended"),
    (["Prepare"], "prepared", "Prepare", "prepared"),
    (["Prepare"], "prepared", "Start", "running"),
    (["Prepare"], "prepared", "Pause", nil),
    (["Prepare"], "prepared", "Resume", nil),
    (["Prepare"], "prepared", "Stop", nil),
    (["Prepare"], "prepared", "End", "ended"),
    (["Prepare", "Start"], "running", "Prepare", nil),
    (["Prepare", "Start"], "running", "Start", nil),
    (["Prepare", "Start"], "running", "Pause", "paused"),
    (["Prepare", "Start"], "running", "Resume", "running"),
    (["Prepare", "Start"], "running", "Stop", "stopped"),
    (["Prepare", "Start"], "running", "End", "ended"),
    (["Prepare", "Start", "Pause"], "paused", "Prepare", nil),
    (["Prepare", "Start", "Pause"], "paused", "Start", nil),
    (["Prepare", "Start", "Pause"], "paused", "Pause", "paused"),
    (["Prepare", "Start", "Pause"], "paused", "Resume", "running"),
    (["Prepare", "Start", "Pause"], "paused", "Stop", "stopped"),
    (["Prepare", "Start", "Pause"], "paused", "End", "ended"),
    (["Prepare", "Start", "Stop"], "stopped", "Prepare", nil),
    (["Prepare", "Start", "Stop"], "stopped", "Start", nil),
    (["Prepare", "Start", "Stop"], "stopped", "Pause", nil),
    (["Prepare", "Start", "Stop"], "stopped", "Resume", nil),
    (["Prepare", "Start", "Stop"], "stopped", "Stop", "stopped"),
    (["Prepare", "Start", "Stop"], "stopped", "End", "ended"),
    (["Prepare", "Start", "End"], "ended", "Prepare", nil),
    (["Prepare", "Start", "End"], "ended", "Start", nil),
    (["Prepare", "Start", "End"], "ended", "Pause", nil),
    (["Prepare", "Start", "End"], "ended", "Resume", nil),
    (["Prepare", "Start", "End"], "ended", "Stop", nil),
    (["Prepare", "Start", "End"], "ended", "End", "ended"),
  ]

  private static let calls = ["prepare", "start", "pause", "resume", "stop", "end"]
  private static let allowed = [
    "notStarted": ["prepare", "start", "end"], "prepared": ["prepare", "start", "end"],
    "running": ["pause", "resume", "stop", "end"], "paused": ["pause", "resume", "stop", "end"],
    "stopped": ["stop", "end"], "ended": ["end"],
  ]

  @Test func everyRow() throws {
    let gym = try Gym()
    let client = try gym.connect()
    #expect(Self.rows.count == 36)
    for row in Self.rows {
      var id = ""
      for call in row.path {
        let reply = try client.call(call, id.isEmpty ? [:] : ["session": .string(id)])
        id = reply["parameters"]?["session"]?.asString ?? ""
      }
      let watcher = try gym.watch()
      let before = try client.call("GetStatus")["parameters"]?["sequence"]?.asInteger
      let reply = try client.call(row.call, ["session": .string(id)])
      let parameters = reply["parameters"]
      if let after = row.after {
        #expect(reply["error"] == nil, "\(row)")
        #expect(parameters?["state"]?.asString == after, "\(row)")
        #expect(parameters?["snapshot"]?["state"]?.asString == after, "\(row)")
        #expect(parameters?["snapshot"]?["id"]?.asString == id, "\(row)")
        if after == row.state {
          #expect(parameters?["sequence"]?.asInteger == before, "a redundant call publishes nothing: \(row)")
        } else {
          let events = try watcher.events { $0.isTransition(to: after) }
          let first = events.first { $0["kind"]?.asString == "transition" }
          #expect(first?["from"]?.asString == row.state, "\(row)")
        }
      } else {
        #expect(reply["error"]?.asString == "io.strapd.CallNotAllowed", "\(row)")
        #expect(parameters?["state"]?.asString == row.state, "\(row)")
        #expect(parameters?["call"]?.asString == row.call.lowercased(), "\(row)")
        let allowed = parameters?["allowed"]?.asArray?.compactMap(\.asString) ?? []
        #expect(allowed.filter(Self.calls.contains) == Self.allowed[row.state], "\(row)")
        let live = try client.call("GetStatus")["parameters"]?["sessions"]?.asArray
        #expect(live?.first?["state"]?.asString == (row.state == "ended" ? nil : row.state), "\(row)")
      }
      try client.call("End", ["session": .string(id)])
    }
  }

  @Test func whichSessionACallMeans() throws {
    let gym = try Gym()
    let client = try gym.connect()
    for call in ["Start", "Pause", "Resume", "Stop", "End"] {
      let reply = try client.call(call)
      #expect(reply["error"]?.asString == "io.strapd.NoSession")
      #expect(reply["parameters"]?["call"]?.asString == call.lowercased())
    }
    let unknown = "11111111-2222-4333-8444-555555555555"
    #expect(try client.call("Pause", ["session": .string(unknown)])["error"]?.asString == "io.strapd.NoSuchSession")

    let first = try client.call("Create", ["activity": .string("rowing")])["parameters"]?["session"]?.asString
    let prepared = try client.call("Prepare")["parameters"]
    #expect(prepared?["session"]?.asString == first, "Prepare takes the only session that is not started")
    #expect(prepared?["snapshot"]?["activity"]?.asString == "rowing")
    #expect(try client.call("Prepare")["error"]?.asString == "io.strapd.StrapInUse")
    try client.call("Create")
    let reply = try client.call("Start")
    #expect(reply["error"]?.asString == "io.strapd.SessionAmbiguous")
    #expect(reply["parameters"]?["sessions"]?.asArray?.count == 2)
  }
}
