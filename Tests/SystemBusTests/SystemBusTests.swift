import Bus
import Glibc
import SystemBus
import TestSupport
import Testing

/// Two connections on a real dbus-daemon of this test's own.
@Suite struct SystemBusTests {
  private let daemon: PrivateBus
  private let service: BusClient
  private let client: BusClient

  init() throws {
    daemon = try PrivateBus()
    service = try BusClient(daemon.address)
    client = try BusClient(daemon.address)
  }

  @Test func theBusGivesUniqueNames() {
    #expect(service.name.isUnique)
    #expect(client.name.isUnique)
    #expect(service.name != client.name)
  }

  @Test func aCallAndItsReply() throws {
    let values: [BusValue] = [.string("hé"), .bytes([0, 255]), .properties(["A": .int16(-1)])]
    let serial = try client.start(service.name, "/a", "a.b", "Echo", values)
    let call = try nextCall()
    #expect(call.kind == .call(BusCall("/a", "a.b", "Echo")))
    #expect(call.serial == serial)
    #expect(call.sender == client.name)
    #expect(call.destination == service.name)
    #expect(call.body == values)
    try service.bus.send(BusMessage(.reply(to: call.serial), destination: call.sender, body: call.body))
    let reply = try client.reply(to: serial)
    #expect(reply.sender == service.name)
    #expect(reply.body == values)
  }

  @Test func errorReplies() throws {
    let errors: [(BusError, [BusValue])] = [
      (BusError(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local"), []),
      (BusError(name: "org.bluez.Error.Failed", text: ""), []), (BusError(name: "a.b", text: "x"), [.uint32(1)]),
    ]
    for (error, body) in errors {
      let serial = try client.start(service.name, "/", nil, "Fail")
      let call = try nextCall()
      try service.bus.send(BusMessage(.error(to: call.serial, error), destination: call.sender, body: body))
      let reply = try client.reply(to: serial)
      #expect(reply.kind == .error(to: serial, error))
      #expect(reply.body == body)
    }
    let ofTheBus = BusError(
      name: "org.freedesktop.DBus.Error.NameHasNoOwner", text: "Could not get owner of name 'a.b': no such name")
    #expect(throws: ofTheBus) {
      try client.call(BusDaemon.name, BusDaemon.path, BusDaemon.interface, "GetNameOwner", [.string("a.b")])
    }
  }

  @Test func signals() throws {
    try client.addMatch("type='signal',interface='a.b',path='/yes'")
    for path: ObjectPath in ["/no", "/yes"] {
      try service.bus.send(BusMessage(.signal(path: path, interface: "a.b", member: "C"), body: [.byte(1)]))
    }
    let unicast = BusMessage(.signal(path: "/to", interface: "d.e", member: "F"), destination: client.name)
    try service.bus.send(unicast)
    let last = try client.wait(for: "the unicast signal") {
      $0.kind == .signal(path: "/to", interface: "d.e", member: "F")
    }
    #expect(last.sender == service.name)
    let broadcast = client.inbox.filter { $0.sender == service.name }
    #expect(broadcast.map(\.kind) == [.signal(path: "/yes", interface: "a.b", member: "C")])
    #expect(broadcast.first?.body == [.byte(1)])
  }

  /// What dbus-send makes of its arguments, and what it prints of ours: neither is our code.
  @Test func againstDBusSend() throws {
    try service.requestName("org.example.Values")
    let tool = try ChildProcess(
      "dbus-send",
      [
        "--bus=\(daemon.address)", "--print-reply", "--dest=org.example.Values", "/a/b", "org.example.Values.Take",
        "byte:42", "boolean:true", "int16:-2", "uint16:65535", "int32:-3", "uint32:4294967295",
        "int64:-9223372036854775808", "uint64:18446744073709551615", "double:1.5", "string:hé", "objpath:/x",
        "array:byte:1,255", "array:string:a,b", "dict:string:uint32:k,1,l,2", "variant:int16:-7",
      ])
    let call = try nextCall()
    #expect(call.kind == .call(BusCall("/a/b", "org.example.Values", "Take")))
    #expect(
      call.body == [
        .byte(42), .boolean(true), .int16(-2), .uint16(65535), .int32(-3), .uint32(.max), .int64(.min), .uint64(.max),
        .double(1.5), .string("hé"), .objectPath("/x"), .bytes([1, 255]), .strings(["a", "b"]),
        .dictionary(
          key: .string, value: .uint32, [.init(.string("k"), .uint32(1)), .init(.string("l"), .uint32(2))]),
        .variant(.int16(-7)),
      ])
    try service.bus.send(
      BusMessage(
        .reply(to: call.serial), destination: call.sender,
        body: [
          .byte(42), .boolean(false), .int16(-2), .uint16(1), .int32(-3), .uint32(2), .int64(-4), .uint64(3),
          .double(0.25), .string("hé"), .objectPath("/x"), .signature(BusSignature([.array(.byte)])),
          .bytes([1, 255]), .array(of: .structure([.byte, .string]), [.structure([.byte(1), .string("a")])]),
          .properties(["Value": .bytes([30, 65]), "On": .boolean(true)]), .array(of: .int64, []),
        ]))
    let printed = try tool.outputText().split(separator: "\n").dropFirst().map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(
      printed == [
        "byte 42", "boolean false", "int16 -2", "uint16 1", "int32 -3", "uint32 2", "int64 -4", "uint64 3",
        "double 0.25", "string \"hé\"", "object path \"/x\"", "signature \"ay\"", "array of bytes [", "01 ff", "]",
        "array [", "struct {", "byte 1", "string \"a\"", "}", "]", "array [", "dict entry(", "string \"Value\"",
        "variant array of bytes [", "1e 41", "]", ")", "dict entry(", "string \"On\"", "variant boolean true", ")", "]",
        "array [", "]",
      ])
    #expect(try tool.wait() == .exited(0))
  }

  @Test func randomTreesComeBack() throws {
    var random = SplitMix64(state: 20_260_214)
    for _ in 0..<400 {
      let body = (0..<Int(random.next(below: 4))).map { _ in RandomValue.any(depth: 0, from: &random) }
      guard body.map(\.type.code).joined().utf8.count <= 255 else { continue }
      try service.bus.send(
        BusMessage(.signal(path: "/r", interface: "a.b", member: "C"), destination: client.name, body: body))
      let arrived = try client.wait(for: "a tree", pumping: [service]) { $0.sender == service.name }
      #expect(arrived.body == body)
    }
  }

  @Test func theNestingThatIsAllowedArrives() throws {
    let body = [nested(BusValue.byte(1), 64) { .variant($0) }, nested(BusValue.byte(2), 32) { .structure([$0]) }]
    try service.bus.send(
      BusMessage(.signal(path: "/", interface: "a.b", member: "C"), destination: client.name, body: body))
    #expect(try client.wait(for: "the nest") { $0.sender == service.name }.body == body)
  }

  @Test func nothingOfARefusedMessageIsSent() throws {
    for value: BusValue in [.string("a\0b"), .array(of: .string, [.byte(1)]), .structure([])] {
      let bad = BusMessage(
        .signal(path: "/", interface: "a.b", member: "C"), serial: 77, destination: client.name,
        body: [.string("fine"), value])
      #expect(throws: SystemBusError.self) { try service.bus.send(bad) }
    }
    try service.bus.send(BusMessage(.signal(path: "/", interface: "a.b", member: "D"), destination: client.name))
    let arrived = try client.wait(for: "the good one") { $0.sender == service.name }
    #expect(arrived.kind == .signal(path: "/", interface: "a.b", member: "D"))
  }

  @Test func aRefusalSaysWhatAndWhy() {
    let bad = BusMessage(
      .call(BusCall("/org/bluez/hci0", "org.bluez.Adapter1", "SetAlias")), serial: 7, destination: "org.bluez",
      body: [.string("a\0")])
    var text = "nothing was thrown"
    do throws(SystemBusError) {
      try service.bus.send(bad)
    } catch {
      text = error.description
    }
    #expect(
      text == """
        cannot send call org.bluez.Adapter1.SetAlias of /org/bluez/hci0 to org.bluez: \
        a text with a NUL, which would cut it short (org.freedesktop.DBus.Error.InvalidArgs)
        """)
  }

  @Test func aHugeMessageGoesInPieces() throws {
    let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try service.bus.send(
      BusMessage(
        .signal(path: "/", interface: "a.b", member: "C"), destination: client.name, body: [.bytes(bytes)]))
    #expect(service.bus.wantsToWrite)
    let arrived = try client.wait(for: "8 MB", pumping: [service]) { $0.sender == service.name }
    #expect(arrived.body == [.bytes(bytes)])
    service.pump()
    #expect(!service.bus.wantsToWrite)
  }

  /// 32 MiB is what the bus takes: with more, dbus-daemon would hang up on the sender.
  @Test func theLargestMessageArrives() throws {
    let most = (32 << 20) - 2048
    try service.bus.send(
      BusMessage(
        .signal(path: "/", interface: "a.b", member: "C"), destination: client.name,
        body: [.bytes([UInt8](repeating: 7, count: most))]))
    let arrived = try client.wait(for: "32 MB", within: 120, pumping: [service]) { $0.sender == service.name }
    #expect(arrived.body.first?.asBytes?.count == most)
  }

  @Test func aFloodArrivesInOrderAndInTurns() throws {
    for number in 0..<10_000 as Range<UInt32> {
      try service.bus.send(
        BusMessage(
          .signal(path: "/", interface: "a.b", member: "C"), destination: client.name, body: [.uint32(number)]))
    }
    _ = try client.wait(for: "the last", within: 120, pumping: [service]) { $0.body == [.uint32(9_999)] }
    #expect(client.inbox.filter { $0.sender == service.name }.map(\.body) == (0..<9_999).map { [.uint32($0)] })
  }

  @Test func peerCallsAreAnsweredBelowTheCore() throws {
    let peer: InterfaceName = "org.freedesktop.DBus.Peer"
    let ping = try client.start(service.name, "/any", peer, "Ping")
    let machine = try client.start(service.name, "/any", peer, "GetMachineId")
    let unknown = try client.start(service.name, "/any", peer, "Sing")
    let unasked = client.nextSerial()
    try client.bus.send(
      BusMessage(.call(BusCall("/", peer, "Ping", withoutReply: true)), serial: unasked, destination: service.name))
    let ours = try client.start(service.name, "/", nil, "Ping")
    #expect(try nextCall().serial == ours)
    #expect(service.inbox.allSatisfy { if case .call = $0.kind { false } else { true } })
    #expect(try client.reply(to: ping).body == [])
    let answer = try client.reply(to: machine)
    if case .reply = answer.kind {
      #expect(answer.body.first?.asString?.utf8.count == 32)
    } else {
      #expect(access("/etc/machine-id", R_OK) != 0 && access("/var/lib/dbus/machine-id", R_OK) != 0)
    }
    let error = BusError(
      name: "org.freedesktop.DBus.Error.UnknownMethod", text: "org.freedesktop.DBus.Peer has no Sing")
    #expect(try client.reply(to: unknown).kind == .error(to: unknown, error))
    client.pump()
    #expect(!client.inbox.contains { $0.kind == .reply(to: unasked) })
  }

  /// A caller who has left makes the bus complain, which must not look like the answer to a call of the core's.
  @Test func aCallerWhoLeavesIsNoAnswer() throws {
    let hasty = try BusClient(daemon.address)
    for _ in 0..<5 { _ = try hasty.start(service.name, "/", "org.freedesktop.DBus.Peer", "Ping") }
    hasty.bus.close()
    // The bus knows of it before the service has read the calls.
    _ = try BusClient(daemon.address)
    for _ in 0..<5 {
      let complaint = try service.wait(for: "the bus's complaint") { if case .error = $0.kind { true } else { false } }
      if case .error(let serial, _) = complaint.kind { #expect(serial > 1 << 31, "\(serial)") }
    }
  }

  // MARK: - The end

  @Test func theDaemonDies() throws {
    try client.bus.send(BusMessage(.signal(path: "/", interface: "a.b", member: "C"), destination: service.name))
    _ = try service.wait(for: "the signal") { $0.sender == client.name }
    daemon.daemon.signal(SIGKILL)
    #expect(try daemon.daemon.wait() == .killed(signal: SIGKILL))
    let deadline = Deadline()
    while service.isConnected, !deadline.isOver {
      deadline.wait(for: [(service.bus.fileDescriptor, POLLIN)])
      service.pump()
    }
    #expect(!service.isConnected)
    #expect(service.inbox.allSatisfy { $0.sender == BusDaemon.name }, "nothing of libdbus's own reaches the core")
    service.pump()
    #expect(!service.isConnected)
    #expect(!service.bus.wantsToWrite)
    // Still ours: nobody else can get its number before close().
    #expect(fcntl(service.bus.fileDescriptor, F_GETFD) >= 0)
    #expect(throws: SystemBusError.self) {
      try service.bus.send(BusMessage(.signal(path: "/", interface: "a.b", member: "C")))
    }
  }

  /// The link breaks while sending, not while reading: no signal kills the process, the next drain says it.
  @Test func sendingIntoABrokenLink() throws {
    daemon.daemon.signal(SIGKILL)
    _ = try daemon.daemon.wait()
    let signal = BusMessage(.signal(path: "/", interface: "a.b", member: "C"))
    for _ in 0..<3 {
      do throws(SystemBusError) {
        try client.bus.send(signal)
      } catch {
        #expect(error.code == "org.freedesktop.DBus.Error.Disconnected")
      }
    }
    client.pump()
    #expect(!client.isConnected)
  }

  @Test func closing() throws {
    service.bus.close()
    service.pump()
    #expect(!service.isConnected)
    #expect(throws: SystemBusError.self) {
      try service.bus.send(BusMessage(.signal(path: "/", interface: "a.b", member: "C")))
    }
    service.bus.close()
    #expect(throws: BusError.self) { try client.call(service.name, "/", "a.b", "Anything") }
  }

  private func nextCall() throws -> BusMessage {
    try service.wait(for: "a call", pumping: [client]) { if case .call = $0.kind { true } else { false } }
  }
}
