import BlueZ
import Bus

/// A mirror with a bus and a bluetoothd that say what a test lets them say.
struct Bluetoothd {
  var mirror = Mirror()
  var serials = Serials()
  /// Everything that the mirror has sent.
  private(set) var sent: [BusMessage] = []
  private(set) var owner: ConnectionName = ":1.1"

  /// Connected to the bus, nothing answered yet.
  init() {
    sent = mirror.busConnected(&serials)
  }

  /// Ready, with this tree.
  init(_ tree: BusValue) {
    self.init()
    answerOwner(":1.1")
    answerTree(tree)
  }

  /// The serial of the last call of a method.
  func serial(of member: MemberName) -> UInt32? {
    sent.last { if case .call(let call) = $0.kind { call.member == member } else { false } }?.serial
  }

  @discardableResult
  mutating func take(_ message: BusMessage) -> [Mirror.Change] {
    let (changes, messages) = mirror.take(message, &serials)
    sent += messages
    return changes
  }

  @discardableResult
  mutating func answerOwner(_ name: ConnectionName) -> [Mirror.Change] {
    owner = name
    return take(
      BusMessage(
        .reply(to: serial(of: "GetNameOwner") ?? 0), sender: "org.freedesktop.DBus", body: [.string(name.description)]))
  }

  @discardableResult
  mutating func answerTree(_ tree: BusValue...) -> [Mirror.Change] {
    take(BusMessage(.reply(to: serial(of: "GetManagedObjects") ?? 0), sender: owner, body: tree))
  }

  @discardableResult
  mutating func refuseTree(_ name: InterfaceName) -> [Mirror.Change] {
    let error = BusError(name: name, text: "no")
    return take(BusMessage(.error(to: serial(of: "GetManagedObjects") ?? 0, error), sender: owner))
  }

  @discardableResult
  mutating func ownerChanged(from old: String, to new: String) -> [Mirror.Change] {
    if let name = ConnectionName(new) { owner = name }
    return take(
      BusMessage(
        .signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged"),
        sender: "org.freedesktop.DBus", body: [.string("org.bluez"), .string(old), .string(new)]))
  }

  mutating func readAgain() {
    sent += mirror.readAgain(&serials)
  }

  // MARK: Signals

  @discardableResult
  mutating func changed(
    _ path: ObjectPath, _ interface: String, _ properties: [String: BusValue], _ invalidated: [String] = []
  ) -> [Mirror.Change] {
    take(Self.changed(path, interface, properties, invalidated, from: owner))
  }

  @discardableResult
  mutating func added(_ path: ObjectPath, _ interfaces: BusValue) -> [Mirror.Change] {
    take(
      BusMessage(
        .signal(path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"), sender: owner,
        body: [.objectPath(path), interfaces]))
  }

  @discardableResult
  mutating func removed(_ path: ObjectPath, _ interfaces: [String]) -> [Mirror.Change] {
    take(
      BusMessage(
        .signal(path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesRemoved"), sender: owner,
        body: [.objectPath(path), .strings(interfaces)]))
  }

  @discardableResult
  mutating func value(_ bytes: [UInt8], of path: ObjectPath = Objects.measurement) -> [Mirror.Change] {
    changed(path, "org.bluez.GattCharacteristic1", ["Value": .bytes(bytes)])
  }

  static func changed(
    _ path: ObjectPath, _ interface: String, _ properties: [String: BusValue], _ invalidated: [String] = [],
    from sender: ConnectionName
  ) -> BusMessage {
    BusMessage(
      .signal(path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"), sender: sender,
      body: [.string(interface), Objects.properties(properties), .strings(invalidated)])
  }
}
