import Control
import Glibc
import TestSupport
import Testing

/// Straps as people have them, with the real daemon, store and command: found, named, worn down, listed, forgotten.
@Suite struct SystemKnownStrapTests {
  private static let script = """
    strap A F0:F1:F2:F3:F4:F5 name="Demo HR" connect-ms=20 resolve-ms=20
    strap B F0:F1:F2:F3:F4:F6 name="Other HR" rssi=-70 battery=25 connect-ms=20 resolve-ms=20
    strap C F0:F1:F2:F3:F4:F7 name="Some watch" rssi=-40 heart-rate=no
    A mute
    B mute

    """
  private static let configuration = "post_exercise = 0\n[strap F0:F1:F2:F3:F4:F5]\nname = Left\nathlete = Anna\n"

  private func gym() throws -> Gym {
    let gym = try Gym(script: Self.script, configuration: Self.configuration)
    _ = try gym.connect().call("GetStatus")
    return gym
  }

  private func strapctl(_ gym: Gym, _ words: String...) throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), words,
      environment: ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"])
  }

  private func output(_ gym: Gym, _ words: String...) throws -> [String] {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), words,
      environment: ["STRAPD_SOCKET": gym.socket, "LC_ALL": "C", "TZ": "UTC0"])
    let (output, errors) = (try child.outputText(), try child.errorText())
    #expect(try child.wait() == .exited(0), "\(errors)")
    return output.split(separator: "\n").map(String.init)
  }

  /// The reports until a device is told with a certain member.
  private func device(_ scan: ControlClient, _ address: String, until isIt: (JSON) -> Bool) throws -> JSON {
    while true {
      guard let report = try scan.receive()?["parameters"] else { throw TestSupportError("the scan ended") }
      let found = report["devices"]?.asArray?.first { $0["address"]?.asString == address }
      if let found, isIt(found) { return found }
    }
  }

  @Test func whatIsNearIsSeenAsItIs() throws {
    let gym = try gym()
    let scan = try gym.connect()
    try scan.send("io.strapd.Scan", more: true)
    try gym.straps.line("DISCOVERY on")
    let found = try device(scan, "F0:F1:F2:F3:F4:F5") { _ in true }
    #expect(found["givenName"]?.asString == "Left")
    #expect(found["known"]?.asBool == true)
    #expect(found["rssi"]?.asInteger == -50)
    try gym.say("A rssi -64")
    _ = try device(scan, "F0:F1:F2:F3:F4:F5") { $0["rssi"]?.asInteger == -64 }

    let all = try gym.connect()
    try all.send("io.strapd.Scan", ["all": .bool(true)], more: true)
    let watch = try device(all, "F0:F1:F2:F3:F4:F7") { $0["rssi"]?.asInteger == -40 }
    #expect(watch["heartRate"]?.asBool == false)
    #expect(watch["name"]?.asString == "Some watch")

    // A claim that ends with its client, however that goes.
    shutdown(scan.descriptor, Int32(SHUT_RDWR))
    shutdown(all.descriptor, Int32(SHUT_RDWR))
    try gym.straps.line("DISCOVERY off")
  }

  @Test func theCommandShowsIt() throws {
    let gym = try gym()
    let scan = try strapctl(gym, "scan")
    var lines: Set<String> = []
    while lines.count < 2, let line = try scan.line() { lines.insert(line) }
    #expect(
      lines == [
        "F0:F1:F2:F3:F4:F5  -50 dBm  Left  known", "F0:F1:F2:F3:F4:F6  -70 dBm  (Other HR)",
      ])
    scan.signal(SIGTERM)
    #expect(try scan.wait() == .exited(0))
    try gym.straps.line("DISCOVERY off")

    #expect(
      try output(gym, "name", "F0:F1:F2:F3:F4:F6", "Right", "--athlete", "Ben")
        == ["F0:F1:F2:F3:F4:F6 is called 'Right', and is worn by Ben"])
    let straps = try output(gym, "straps")
    #expect(straps.count == 3)
    #expect(straps[1].hasPrefix("Left   F0:F1:F2:F3:F4:F5"))
    #expect(straps[2].hasPrefix("Right  F0:F1:F2:F3:F4:F6"))
    let refused = try strapctl(gym, "name", "left", "Middle")
    #expect(try refused.wait() == .exited(1))
    #expect(
      try refused.errorText()
        == "strapctl: the name of F0:F1:F2:F3:F4:F5 is set in \(gym.folder.file("strapd.conf")), which goes before: "
        + "change it there, and have it read again by 'systemctl reload strapd'\n")
  }

  @Test func aBatteryThatRunsDownIsToldOncePerThresholdOverRestarts() throws {
    let gym = try gym()
    var client = try gym.connect()
    try client.call("NameStrap", ["strap": .string("F0:F1:F2:F3:F4:F6"), "name": .string("Right")])
    var watcher = try gym.watch()
    try client.call("Prepare", ["strap": .string("right")])
    try gym.straps.line("SUBSCRIBED B")
    try gym.say("B beat 70 20")
    _ = try watcher.events { $0.isHeartRate }
    try gym.say("B battery 21")
    try gym.say("B battery 19")
    let low = try watcher.events { $0["kind"]?.asString == "battery" }.last
    #expect(low?["batteryPercent"]?.asInteger == 19)
    #expect(low?["thresholdPercent"]?.asInteger == 20)
    #expect(low?["strap"]?.asString == "F0:F1:F2:F3:F4:F6")
    #expect(low?["session"] != nil)

    try gym.killAndRestart()
    client = try gym.connect()
    watcher = try gym.watch()
    _ = try watcher.events { $0.isHeartRate }
    try gym.say("B battery 18")
    try gym.say("B battery 4")
    let events = try watcher.events { $0["kind"]?.asString == "battery" }
    #expect(events.filter { $0["kind"]?.asString == "battery" }.map { $0["batteryPercent"]?.asInteger } == [4])
    #expect(events.last?["thresholdPercent"]?.asInteger == 5)

    // What it is is read over the air, one characteristic after the other.
    let deadline = Deadline()
    var known: JSON?
    repeat {
      known = try client.call("ListStraps")["parameters"]?["straps"]?.asArray?.last
    } while known?["firmwareRevision"] == nil && !deadline.isOver
    #expect(known?["name"]?.asString == "Right")
    #expect(known?["batteryPercent"]?.asInteger == 4)
    #expect(known?["model"]?.asString == "SIM-1")
    #expect(known?["firmwareRevision"]?.asString == "fw1")
    #expect(known?["session"] != nil)
    let row = try Database(gym.database).row("SELECT battery_percent, battery_told FROM strap WHERE name = ?", "Right")
    #expect(row == [4, 5])

    #expect(try client.call("ForgetStrap", ["strap": .string("Right")])["error"]?.asString == "io.strapd.StrapInUse")
    try client.call("End")
    try gym.straps.line("DISCONNECTED B")
    #expect(try client.call("ForgetStrap", ["strap": .string("Right")])["error"] == nil)
    #expect(try Database(gym.database).column("SELECT count(*) FROM strap") == [0])
    let unknown = try client.call("Prepare", ["strap": .string("Right")])
    #expect(unknown["error"]?.asString == "io.strapd.UnknownStrap")
    #expect(unknown["parameters"]?["known"]?.asArray == [.string("Left")])
    gym.daemon.signal(SIGTERM)
    _ = try gym.daemon.wait()
    let journal = try gym.daemon.errorText()
    #expect(journal.contains("the battery of Right (F0:F1:F2:F3:F4:F6) is low: 4 %"))
    #expect(!journal.contains("is low: 18 %"))
  }

  /// What strapctl forgets is forgotten by bluetoothd too.
  @Test func aForgottenStrapHasNoBond() throws {
    let gym = try gym()
    let client = try gym.connect()
    let paired = try client.call("Pair", ["strap": .string("left")])
    #expect(paired["parameters"]?["progress"]?.asString == "paired", "\(paired)")
    let bonded = try client.call("ListStraps")["parameters"]?["straps"]?.asArray?.first
    #expect(bonded?["bonded"]?.asBool == true)
    #expect(
      try output(gym, "forget", "left") == [
        "F0:F1:F2:F3:F4:F5 is forgotten, and bluetoothd's bond with it is removed; a section in "
          + "\(gym.folder.file("strapd.conf")) still speaks of it"
      ])
    try gym.straps.line("CALL hci0 RemoveDevice")
    let forgotten = try client.call("ListStraps")["parameters"]?["straps"]?.asArray?.first
    #expect(forgotten?["bonded"]?.asBool == false)
    #expect(forgotten?["name"]?.asString == "Left", "as the section says")
    #expect(try Database(gym.database).column("SELECT count(*) FROM strap") == [0])
  }
}
