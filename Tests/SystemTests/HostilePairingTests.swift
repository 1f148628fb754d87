import Control
import Glibc
import TestSupport
import Testing

/// Pairings in which somebody goes, comes or speaks at the wrong moment.
@Suite struct HostilePairingTests {
  private static let strap = Gym.strap
  private static let answer: KeyValuePairs<String, JSON?> = [
    "strap": .string(strap), "accept": .bool(true), "passkey": .integer(4711),
  ]

  /// A strap that asks for 4711, and what holds the pairing up at this point.
  private func gym(at moment: String) throws -> Gym {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks passkey 4711")
    if let (on, _) = Self.obstacles[moment] { try gym.tell(on) }
    return gym
  }

  private static let obstacles = [
    "searching": ("A loss", "A return"), "connecting": ("A connect-hang on", "A connect-hang off"),
    "pairing": ("A pair-hang on", "A pair-hang off"),
  ]
  private static let moments = ["searching", "connecting", "pairing", "enterPasskey"]

  private func pair(_ gym: Gym, _ client: ControlClient? = nil) throws -> ControlClient {
    let client = try client ?? gym.connect()
    try client.send("io.strapd.Pair", ["interactive": .bool(true)], more: true)
    return client
  }

  /// What the client is told, up to this or to an error.
  @discardableResult
  private func told(_ client: ControlClient, until last: String) throws -> [String] {
    var words: [String] = []
    while words.last != last {
      guard let reply = try client.receive() else {
        throw TestSupportError("the daemon closed the connection: \(words)")
      }
      let parameters = reply["parameters"]
      guard reply["error"] == nil else {
        return words + [(reply["error"]?.asString ?? "?") + (parameters?["text"]?.asString.map { ": \($0)" } ?? "")]
      }
      words.append(parameters?["progress"]?.asString ?? "?")
    }
    return words
  }

  /// A pairing from the beginning to its good end.
  private func pairs(_ gym: Gym, _ client: ControlClient? = nil) throws {
    let client = try client ?? gym.connect()
    // Until the daemon has noticed that the one before is gone.
    var words = ["io.strapd.PairingBusy"]
    let deadline = Deadline()
    while words == ["io.strapd.PairingBusy"], !deadline.isOver {
      words = try told(try pair(gym, client), until: "enterPasskey")
    }
    #expect(words.last == "enterPasskey", "\(words)")
    try gym.connect().call("AnswerPairing", Self.answer)
    #expect(try told(client, until: "paired").last == "paired")
    try gym.straps.line("PAIRED A")
  }

  // MARK: Somebody goes

  @Test(arguments: moments)
  func theClientGoes(_ moment: String) throws {
    let gym = try gym(at: moment)
    var client: ControlClient? = try pair(gym)
    if let client { try told(client, until: moment) }
    client = nil
    if moment == "pairing" || moment == "enterPasskey" { try gym.straps.line("CALL A CancelPairing") }
    if let (_, off) = Self.obstacles[moment] { try gym.tell(off) }
    try pairs(gym)
  }

  @Test(arguments: moments)
  func theDaemonIsKilled(_ moment: String) throws {
    let gym = try gym(at: moment)
    let client = try pair(gym)
    try told(client, until: moment)
    try gym.killAndRestart()
    #expect(try client.receive() == nil)
    if let (_, off) = Self.obstacles[moment] { try gym.tell(off) }
    try pairs(gym)
  }

  @Test(arguments: moments)
  func theDaemonEnds(_ moment: String) throws {
    let gym = try gym(at: moment)
    let client = try pair(gym)
    try told(client, until: moment)
    gym.daemon.signal(SIGTERM)
    #expect(try told(client, until: "").last == "io.strapd.ShuttingDown")
    #expect(try client.receive() == nil)
    #expect(try gym.daemon.wait() == .exited(0))
    if moment == "pairing" || moment == "enterPasskey" { try gym.straps.line("DISCONNECTED A") }
  }

  @Test(arguments: moments)
  func bluetoothdIsRestarted(_ moment: String) throws {
    let gym = try gym(at: moment)
    let client = try pair(gym)
    try told(client, until: moment)
    try gym.tell("bluetoothd stop")
    try gym.say("bluetoothd start")
    try gym.straps.line("READY")
    if let (_, off) = Self.obstacles[moment] { try gym.tell(off) }
    if moment == "pairing" || moment == "enterPasskey" {
      #expect(try told(client, until: "").last == "io.strapd.PairingFailed: bluetoothd does not answer")
      try pairs(gym, client)
    } else {
      #expect(try told(client, until: "enterPasskey").last == "enterPasskey")
    }
  }

  @Test func theAdapterGoesOff() throws {
    let gym = try gym(at: "enterPasskey")
    let client = try pair(gym)
    try told(client, until: "enterPasskey")
    // The daemon switches it on again, and begins anew.
    try gym.say("adapter off")
    #expect(try told(client, until: "enterPasskey").last == "enterPasskey")
    try gym.connect().call("AnswerPairing", Self.answer)
    #expect(try told(client, until: "paired").last == "paired")
  }

  // MARK: Sessions

  @Test func aSessionIsPreparedMeanwhile() throws {
    let gym = try gym(at: "enterPasskey")
    try gym.tell("A bond-needed on")
    let client = try pair(gym)
    try told(client, until: "enterPasskey")
    let session = try gym.connect()
    let watcher = try gym.watch()
    #expect(try session.call("Prepare")["parameters"]?["state"]?.asString == "prepared")
    try gym.connect().call("AnswerPairing", Self.answer)
    #expect(try told(client, until: "paired").last == "paired")
    try gym.say("A beat 70 20")
    _ = try watcher.events { $0.isHeartRate }
  }

  @Test func aSessionEndsMeanwhile() throws {
    let gym = try gym(at: "enterPasskey")
    let session = try gym.connect()
    _ = try gym.prepare(session)
    let client = try pair(gym)
    #expect(try told(client, until: "enterPasskey") == ["pairing", "enterPasskey"], "it streams all the time")
    #expect(try session.call("End")["parameters"]?["state"]?.asString == "ended")
    try gym.connect().call("AnswerPairing", Self.answer)
    #expect(try told(client, until: "paired") == ["pairing", "paired"])
    try gym.straps.line("DISCONNECTED A")
  }

  /// A refused pairing costs a workout nothing.
  @Test func aSessionGoesOnWhenItIsRefused() throws {
    let gym = try gym(at: "enterPasskey")
    _ = try gym.prepare(try gym.connect())
    let client = try pair(gym)
    try told(client, until: "enterPasskey")
    try gym.connect().call("AnswerPairing", ["strap": .string(Self.strap), "accept": .bool(false)])
    #expect(try told(client, until: "").last?.contains("AuthenticationFailed") == true)
    let watcher = try gym.watch()
    let events = try watcher.events { $0.isHeartRate }
    #expect(events.allSatisfy { $0["kind"]?.asString != "link" })
    let status = try gym.connect().call("GetStatus")["parameters"]?["straps"]?.asArray?.first
    #expect(status?["link"]?.asString == "streaming")
    #expect(status?["reconnects"]?.asInteger == 0)
  }

  /// The session's StartNotify hangs, and so would Pair on its link.
  @Test func aSessionWaitsForTheBond() throws {
    let gym = try Gym()
    try gym.tell("A bond-needed on")
    let watcher = try gym.watch()
    try gym.connect().call("Prepare")
    try gym.straps.line("CALL A StartNotify 2a37")
    let client = try gym.connect()
    try client.send("io.strapd.Pair", more: true)
    #expect(try told(client, until: "paired") == ["connecting", "pairing", "paired"])
    try gym.say("A beat 70 20")
    _ = try watcher.events { $0.isHeartRate }
  }

  // MARK: Calls

  @Test func onePairingAtATime() throws {
    let gym = try gym(at: "enterPasskey")
    let client = try pair(gym)
    try told(client, until: "enterPasskey")
    let other = try gym.connect()
    for strap in [Self.strap, "F0:F1:F2:F3:F4:F6"] {
      let reply = try other.call("Pair", ["strap": .string(strap)])
      #expect(reply["error"]?.asString == "io.strapd.PairingBusy")
      #expect(reply["parameters"]?["strap"]?.asString == Self.strap)
    }
    // Behind one's own it waits its turn.
    try client.send("io.strapd.Pair")
    try other.call("AnswerPairing", Self.answer)
    #expect(try told(client, until: "paired") == ["pairing", "paired"])
    #expect(try told(client, until: "paired") == ["paired"])
  }

  @Test func answersThatRace() throws {
    let gym = try gym(at: "enterPasskey")
    let person = try gym.connect()
    #expect(try person.call("AnswerPairing", Self.answer)["error"]?.asString == "io.strapd.NothingAsked")
    let client = try pair(gym)
    try told(client, until: "enterPasskey")
    for wrong: KeyValuePairs<String, JSON?> in [
      ["strap": .string(Self.strap), "accept": .bool(true)],
      ["strap": .string(Self.strap), "accept": .bool(true), "pinCode": .string("4711")],
      ["strap": .string("F0:F1:F2:F3:F4:F6"), "accept": .bool(true), "passkey": .integer(4711)],
    ] {
      #expect(try person.call("AnswerPairing", wrong)["error"]?.asString == "io.strapd.NothingAsked")
    }
    // The first one counts, and is wrong.
    let first: KeyValuePairs<String, JSON?> = [
      "strap": .string(Self.strap), "accept": .bool(true), "passkey": .integer(1),
    ]
    try person.send("io.strapd.AnswerPairing", first)
    try person.send("io.strapd.AnswerPairing", Self.answer)
    #expect(try person.receive()?["error"] == nil)
    #expect(try person.receive()?["error"]?.asString == "io.strapd.NothingAsked")
    #expect(try told(client, until: "").last?.contains("AuthenticationFailed") == true)
    // At once again, while the link is being put down; answered by one who wants no reply.
    _ = try pair(gym, client)
    #expect(try told(client, until: "enterPasskey").last == "enterPasskey")
    try person.send(VarlinkCall("io.strapd.AnswerPairing", .object(Self.answer), oneway: true).message)
    #expect(try told(client, until: "paired") == ["pairing", "paired"])
    #expect(try person.call("GetStatus")["parameters"] != nil, "the first reply is this one's")
  }

  @Test func onewayAndWithoutMore() throws {
    let gym = try Gym()
    let client = try gym.connect()
    try client.send(VarlinkCall("io.strapd.Pair", oneway: true).message)
    // It is answered when the pairing has ended, which no reply told.
    #expect(try client.call("GetStatus")["parameters"] != nil)
    try gym.straps.line("PAIRED A")
    try client.send("io.strapd.Pair", ["again": .bool(true)])
    #expect(try told(client, until: "paired") == ["paired"])
    try gym.straps.line("PAIRED A")
    #expect(
      try client.call("Pair", ["interactive": .bool(true)])["error"]?.asString == "org.varlink.service.ExpectedMore")
    // Nobody is told of the question, and it can be answered all the same.
    try gym.tell("A asks passkey 4711")
    let parameters = JSON.object(["again": .bool(true), "interactive": .bool(true)])
    try client.send(VarlinkCall("io.strapd.Pair", parameters, more: true, oneway: true).message)
    try gym.straps.line("ASKS A RequestPasskey")
    let person = try gym.connect()
    var isAnswered = false
    for _ in 0..<200 where !isAnswered { isAnswered = try person.call("AnswerPairing", Self.answer)["error"] == nil }
    #expect(isAnswered)
    try gym.straps.line("PAIRED A")
    #expect(try client.call("GetStatus")["parameters"] != nil)
  }
}
