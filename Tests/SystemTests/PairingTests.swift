import Bus
import Control
import Glibc
import TestSupport
import Testing

/// Pairing through strapctl, the daemon, a bus and a simulated bluetoothd.
@Suite struct PairingTests {
  private static let strap = Gym.strap

  private func strapctl(_ gym: Gym, _ words: String..., terminal: Terminal? = nil) throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), ["--socket", gym.socket] + words, environment: ["LC_ALL": "C"],
      terminal: terminal)
  }

  /// A strap as a session sees it.
  private func link(_ client: ControlClient) throws -> (status: String, trouble: String?) {
    let strap = try client.call("GetStatus")["parameters"]?["straps"]?.asArray?.first
    return (strap?["link"]?.asString ?? "?", strap?["trouble"]?.asString)
  }

  @Test func byHandWithoutASession() throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A bond-needed on")
    let tool = try strapctl(gym, "pair")
    #expect(try tool.outputText().hasSuffix("pairing\nthe strap \(Self.strap) is paired\n"))
    #expect(try tool.errorText() == "")
    #expect(try tool.wait() == .exited(0))
    try gym.straps.line("PAIRED A")
    // Everything is put down again.
    try gym.straps.line("AGENT none")
    try gym.straps.line("DISCONNECTED A")
    let again = try strapctl(gym, "pair", Self.strap)
    #expect(try again.outputText().hasPrefix("the strap \(Self.strap) is paired already. "))
    #expect(try again.wait() == .exited(0))
    // And the strap serves.
    _ = try gym.prepare(try gym.connect())
  }

  @Test func duringPrepareWhereItIsAllowed() throws {
    let gym = try Gym(configuration: "strap = \(Self.strap)\npair_when_needed = yes\n")
    try gym.tell("A bond-needed on")
    let watcher = try gym.watch()
    try gym.connect().call("Prepare")
    try gym.say("A beat 70 20")
    let events = try watcher.events { $0.isHeartRate }
    let links = events.compactMap { $0["link"]?.asString }
    #expect(links.contains("pairing"), "\(links)")
    try gym.straps.line("PAIRED A")
    try gym.straps.line("AGENT none")
  }

  @Test func aBondThatTheStrapHasLost() throws {
    let gym = try Gym()
    try gym.tell("A bond lost")
    let client = try gym.connect()
    let watcher = try gym.watch()
    try client.call("Prepare")
    let events = try watcher.events { $0["trouble"]?.asString?.contains("lost its pairing") == true }
    #expect(events.last?["trouble"]?.asString?.hasSuffix("strapctl pair --again") == true)
    let tool = try strapctl(gym, "pair", "--again", "--json")
    let lines = try tool.outputText().split(separator: "\n").map(String.init)
    #expect(lines.last == #"{"strap":"\#(Self.strap)","progress":"paired"}"#, "\(lines)")
    #expect(try tool.wait() == .exited(0))
    try gym.straps.line("CALL hci0 RemoveDevice")
    try gym.straps.line("PAIRED A")
    try gym.say("A beat 70 20")
    _ = try watcher.events { $0.isHeartRate }
  }

  // What a strap asks, what the person sees, and what is typed.
  private static let questions: [(asks: String, prompt: String, typed: String)] = [
    ("passkey 4711", "number that the strap shows: ", "x\n00 4711\n"),
    ("pin 0000", "PIN of the strap: ", "0000\n"),
    ("confirm 42", "does the strap show 000042? [y/N] ", "y\n"),
  ]

  @Test(arguments: questions)
  func thePersonAnswers(_ asks: String, _ prompt: String, _ typed: String) throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks \(asks)")
    let terminal = try Terminal()
    let tool = try strapctl(gym, "pair", Self.strap, terminal: terminal)
    for line in typed.split(separator: "\n") {
      try terminal.read(until: prompt)
      try terminal.type("\(line)\n")
    }
    try terminal.read(until: "the strap \(Self.strap) is paired\n")
    #expect(try tool.wait() == .exited(0))
  }

  @Test func thePersonTypesOnTheStrap() throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks show 42")
    let terminal = try Terminal()
    let tool = try strapctl(gym, "pair", Self.strap, terminal: terminal)
    try terminal.read(until: "type 000042 on the strap\n")
    try terminal.read(until: "the strap \(Self.strap) is paired\n")
    #expect(try tool.wait() == .exited(0))
  }

  @Test(arguments: ["n\n", "\n", "\u{4}"])
  func thePersonRefuses(_ typed: String) throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks confirm 42")
    let terminal = try Terminal()
    let tool = try strapctl(gym, "pair", Self.strap, terminal: terminal)
    try terminal.read(until: "[y/N] ")
    try terminal.type(typed)
    try terminal.read(until: "could not be paired: ")
    #expect(try tool.wait() == .exited(1))
    let rest = terminal.rest()
    #expect(rest.contains("org.bluez.Error.AuthenticationFailed"))
    #expect(rest.contains("There was no answer, or a wrong one: 'strapctl pair \(Self.strap)' asks again"), "\(rest)")
  }

  @Test func thePersonGivesUp() throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks passkey 4711")
    let terminal = try Terminal()
    let tool = try strapctl(gym, "pair", Self.strap, terminal: terminal)
    try terminal.read(until: "number that the strap shows: ")
    try terminal.type("\u{3}")
    #expect(try tool.wait() == .exited(1))
    #expect(
      terminal.rest().hasSuffix("strapctl: cancelled: the pairing was given up. 'strapctl pair' begins it anew\n"))
    try gym.straps.line("CALL A CancelPairing")
    try gym.straps.line("DISCONNECTED A")
    try gym.straps.line("AGENT none")
  }

  /// Nobody is there to be asked: without a terminal, and where it is said so.
  @Test func nobodyIsAsked() throws {
    let gym = try Gym()
    _ = try gym.connect()
    try gym.tell("A asks passkey 4711")
    let piped = try strapctl(gym, "pair")
    #expect(
      try piped.errorText() == """
        strapctl: the strap \(Self.strap) could not be paired: pairing failed (org.bluez.Error.AuthenticationFailed: \
        Authentication Failed). If the strap wants a PIN or a number, pair it at a terminal, without --no-input; if it is \
        paired with another host, remove that pairing first

        """)
    #expect(try piped.wait() == .exited(1))
    let terminal = try Terminal()
    let tool = try strapctl(gym, "pair", "--no-input", terminal: terminal)
    #expect(try tool.wait() == .exited(1))
    #expect(!terminal.rest().contains("number that"))
  }

  /// Who is not bluetoothd gets nothing from the agent.
  @Test func aStrangerOnTheBus() throws {
    let gym = try Gym()
    let client = try gym.connect()
    try gym.tell("A asks passkey 4711")
    try client.send("io.strapd.Pair", ["interactive": .bool(true)], more: true)
    while try client.receive()?["parameters"]?["progress"]?.asString != "enterPasskey" {}
    let stranger = try BusClient(gym.bus.address)
    let daemon = try daemonsName(stranger)
    let device = BusValue.objectPath("/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5")
    let agent: ObjectPath = "/io/strapd/agent"
    func answer(_ interface: InterfaceName?, _ member: MemberName, _ body: [BusValue] = []) throws -> String {
      do {
        return "\(try stranger.call(daemon, agent, interface, member, body))"
      } catch let error as BusError {
        return error.description
      }
    }
    let denied = "org.freedesktop.DBus.Error.AccessDenied: this agent is bluetoothd's"
    #expect(try answer("org.bluez.Agent1", "RequestPasskey", [device]) == denied)
    #expect(try answer("org.bluez.Agent1", "Cancel") == denied)
    #expect(try answer(nil, "Release") == denied)
    #expect(
      try answer("org.freedesktop.DBus.Introspectable", "Introspect")
        == "org.freedesktop.DBus.Error.UnknownMethod: strapd has no Introspect at /io/strapd/agent")
    #expect(
      try answer("org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.Agent1")])
        .hasPrefix("org.freedesktop.DBus.Error.UnknownMethod"))
    #expect(try answer("org.freedesktop.DBus.Peer", "Ping") == "[]")
    // The question stands as it stood.
    let person = try gym.connect()
    let reply = try person.call(
      "AnswerPairing", ["strap": .string(Self.strap), "accept": .bool(true), "passkey": .integer(4711)])
    #expect(reply["error"] == nil)
    #expect(try client.receive()?["parameters"]?["progress"]?.asString == "pairing")
    #expect(try client.receive()?["parameters"]?["progress"]?.asString == "paired")
  }

  /// The unique name of the daemon's connection: whoever is on the bus beside bluetoothd and the one who asks.
  private func daemonsName(_ client: BusClient) throws -> ConnectionName {
    let bus = try client.call(BusDaemon.name, BusDaemon.path, BusDaemon.interface, "ListNames")
    let owner = try client.call(
      BusDaemon.name, BusDaemon.path, BusDaemon.interface, "GetNameOwner", [.string("org.bluez")])
    let names = bus.first?.asStrings?.filter {
      $0.hasPrefix(":") && $0 != client.name.description && $0 != owner.first?.asString
    }
    guard let name = names?.first.flatMap({ ConnectionName($0) }), names?.count == 1 else {
      throw TestSupportError("who is the daemon among \(String(describing: names))?")
    }
    return name
  }
}
