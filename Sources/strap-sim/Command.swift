import Bus
import Measurements

/// What a script can ask for. Times are not part of it: a `ScriptLine` has them.
enum Command: Equatable {
  case strap(StrapDeclaration)
  case to(tag: String, StrapCommand)
  case adapter(AdapterCommand)
  case bluetoothd(Switch)
  case malformed([MalformedKind])
  case quit

  enum Switch: String, CaseIterable {
    case start, stop
  }
}

/// A strap as it comes out of its box.
struct StrapDeclaration: Equatable {
  /// How scripts and the log call it.
  var tag: String
  var address: StrapAddress
  var name: String
  /// Whether it is a strap at all: other devices advertise no Heart Rate Service, and have none.
  var hasHeartRate = true
  /// dBm.
  var rssi: Int16 = -50
  /// Percent.
  var battery: UInt8 = 87
  /// The value of 0x2A38; nil where the strap has no such characteristic.
  var location: UInt8? = 1
  var information: DeviceInformation
  /// From Connect to the link.
  var connecting: Duration = .milliseconds(300)
  /// From the link to ServicesResolved.
  var resolving: Duration = .milliseconds(300)

  init(tag: String, address: StrapAddress) {
    self.tag = tag
    self.address = address
    name = "Demo \(tag)"
    information = DeviceInformation()
    information.manufacturer = "Demo Ltd"
    information.model = "SIM-1"
    information.serial = "0001"
    information.hardwareRevision = "hw1"
    information.firmwareRevision = "fw1"
    information.softwareRevision = "sw1"
  }
}

/// What happens to one strap, or in it.
enum StrapCommand: Equatable {
  /// Its heart, and how often it sends; nil leaves the frequency.
  case beat(Rhythm.Pace, hertz: Double?)
  /// Silent, though connected and subscribed to.
  case mute
  /// One notification with these bytes.
  case raw([UInt8])
  /// Several at once.
  case burst([[UInt8]])
  /// Out of range: the link breaks, nothing is advertised.
  case loss
  case comeBack
  /// The strap hangs up and advertises again.
  case drop
  /// The next Connect fails so.
  case connectError(BusError?)
  case connectHang(Bool)
  case resolveHang(Bool)
  /// The Heart Rate Service is not among the services.
  case noHeartRate(Bool)
  case notifyError(BusError?)
  /// StartNotify succeeds, and nothing comes.
  case notifySilent(Bool)
  /// Its notifications are for bonded clients.
  case bondNeeded(Bool)
  /// What an earlier life has left.
  case bond(Bond)
  case asks(Question?)
  /// Each Pair fails so.
  case pairError(BusError?)
  /// Pair comes to nothing, and to no end.
  case pairHang(Bool)
  /// How often each notification's signal is sent, as it is with other subscribed clients of an older BlueZ.
  case copies(Int)
  case battery(UInt8)
  case contact(SensorContact)
  /// Kilojoules, sent with every tenth packet.
  case energy(UInt16?)
  case rssi(Int16)
}

/// Who has the keys of a bond.
enum Bond: String, CaseIterable {
  case made
  /// The host alone: the strap hangs up when the link is to be encrypted.
  case lost
  case none
}

enum AdapterCommand: Equatable {
  case off, on, remove
  case add(String)
  /// rfkill.
  case block
  case unblock
}

/// Signals that no bluetoothd should send. A packet that no strap should send is `raw`'s business.
enum MalformedKind: String, CaseIterable {
  case valueType = "value-type"
  case valueMissing = "value-missing"
  case changedShort = "changed-short"
  case changedOrder = "changed-order"
  case changedEmpty = "changed-empty"
  case connectedType = "connected-type"
  case resolvedType = "resolved-type"
  case rssiType = "rssi-type"
  case batteryType = "battery-type"
  case batteryRange = "battery-range"
  case unknownInterface = "unknown-interface"
  case unknownPath = "unknown-path"
  case unknownMember = "unknown-member"
  case addedShort = "added-short"
  case addedTypes = "added-types"
  case addedUnknown = "added-unknown"
  case addedAddress = "added-address"
  case addedWithoutAddress = "added-without-address"
  case addedUUID = "added-uuid"
  case removedShort = "removed-short"
  case removedTypes = "removed-types"
  case removedUnknown = "removed-unknown"
}
