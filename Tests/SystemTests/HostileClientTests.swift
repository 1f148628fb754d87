import Control
import Glibc
import TestSupport
import Testing

/// Clients that break the protocol, or go: each is answered or closed alone, and the workout goes on.
@Suite struct HostileClientTests {
  @Test func nothingOfThisStopsTheWorkout() throws {
    let gym = try Gym()
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()

    // What cannot be answered closes that connection.
    for bytes in ["{", "[]\0", "null\0", "{\"parameters\":{}}\0", "{\"method\":1}\0", "\u{1}\0", "\0"] {
      let hostile = try gym.connect()
      try hostile.send(Array(bytes.utf8))
      if bytes.hasSuffix("\0") { #expect(try hostile.receive() == nil, "\(bytes)") }
    }
    let invalid = try gym.connect()
    try invalid.send([UInt8(ascii: "\""), 0xFF, 0xFE, UInt8(ascii: "\""), 0])
    #expect(try invalid.receive() == nil)
    let large = try gym.connect()
    do { for _ in 0..<40 { try large.send([UInt8](repeating: 0x20, count: 65_536)) } } catch {}
    #expect(try large.receive() == nil)

    // What can be answered is a typed error, and the connection lives.
    let mistaken = try gym.connect()
    let mistakes: [(method: String, parameters: JSON, error: String, key: String, value: String)] = [
      ("io.strapd.Nothing", .object([]), "org.varlink.service.MethodNotFound", "method", "io.strapd.Nothing"),
      ("io.other.Nothing", .object([]), "org.varlink.service.InterfaceNotFound", "interface", "io.other"),
      ("org.varlink.service.No", .object([]), "org.varlink.service.MethodNotFound", "method", "org.varlink.service.No"),
      ("io.strapd.GetWorkout", .object([]), "org.varlink.service.InvalidParameter", "parameter", "id"),
      (
        "io.strapd.GetWorkout", .object(["id": .integer(3)]), "org.varlink.service.InvalidParameter", "parameter", "id"
      ),
      (
        "io.strapd.Start", .object(["date": .string("soon")]), "org.varlink.service.InvalidParameter", "parameter",
        "date"
      ),
      (
        "io.strapd.GetStatus", .object(["extra": .bool(true)]), "org.varlink.service.InvalidParameter", "parameter",
        "extra"
      ),
      ("io.strapd.Create", .object(["activity": .string("chess")]), "io.strapd.UnknownActivity", "activity", "chess"),
    ]
    for mistake in mistakes {
      try mistaken.send(VarlinkCall(mistake.method, mistake.parameters).message)
      let reply = try mistaken.receive()
      #expect(reply?["error"]?.asString == mistake.error)
      #expect(reply?["parameters"]?[mistake.key]?.asString == mistake.value)
    }
    try mistaken.send("io.strapd.Watch")
    #expect(try mistaken.receive()?["error"]?.asString == "org.varlink.service.ExpectedMore")

    // A client that goes in the middle of a call, and one that never reads.
    for _ in 0..<50 {
      let vanishing = try gym.connect()
      try vanishing.send("io.strapd.GetStatus")
      try vanishing.send(Array("{\"method\":\"io.strapd.GetSt".utf8))
    }

    let events = try watcher.events { $0.isHeartRate && $0["heartRate"]?.asInteger ?? 0 > 0 }
    #expect(!events.isEmpty)
    #expect(try client.call("GetStatus")["parameters"]?["sessions"]?.asArray?[0]["id"]?.asString == id)
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
  }

  @Test func callsSentAheadAreAnsweredInOrder() throws {
    let gym = try Gym()
    let client = try gym.connect()
    var bytes: [UInt8] = []
    bytes += VarlinkCall("io.strapd.Create", .object(["activity": .string("yoga")])).message
    bytes += VarlinkCall("io.strapd.Start", oneway: true).message
    bytes += VarlinkCall("io.strapd.Stop").message
    bytes += VarlinkCall("io.strapd.End").message
    bytes += VarlinkCall("io.strapd.ListWorkouts").message
    bytes += VarlinkCall("org.varlink.service.GetInfo").message
    // In the worst pieces there are: one octet each.
    for byte in bytes { try client.send([byte]) }
    #expect(try client.receive()?["parameters"]?["state"]?.asString == "notStarted")
    #expect(try client.receive()?["parameters"]?["state"]?.asString == "stopped")
    #expect(try client.receive()?["parameters"]?["state"]?.asString == "ended")
    #expect(try client.receive()?["parameters"]?["workouts"]?.asArray?.count == 1)
    #expect(try client.receive()?["parameters"]?["product"]?.asString == "strapd")
    // The other side of a pipe that is closed for sending is still answered.
    try client.send("io.strapd.GetStatus")
    shutdown(client.descriptor, Int32(SHUT_WR))
    #expect(try client.receive()?["parameters"]?["version"] != nil)
    #expect(try client.receive() == nil)
  }

  @Test func malformedPacketsAndSignals() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for payload in ["00", "0148", "083c01", "06c8"] { try gym.say("A raw \(payload)") }
    _ = try watcher.events { $0["heartRate"]?.asInteger == 200 }
    let strap = try client.call("GetStatus")["parameters"]?["straps"]?.asArray?[0]
    #expect(strap?["refusedPackets"]?.asInteger == 3)
    try gym.say("malformed all")
    try gym.say("A raw 06c9")
    _ = try watcher.events { $0["heartRate"]?.asInteger == 201 }
    #expect(try client.call("GetStatus")["parameters"]?["oddSignals"]?.asInteger ?? 0 > 0)
    #expect(try client.call("End")["parameters"]?["state"]?.asString == "ended")
  }
}
