import Bus
import Measurements

/// Follows bluetoothd on the bus: whether it is there, and its objects.
///
/// It adds its match rules first and reads the tree afterwards, so that nothing falls between. When bluetoothd leaves
/// or restarts (NameOwnerChanged), everything learned is void and the tree is read again.
public struct Mirror: Equatable, Sendable {
  public private(set) var tree = ObjectTree()
  /// Signals that had wrong types, lacked a value, spoke of unknown objects or interfaces, or came from somebody else.
  public private(set) var oddSignals = 0
  private var phase = Phase.offBus
  /// The match rules that are not answered yet.
  private var matches: Set<UInt32> = []

  private enum Phase: Equatable, Sendable {
    /// No bus. Leaves to: greeting.
    case offBus
    /// Hello and the match rules are sent, the owner is asked for. Leaves to: absent, reading, deaf, offBus.
    case greeting(asking: UInt32)
    /// bluetoothd is not there. Leaves to: reading, offBus.
    case absent
    /// The tree is asked for; `isAgain` while an older reading still serves. Leaves to: ready, refused, absent, offBus.
    case reading(owner: ConnectionName, serial: UInt32, isAgain: Bool)
    /// The tree is known. Leaves to: reading, absent, offBus.
    case ready(owner: ConnectionName)
    /// The bus refused a match rule: without its signals, nothing that the tree shows could be trusted.
    /// Leaves to: greeting, offBus.
    case deaf(BusError)
    /// bluetoothd refused to show its tree; its owner is known. Leaves to: reading, absent, offBus.
    case refused(owner: ConnectionName, BlueZError)
  }

  public enum Presence: Hashable, Sendable {
    case noBus, starting, absent, ready
    case refused(BlueZError)
  }

  /// What a message meant.
  public enum Change: Hashable, Sendable {
    /// bluetoothd came, went, or showed its tree: look at everything again.
    case presence
    /// Adapters, devices or characteristics changed below or at this path.
    case object(ObjectPath)
    /// A characteristic's value was signalled.
    case value(ObjectPath, [UInt8])
  }

  public init() {}

  public var presence: Presence {
    switch phase {
    case .offBus: .noBus
    case .greeting, .reading(_, _, isAgain: false): .starting
    case .absent: .absent
    case .ready, .reading(_, _, isAgain: true): .ready
    case .refused(_, let error): .refused(error)
    case .deaf(let error): .refused(.other("the bus does not pass its signals on to strapd (\(error))"))
    }
  }

  /// The bus is connected: greets it and asks for what is needed.
  public mutating func busConnected(_ serials: inout Serials) -> [BusMessage] {
    matches.removeAll()
    let hello = BusDaemon.hello(serial: serials.next())
    return [hello] + greet(&serials)
  }

  private mutating func greet(_ serials: inout Serials) -> [BusMessage] {
    tree = ObjectTree()
    let sender = "type='signal',sender='org.bluez'"
    let rules = [
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='org.bluez'",
      "\(sender),interface='org.freedesktop.DBus.ObjectManager'",
      "\(sender),interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
    ]
    var messages = rules.map { BusDaemon.addMatch($0, serial: serials.next()) }
    matches.formUnion(messages.map(\.serial))
    let asking = serials.next()
    messages.append(BusDaemon.getNameOwner(BlueZNames.service, serial: asking))
    phase = .greeting(asking: asking)
    return messages
  }

  /// The bus is gone, and with it everything learned.
  public mutating func busLost() {
    tree = ObjectTree()
    phase = .offBus
  }

  /// Reads the whole tree again: after a call was told that its object does not exist, or when bluetoothd has not
  /// answered the last reading in time.
  public mutating func readAgain(_ serials: inout Serials) -> [BusMessage] {
    switch phase {
    case .ready(let owner): return [read(from: owner, isAgain: true, &serials)]
    case .refused(let owner, _): return [read(from: owner, isAgain: false, &serials)]
    case .reading(let owner, _, let isAgain): return [read(from: owner, isAgain: isAgain, &serials)]
    case .deaf: return greet(&serials)
    case .offBus, .greeting, .absent: return []
    }
  }

  /// Takes a signal or a reply, and says what changed and what is to be sent.
  public mutating func take(_ message: BusMessage, _ serials: inout Serials) -> (changes: [Change], send: [BusMessage])
  {
    switch message.kind {
    case .signal(let path, let interface, let member):
      if message.sender == BusDaemon.name {
        guard member == "NameOwnerChanged", interface == BusDaemon.interface else { return ([], []) }
        return nameOwnerChanged(message.body, &serials)
      }
      // Before the owner is known, signals of his are on their way already, and nothing can be said of them.
      guard let owner else { return ([], []) }
      guard message.sender == owner else { return (odd(), []) }
      return (signal(path, interface, member, message.body), [])
    case .reply(let serial): return replied(serial, message.body, &serials)
    case .error(let serial, let error): return (failed(serial, error), [])
    case .call: return ([], [])
    }
  }

  /// bluetoothd's own name on the bus, while it is there.
  public var owner: ConnectionName? {
    switch phase {
    case .ready(let owner), .reading(let owner, _, _), .refused(let owner, _): owner
    case .offBus, .greeting, .absent, .deaf: nil
    }
  }

  private mutating func read(from owner: ConnectionName, isAgain: Bool, _ serials: inout Serials) -> BusMessage {
    let serial = serials.next()
    phase = .reading(owner: owner, serial: serial, isAgain: isAgain)
    return BlueZCall.getManagedObjects(serial: serial)
  }

  private mutating func nameOwnerChanged(_ body: [BusValue], _ serials: inout Serials) -> ([Change], [BusMessage]) {
    if case .deaf = phase { return ([], []) }
    guard body.count == 3, let name = body[0].asString, let owner = body[2].asString else {
      oddSignals += 1
      return ([], [])
    }
    guard name == BlueZNames.service.description, phase != .offBus else { return ([], []) }
    tree = ObjectTree()
    guard let unique = ConnectionName(owner) else {
      phase = .absent
      return ([.presence], [])
    }
    return ([.presence], [read(from: unique, isAgain: false, &serials)])
  }

  private mutating func replied(_ serial: UInt32, _ body: [BusValue], _ serials: inout Serials)
    -> ([Change], [BusMessage])
  {
    matches.remove(serial)
    switch phase {
    case .greeting(let asking) where asking == serial:
      guard let owner = body.first?.asString.flatMap({ ConnectionName($0) }) else {
        phase = .absent
        return ([.presence], [])
      }
      return ([.presence], [read(from: owner, isAgain: false, &serials)])
    case .reading(let owner, let reading, let isAgain) where reading == serial:
      phase = .ready(owner: owner)
      takeTree(body, isAgain: isAgain)
      return ([isAgain ? .object(BlueZNames.root) : .presence], [])
    case .offBus, .greeting, .absent, .reading, .ready, .refused, .deaf: return ([], [])
    }
  }

  private mutating func takeTree(_ body: [BusValue], isAgain: Bool) {
    guard case .dictionary(.objectPath, _, let entries)? = body.first else {
      oddSignals += 1
      // The tree that is there has followed the signals, and is worth more than none.
      if !isAgain { tree = ObjectTree() }
      return
    }
    tree = ObjectTree()
    for entry in entries {
      guard let path = entry.key.asObjectPath else { continue }
      if !tree.add(path, entry.value) { oddSignals += 1 }
    }
  }

  private mutating func failed(_ serial: UInt32, _ error: BusError) -> [Change] {
    if matches.remove(serial) != nil {
      if case .deaf = phase { return [] }
      tree = ObjectTree()
      phase = .deaf(error)
      return [.presence]
    }
    switch phase {
    case .greeting(let asking) where asking == serial:
      phase = .absent
      return [.presence]
    case .reading(let owner, let reading, isAgain: true) where reading == serial:
      // The tree that is there has followed the signals, and serves on.
      phase = .ready(owner: owner)
      return []
    case .reading(let owner, let reading, isAgain: false) where reading == serial:
      phase = .refused(owner: owner, BlueZError(error))
      return [.presence]
    case .offBus, .greeting, .absent, .reading, .ready, .refused, .deaf: return []
    }
  }

  private mutating func signal(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ body: [BusValue]
  ) -> [Change] {
    switch (interface, member) {
    case (BlueZNames.properties, "PropertiesChanged"):
      guard body.count == 3, let of = body[0].asString, let changed = body[1].asProperties,
        let invalidated = body[2].asStrings
      else { return odd() }
      return propertiesChanged(path, of, changed, invalidated)
    case (BlueZNames.objectManager, "InterfacesAdded"):
      guard body.count == 2, let object = body[0].asObjectPath else { return odd() }
      if !tree.add(object, body[1]) { oddSignals += 1 }
      return [.object(object)]
    case (BlueZNames.objectManager, "InterfacesRemoved"):
      guard body.count == 2, let object = body[0].asObjectPath, let names = body[1].asStrings else { return odd() }
      tree.remove(object, names)
      return [.object(object)]
    default: return odd()
    }
  }

  private mutating func propertiesChanged(
    _ path: ObjectPath, _ interface: String, _ changed: [String: BusValue], _ invalidated: [String]
  ) -> [Change] {
    // While the tree is being read, signals may speak of what is in it.
    let isComplete = presence == .ready
    var changes: [Change] = []
    var isOdd = false
    if interface == BlueZNames.gattCharacteristic.description, let value = changed["Value"] {
      if let bytes = value.asBytes, tree.characteristics[path] != nil {
        changes.append(.value(path, bytes))
      } else {
        isOdd = isComplete
      }
      // A measurement changes nothing else, and comes with each heart beat.
      if changed.count == 1 { return isOdd ? odd() : changes }
    }
    if !tree.change(path, interface, changed, invalidated) { isOdd = isComplete }
    if isOdd { oddSignals += 1 }
    return changes + [.object(path)]
  }

  private mutating func odd() -> [Change] {
    oddSignals += 1
    return []
  }
}
