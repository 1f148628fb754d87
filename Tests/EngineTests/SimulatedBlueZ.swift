import Bus
import Measurements

/// A bluetoothd with straps as a value in virtual time: it answers the engine's messages and says what follows when.
struct SimulatedBlueZ {
  struct Strap {
    var name: String
    var rssi: Int16 = -50
    var isPresent = true
    var isConnected = false
    var isResolved = false
    var isNotifying = false
    /// It has an object in the tree.
    var isKnown = false
    var hasHeartRate = true
    var advertisesHeartRate = true
    /// What it advertises instead, where it does not.
    var otherServices: [BluetoothUUID] = []
    var battery: UInt8? = 87
    var information = DeviceInformation.simulated
    var location: UInt8? = 1
    /// The serial of a Connect that waits for the strap.
    var pendingConnect: UInt32?
    var connectError: BusError?
    var notifyError: BusError?
    var connectDelay = Duration.milliseconds(300)
    var resolveDelay = Duration.milliseconds(300)
    var isSilent = false
    /// It hangs up when notifications are switched on before a descriptor was read on this connection.
    var wantsDescriptorRead = false
    var hasReadDescriptor = false
    /// What bluetoothd answers StartNotify when it hangs up so; nil for no answer.
    var hangUpError: InterfaceName?
    var isBonded = false
    /// Its notifications are for bonded clients: StartNotify is not answered, as bluetoothd does it.
    var needsBond = false
    /// Such a StartNotify is pending on this link, which is not paired meanwhile.
    var isWaitingForBond = false
    /// It has lost the bond, and hangs up on being asked to encrypt the link.
    var hasLostBond = false
    var pairError: BusError?
    /// What it wants of a person, which takes an agent that has one.
    var asks: Question?
    /// The agent's capability when the link was made, which is what the kernel pairs with.
    var agentOfItsLink: String?
    /// The serial of a Pair that waits.
    var pendingPair: UInt32?
    /// The next Pair is answered with success before anything was done, as Linux does on a link that has just been made.
    var answersPairEarly = false

    enum Question {
      case passkey(UInt32)
      case confirmation(UInt32)
      case pinCode(String)
      case shownPasskey(UInt32)
    }
  }

  /// What is to happen by itself after a while.
  enum Later {
    case connected(StrapAddress)
    case resolved(StrapAddress)
    case paired(StrapAddress)
    case hungUp(StrapAddress)
    case seen(StrapAddress)
    indirect case bySecond(Later)
  }

  var straps: [StrapAddress: Strap] = [:]
  var isRunning = true
  var isPowered = true
  /// The kernel ends the next scan just before StopDiscovery, which bluetoothd 5.66 does not get over by itself.
  var endsScanByItself = false
  var hasDeadScan = false
  /// It says that it scans and hears nothing, until the scan is stopped.
  var isScanInterrupted = false
  var isDiscovering = false
  var isBlocked = false
  /// The error that setting Powered gives. BlueZ 5.66 behaves so under rfkill, and shows no PowerState.
  var powerError: InterfaceName?
  var hasAdapter = true
  /// The services that a scan asks for, nil where it asks for everything; and all that were ever asked for.
  var filter: [String]?
  var filters: [String] = []
  var discoveryError: BusError?
  /// How RemoveDevice fails, and whether it is not answered at all.
  var removeError: BusError?
  var isRemovalSlow = false
  /// As a BlueZ that leaves the Battery Service to its clients: it shows the characteristic, and no Battery1.
  var showsBatteryService = false
  /// What was written to control points.
  var written: [[UInt8]] = []
  /// Every call by member name, in order.
  var calls: [String] = []
  var later: [(after: Duration, what: Later)] = []
  var owner: ConnectionName = ":1.5"
  private var generation = 5
  var serial: UInt32 = 0
  /// The capability of the agent that is registered.
  var agent: String?
  /// What was asked of the agent, by serial.
  var asked: [UInt32: StrapAddress] = [:]
  /// What the agent has answered, errors by their names.
  var answers: [BusValue] = []

  var adapter: ObjectPath = "/org/bluez/hci0"
  var adapterAddress = "00:AA:01:00:00:42"
  /// The part of the straps' paths that is the adapter's.
  var folder = "hci0"
  /// Another adapter, and what it knows of the straps.
  var second: Side?

  /// Straps keep their paths whatever the adapter is called: paths say nothing.
  static func path(_ strap: StrapAddress) -> ObjectPath {
    ObjectPath("/org/bluez/hci0/dev_" + strap.description.map { $0 == ":" ? "_" : String($0) }.joined())!
  }

  /// The same of the adapter that is looked at.
  func path(_ strap: StrapAddress) -> ObjectPath {
    ObjectPath(Self.path(strap).description.replacing("/hci0/", with: "/\(folder)/"))!
  }

  func measurement(_ strap: StrapAddress) -> ObjectPath {
    ObjectPath("\(path(strap))/service000e/char000f")!
  }

  static func measurement(_ strap: StrapAddress) -> ObjectPath {
    ObjectPath("\(path(strap))/service000e/char000f")!
  }

  // MARK: Calls

  mutating func take(_ message: BusMessage) -> [BusMessage] {
    guard case .call(let call) = message.kind else { return takeAnswer(message) }
    let member = call.member.description
    if message.destination == BusDaemon.name {
      switch member {
      case "GetNameOwner":
        guard isRunning else { return [error(message, "org.freedesktop.DBus.Error.NameHasNoOwner")] }
        return [reply(message, [.string(owner.description)], from: BusDaemon.name)]
      default: return [reply(message, [], from: BusDaemon.name)]
      }
    }
    if let second, call.path == second.adapter || call.path.isBelow(second.adapter) {
      return bySecond { $0.take(message) }
    }
    calls.append(folder == "hci0" ? member : "\(folder).\(member)")
    guard isRunning else { return [error(message, "org.freedesktop.DBus.Error.ServiceUnknown")] }
    switch member {
    case "GetManagedObjects": return [reply(message, [wholeTree])]
    case "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery": return discover(member, message)
    case "RegisterAgent":
      guard agent == nil else { return [error(message, "org.bluez.Error.AlreadyExists")] }
      agent = message.body[1].asString
      return [reply(message, [])]
    case "UnregisterAgent":
      agent = nil
      return [reply(message, [])]
    case "RemoveDevice":
      guard let address = straps.keys.first(where: { message.body.first?.asObjectPath == path($0) }),
        straps[address]?.isKnown == true
      else { return [error(message, "org.bluez.Error.DoesNotExist")] }
      if isRemovalSlow { return [] }
      if let removeError { return [BusMessage(.error(to: message.serial, removeError), sender: owner)] }
      let messages = lose(address) + forget(address)
      straps[address]?.isBonded = false
      straps[address]?.hasLostBond = false
      if isDiscovering { later.append((.milliseconds(150), .seen(address))) }
      return messages + [reply(message, [])]
    case "Set":
      if let powerError { return [error(message, powerError)] }
      isPowered = true
      return [reply(message, []), changed(adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)])]
    default:
      guard let strap = straps.keys.first(where: { call.path == path($0) || call.path.isBelow(path($0)) }),
        straps[strap]?.isKnown == true
      else { return [error(message, "org.freedesktop.DBus.Error.UnknownObject")] }
      return take(member, call, message, strap)
    }
  }

  private mutating func take(_ member: String, _ call: BusCall, _ message: BusMessage, _ strap: StrapAddress)
    -> [BusMessage]
  {
    switch member {
    case "Connect":
      if let failure = straps[strap]?.connectError {
        return [BusMessage(.error(to: message.serial, failure), sender: owner)]
      }
      if straps[strap]?.pendingConnect != nil { return [error(message, "org.bluez.Error.InProgress")] }
      straps[strap]?.pendingConnect = message.serial
      if let waiting = straps[strap], waiting.isPresent {
        later.append((waiting.connectDelay, .connected(strap)))
      }
      return []
    case "Disconnect":
      var messages: [BusMessage] = []
      if let pending = straps[strap]?.pendingConnect {
        straps[strap]?.pendingConnect = nil
        let failure = BusError(name: "org.bluez.Error.Failed", text: "br-connection-canceled")
        messages.append(BusMessage(.error(to: pending, failure), sender: owner))
      }
      if straps[strap]?.isConnected == true { messages += lose(strap) }
      return messages + [reply(message, [])]
    case "StartNotify":
      if let failure = straps[strap]?.notifyError {
        return [BusMessage(.error(to: message.serial, failure), sender: owner)]
      }
      guard straps[strap]?.isNotifying == false else {
        let known = BusError(name: "org.bluez.Error.Failed", text: "Already notifying")
        return [BusMessage(.error(to: message.serial, known), sender: owner)]
      }
      if let waiting = straps[strap], waiting.needsBond, !waiting.isBonded {
        straps[strap]?.isWaitingForBond = true
        return []
      }
      straps[strap]?.isNotifying = true
      if let waiting = straps[strap], waiting.wantsDescriptorRead, !waiting.hasReadDescriptor {
        return hangUp(strap, answering: message)
      }
      let notifying = changed(call.path, "org.bluez.GattCharacteristic1", ["Notifying": .boolean(true)])
      return [notifying, reply(message, [])]
    case "StopNotify":
      straps[strap]?.isNotifying = false
      let notifying = changed(call.path, "org.bluez.GattCharacteristic1", ["Notifying": .boolean(false)])
      return [reply(message, []), notifying]
    case "Pair":
      if let failure = straps[strap]?.pairError {
        return [BusMessage(.error(to: message.serial, failure), sender: owner)]
      }
      guard agent != nil else { return [error(message, "org.bluez.Error.AuthenticationFailed")] }
      if straps[strap]?.answersPairEarly == true {
        straps[strap]?.answersPairEarly = false
        return [reply(message, [])]
      }
      straps[strap]?.pendingPair = message.serial
      if straps[strap]?.isWaitingForBond == true { return [] }
      later.append((.milliseconds(500), .paired(strap)))
      return []
    case "CancelPairing":
      guard let pending = straps[strap]?.pendingPair else { return [error(message, "org.bluez.Error.DoesNotExist")] }
      straps[strap]?.pendingPair = nil
      asked.removeAll()
      let failure = BusError(name: "org.bluez.Error.AuthenticationCanceled", text: "Authentication Canceled")
      return [BusMessage(.error(to: pending, failure), sender: owner), reply(message, [])]
    case "WriteValue":
      written.append(message.body.first?.asBytes ?? [])
      return [reply(message, [])]
    case "ReadValue" where call.interface == "org.bluez.GattDescriptor1":
      straps[strap]?.hasReadDescriptor = true
      return [reply(message, [.bytes([0, 0])])]
    case "ReadValue": return [reply(message, [.bytes(value(of: call.path, strap))])]
    default: return [error(message, "org.freedesktop.DBus.Error.UnknownMethod")]
    }
  }

  // MARK: What happens by itself

  mutating func happen(_ what: Later) -> [BusMessage] {
    guard isRunning else { return [] }
    switch what {
    case .bySecond(let what): return bySecond { $0.happen(what) }
    case .seen(let address): return see(address)
    case .connected(let address):
      guard let strap = straps[address], strap.isPresent, let pending = strap.pendingConnect,
        !isConnectedByOther(address)
      else { return [] }
      straps[address]?.isConnected = true
      straps[address]?.agentOfItsLink = agent
      straps[address]?.pendingConnect = nil
      later.append((strap.resolveDelay, strap.hasLostBond ? .hungUp(address) : .resolved(address)))
      return [
        changed(path(address), "org.bluez.Device1", ["Connected": .boolean(true)]),
        BusMessage(.reply(to: pending), sender: owner),
      ]
    case .hungUp(let address): return lose(address)
    case .paired(let address): return ask(address)
    case .resolved(let address):
      guard let strap = straps[address], strap.isConnected else { return [] }
      // bluetoothd renews the subscription as soon as it knows the services.
      if strap.wantsDescriptorRead, strap.isNotifying { return lose(address) }
      if strap.needsBond, !strap.isBonded, strap.isNotifying { straps[address]?.isWaitingForBond = true }
      straps[address]?.isResolved = true
      let objects = services(address).map { added($0.path, $0.interfaces) }
      return objects + batteryAdded(address) + [
        changed(path(address), "org.bluez.Device1", ["ServicesResolved": .boolean(true)])
      ]
    }
  }

  /// The strap sends; nil while nobody would get it.
  mutating func notification(_ address: StrapAddress, _ payload: [UInt8]) -> BusMessage? {
    if second?.straps[address]?.isConnected == true { return bySecond { $0.notification(address, payload) } }
    guard isRunning, let strap = straps[address], strap.isConnected, strap.isNotifying, !strap.isSilent,
      strap.isBonded || !strap.needsBond
    else { return nil }
    return changed(measurement(address), "org.bluez.GattCharacteristic1", ["Value": .bytes(payload)])
  }

  /// Out of range: the link ends, the subscription stays.
  mutating func lose(_ address: StrapAddress) -> [BusMessage] {
    guard straps[address]?.isConnected == true else { return [] }
    straps[address]?.isConnected = false
    straps[address]?.isResolved = false
    straps[address]?.hasReadDescriptor = false
    straps[address]?.isWaitingForBond = false
    return [
      changed(
        path(address), "org.bluez.Device1", ["ServicesResolved": .boolean(false), "Connected": .boolean(false)])
    ]
  }

  mutating func come(_ address: StrapAddress) {
    straps[address]?.isPresent = true
    if straps[address]?.pendingConnect != nil { later.append((.milliseconds(100), .connected(address))) }
    if isDiscovering { later.append((.milliseconds(150), .seen(address))) }
  }

  /// The device's object goes, as thirty seconds after it was last seen.
  mutating func forget(_ address: StrapAddress) -> [BusMessage] {
    straps[address]?.isKnown = false
    straps[address]?.isNotifying = false
    return [removed(path(address), "org.bluez.Device1")]
  }

  /// bluetoothd goes; what it knew is gone with it.
  mutating func stop() -> [BusMessage] {
    isRunning = false
    isDiscovering = false
    agent = nil
    asked.removeAll()
    for address in straps.keys {
      straps[address]?.isConnected = false
      straps[address]?.isResolved = false
      straps[address]?.isNotifying = false
      straps[address]?.isKnown = false
      straps[address]?.pendingConnect = nil
      straps[address]?.pendingPair = nil
    }
    return [ownerChanged(owner.description, "")]
  }

  mutating func restart() -> [BusMessage] {
    isRunning = true
    for address in straps.keys where straps[address]?.isBonded == true { straps[address]?.isKnown = true }
    generation += 1
    owner = ConnectionName(":1.\(generation)")!
    return [ownerChanged("", owner.description)]
  }

  // MARK: Messages

  func interfaces(_ interfaces: KeyValuePairs<String, BusValue>) -> BusValue {
    .dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant), interfaces.map { .init(.string($0), $1) })
  }

  func added(_ path: ObjectPath, _ interfaces: BusValue) -> BusMessage {
    BusMessage(
      .signal(path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"), sender: owner,
      body: [.objectPath(path), interfaces])
  }

  func removed(_ path: ObjectPath, _ interface: String) -> BusMessage {
    BusMessage(
      .signal(path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesRemoved"), sender: owner,
      body: [.objectPath(path), .strings([interface])])
  }

  func changed(_ path: ObjectPath, _ interface: String, _ properties: KeyValuePairs<String, BusValue>) -> BusMessage {
    BusMessage(
      .signal(path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"), sender: owner,
      body: [.string(interface), .properties(properties), .strings([])])
  }

  private func ownerChanged(_ old: String, _ new: String) -> BusMessage {
    BusMessage(
      .signal(path: BusDaemon.path, interface: BusDaemon.interface, member: "NameOwnerChanged"), sender: BusDaemon.name,
      body: [.string("org.bluez"), .string(old), .string(new)])
  }

  func reply(_ message: BusMessage, _ body: [BusValue], from sender: ConnectionName? = nil) -> BusMessage {
    BusMessage(.reply(to: message.serial), sender: sender ?? owner, body: body)
  }

  func error(_ message: BusMessage, _ name: InterfaceName) -> BusMessage {
    BusMessage(.error(to: message.serial, BusError(name: name, text: "")), sender: owner)
  }
}
