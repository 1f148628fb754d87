import Bus
import Measurements
import Testing

@testable import BlueZ

@Suite struct MirrorTests {
  // MARK: From the bus to the tree

  @Test func greeting() {
    let bluez = Bluetoothd()
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.sent.map(\.serial) == [1, 2, 3, 4, 5])
    #expect(bluez.sent.allSatisfy { $0.destination == "org.freedesktop.DBus" })
    #expect(
      bluez.sent.map(\.body) == [
        [],
        [
          .string(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
              + "member='NameOwnerChanged',arg0='org.bluez'")
        ],
        [.string("type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'")],
        [
          .string(
            "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'")
        ],
        [.string("org.bluez")],
      ])
    let members = bluez.sent.map { if case .call(let call) = $0.kind { call.member.description } else { "" } }
    #expect(members == ["Hello", "AddMatch", "AddMatch", "AddMatch", "GetNameOwner"])
  }

  @Test func ready() {
    var bluez = Bluetoothd()
    #expect(bluez.take(BusMessage(.reply(to: 1), sender: "org.freedesktop.DBus", body: [.string(":1.5")])) == [])
    for serial in 2...4 as ClosedRange<UInt32> {
      #expect(bluez.take(BusMessage(.reply(to: serial), sender: "org.freedesktop.DBus")) == [])
    }
    #expect(bluez.answerOwner(":1.1") == [.presence])
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.sent.last == BlueZCall.getManagedObjects(serial: 6))
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree.devices(Objects.strap) == [Objects.device])
    #expect(bluez.mirror.oddSignals == 0)
  }

  @Test func absentAtStart() {
    var bluez = Bluetoothd()
    let error = BusError(name: "org.freedesktop.DBus.Error.NameHasNoOwner", text: "no such name")
    #expect(bluez.take(BusMessage(.error(to: 5, error), sender: "org.freedesktop.DBus")) == [.presence])
    #expect(bluez.mirror.presence == .absent)
    #expect(bluez.sent.count == 5)
    #expect(bluez.ownerChanged(from: "", to: ":1.9") == [.presence])
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
  }

  /// Without its signals, what is learned of bluetoothd would be believed for ever.
  @Test func refusedMatchRule() {
    var bluez = Bluetoothd()
    let error = BusError(name: "org.freedesktop.DBus.Error.LimitsExceeded", text: "too many rules")
    let text =
      "the bus does not pass its signals on to strapd (org.freedesktop.DBus.Error.LimitsExceeded: too many rules)"
    #expect(bluez.take(BusMessage(.error(to: 3, error), sender: "org.freedesktop.DBus")) == [.presence])
    #expect(bluez.take(BusMessage(.error(to: 4, error), sender: "org.freedesktop.DBus")) == [])
    #expect(bluez.mirror.presence == .refused(.other(text)))
    // It is not taken for one that answers, whatever comes.
    #expect(bluez.answerOwner(":1.1") == [])
    #expect(bluez.ownerChanged(from: "", to: ":1.9") == [])
    #expect(bluez.mirror.presence == .refused(.other(text)))
    let sent = bluez.sent.count
    bluez.readAgain()
    let members = bluez.sent.dropFirst(sent).map {
      if case .call(let call) = $0.kind { call.member.description } else { "" }
    }
    #expect(members == ["AddMatch", "AddMatch", "AddMatch", "GetNameOwner"])
    #expect(bluez.answerOwner(":1.1") == [.presence])
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
  }

  @Test func ownerThatIsNone() {
    var bluez = Bluetoothd()
    #expect(bluez.take(BusMessage(.reply(to: 5), sender: "org.freedesktop.DBus", body: [])) == [.presence])
    #expect(bluez.mirror.presence == .absent)
  }

  @Test func comesWhileItsOwnerIsAskedFor() {
    var bluez = Bluetoothd()
    let asking = bluez.serial(of: "GetNameOwner") ?? 0
    #expect(bluez.ownerChanged(from: "", to: ":1.9") == [.presence])
    let reading = bluez.serial(of: "GetManagedObjects")
    // The answer that was under way says nothing new.
    let late = BusMessage(.reply(to: asking), sender: "org.freedesktop.DBus", body: [.string(":1.9")])
    #expect(bluez.take(late) == [])
    #expect(bluez.serial(of: "GetManagedObjects") == reading)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
  }

  @Test func refusedTree() {
    var bluez = Bluetoothd()
    bluez.answerOwner(":1.1")
    #expect(bluez.refuseTree("org.freedesktop.DBus.Error.AccessDenied") == [.presence])
    #expect(bluez.mirror.presence == .refused(.accessDenied))
    bluez.readAgain()
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
  }

  @Test func treeOfAnotherShape() {
    var bluez = Bluetoothd()
    bluez.answerOwner(":1.1")
    #expect(bluez.answerTree(.string("no tree")) == [.presence])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree == ObjectTree())
    #expect(bluez.mirror.oddSignals == 1)
  }

  @Test func oddObjectsOfATreeAreCounted() {
    var bluez = Bluetoothd()
    bluez.answerOwner(":1.1")
    bluez.answerTree(
      Objects.tree([
        Objects.adapter: Objects.adapter(), "/a": .string("?"),
        "/b": Objects.interfaces(["org.bluez.Device1": ["Name": .string("no address")]]),
        Objects.device: Objects.device(["Connected": .string("?")]),
      ]))
    #expect(bluez.mirror.oddSignals == 3)
    #expect(bluez.mirror.tree.devices(Objects.strap) == [Objects.device])
  }

  // MARK: Signals

  @Test func signals() {
    var bluez = Bluetoothd(Objects.tree([Objects.adapter: Objects.adapter()]))
    #expect(
      bluez.changed(Objects.adapter, "org.bluez.Adapter1", ["Discovering": .boolean(true)])
        == [.object(Objects.adapter)])
    #expect(bluez.added(Objects.device, Objects.device(["RSSI": .int16(-50)])) == [.object(Objects.device)])
    #expect(
      bluez.changed(Objects.device, "org.bluez.Device1", ["Connected": .boolean(true)]) == [.object(Objects.device)])
    #expect(bluez.added(Objects.service, Objects.service(0x180D)) == [.object(Objects.service)])
    #expect(bluez.added(Objects.measurement, Objects.characteristic(0x2A37)) == [.object(Objects.measurement)])
    // A measurement alone is no change of the tree.
    #expect(bluez.value([0x16, 0x48]) == [.value(Objects.measurement, [0x16, 0x48])])
    #expect(bluez.value([]) == [.value(Objects.measurement, [])])
    #expect(
      bluez.changed(
        Objects.measurement, "org.bluez.GattCharacteristic1", ["Value": .bytes([1]), "Notifying": .boolean(true)])
        == [.value(Objects.measurement, [1]), .object(Objects.measurement)])
    #expect(bluez.changed(Objects.device, "org.bluez.Device1", [:], ["RSSI"]) == [.object(Objects.device)])
    #expect(bluez.mirror.tree.devices[Objects.device]?.rssi == nil)
    #expect(bluez.removed(Objects.device, ["org.bluez.Device1"]) == [.object(Objects.device)])
    #expect(bluez.mirror.tree.devices(Objects.strap) == [])
    #expect(bluez.mirror.oddSignals == 0)
    #expect(bluez.sent.count == 6)
  }

  /// The same payload five times is five measurements.
  @Test func equalValues() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    for _ in 0..<5 { #expect(bluez.value([0x16, 0x48]) == [.value(Objects.measurement, [0x16, 0x48])]) }
  }

  static let odd: [(interface: InterfaceName, member: MemberName, body: [BusValue])] = [
    ("org.freedesktop.DBus.Properties", "PropertiesChanged", []),
    ("org.freedesktop.DBus.Properties", "PropertiesChanged", [.string("org.bluez.Device1"), Objects.properties([:])]),
    (
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.objectPath("/"), Objects.properties([:]), .strings([])]
    ),
    (
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string("org.bluez.Device1"), .strings([]), .strings([])]
    ),
    (
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string("org.bluez.Device1"), Objects.properties([:]), .string("RSSI")]
    ),
    (
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string("org.bluez.Device1"), Objects.properties([:]), .strings([]), .byte(0)]
    ),
    ("org.freedesktop.DBus.Properties", "PropertiesGone", []),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded", []),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.objectPath("/a")]),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.string("/a"), Objects.device()]),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", [.objectPath("/a")]),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", [.objectPath("/a"), .string("org.bluez.Device1")]),
    ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", [.string("/a"), .strings([])]),
    ("org.bluez.Device1", "Disconnected", [.byte(1), .string("")]),
    ("com.example.Thing", "InterfacesAdded", [.objectPath("/a"), Objects.device()]),
  ]

  @Test(arguments: odd.indices)
  func oddSignalsAreIgnoredAndCounted(_ index: Int) {
    var bluez = Bluetoothd(Objects.connectedStrap)
    let tree = bluez.mirror.tree
    let (interface, member, body) = Self.odd[index]
    let signal = BusMessage(
      .signal(path: Objects.device, interface: interface, member: member), sender: ":1.1", body: body)
    #expect(bluez.take(signal) == [])
    #expect(bluez.mirror.oddSignals == 1)
    #expect(bluez.mirror.tree == tree)
  }

  @Test func oddProperties() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    // A value of another type; beside it, what is right counts.
    #expect(
      bluez.changed(Objects.measurement, "org.bluez.GattCharacteristic1", ["Value": .string("72")]) == [])
    #expect(bluez.mirror.oddSignals == 1)
    #expect(
      bluez.changed(
        Objects.measurement, "org.bluez.GattCharacteristic1", ["Value": .uint16(72), "Notifying": .boolean(true)])
        == [.object(Objects.measurement)])
    #expect(bluez.mirror.oddSignals == 2)
    #expect(bluez.mirror.tree.characteristics[Objects.measurement]?.isNotifying == true)
    // A value of a characteristic that is not there.
    #expect(bluez.value([1, 2], of: "/org/bluez/hci0/dev_X/service0001/char0002") == [])
    #expect(bluez.mirror.oddSignals == 3)
    // An object that is not there, an interface that is not BlueZ's, a property of another type.
    bluez.changed("/org/bluez/hci0/dev_X", "org.bluez.Device1", ["Connected": .boolean(true)])
    bluez.changed(Objects.device, "com.example.Thing", ["Connected": .boolean(true)])
    bluez.changed(Objects.device, "org.bluez.Device1", ["Connected": .string("?")])
    bluez.added("/b", Objects.interfaces(["com.example.Thing": [:]]))
    #expect(bluez.mirror.oddSignals == 7)
    // What is BlueZ's and of no use here is not counted.
    bluez.changed(Objects.device, "org.bluez.MediaControl1", ["Connected": .boolean(true)])
    bluez.changed(
      "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f/desc0011", "org.bluez.GattDescriptor1", [:])
    #expect(bluez.mirror.oddSignals == 7)
  }

  // MARK: Who speaks

  @Test func otherSendersAreIgnoredAndCounted() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    let tree = bluez.mirror.tree
    for sender in [":1.2", ":1.11", "org.bluez"] as [ConnectionName] {
      #expect(
        bluez.take(
          Bluetoothd.changed(Objects.device, "org.bluez.Device1", ["Connected": .boolean(false)], from: sender)) == [])
    }
    #expect(bluez.mirror.oddSignals == 3)
    #expect(bluez.mirror.tree == tree)
  }

  /// Between the match rules and the owner's name there is nobody to compare with.
  @Test func signalsBeforeTheOwnerIsKnown() {
    var bluez = Bluetoothd()
    #expect(
      bluez.take(Bluetoothd.changed(Objects.device, "org.bluez.Device1", ["RSSI": .int16(-50)], from: ":1.1")) == [])
    #expect(bluez.mirror.oddSignals == 0)
  }

  @Test func theBusItself() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    for member in ["NameAcquired", "NameLost"] as [MemberName] {
      let signal = BusMessage(
        .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: member),
        sender: "org.freedesktop.DBus", body: [.string(":1.5")])
      #expect(bluez.take(signal) == [])
    }
    #expect(bluez.mirror.oddSignals == 0)
    let cut = BusMessage(
      .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"),
      sender: "org.freedesktop.DBus", body: [.string("org.bluez")])
    #expect(bluez.take(cut) == [])
    #expect(bluez.mirror.oddSignals == 1)
    #expect(bluez.mirror.presence == .ready)
    // Somebody else's name.
    let other = BusMessage(
      .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"),
      sender: "org.freedesktop.DBus", body: [.string("org.example"), .string(":1.1"), .string("")])
    #expect(bluez.take(other) == [])
    #expect(bluez.mirror.presence == .ready)
  }

  /// NameOwnerChanged counts only when the bus says it.
  @Test func falseNameOwnerChanged() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    let signal = BusMessage(
      .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"),
      sender: ":1.1", body: [.string("org.bluez"), .string(":1.1"), .string("")])
    #expect(bluez.take(signal) == [])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.oddSignals == 1)
  }

  @Test func callsAndForeignRepliesAreNothing() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    let before = bluez.mirror
    #expect(bluez.take(BusMessage(.call(BusCall("/", nil, "Ping")), sender: ":1.1")) == [])
    #expect(bluez.take(BusMessage(.reply(to: 99), sender: ":1.1", body: [Objects.tree([:])])) == [])
    let error = BusError(name: "org.bluez.Error.Failed", text: "")
    #expect(bluez.take(BusMessage(.error(to: 99, error), sender: ":1.1")) == [])
    #expect(bluez.mirror == before)
  }
}
