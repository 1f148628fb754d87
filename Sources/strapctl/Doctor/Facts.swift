import BlueZ
import Control
import Controllers
import Measurements

/// What doctor has found out: its findings follow from this alone.
struct Facts: Equatable {
  var kernel: Probed<KernelBluetooth>
  var switches: Probed<[RadioSwitch]>
  var bus: Probed<BusFacts>
  /// The bluetoothd that is installed; nil where none was found.
  var installed: Probed<InstalledBluetoothd?>
  var account: Probed<Account>
  /// The control socket's file; nil where there is none.
  var socket: Probed<SocketFile?>
  var daemon: DaemonAnswer
  /// The state folder; nil where there is none.
  var state: Probed<StateFolder?>
  /// The disk that the state folder is or will be on.
  var disk: Probed<Disk>
  var clock: Clock
}

/// What a probe came to.
enum Probed<Value> {
  case found(Value)
  /// Why not, in words.
  case failed(String)
  /// It has not come back within its time.
  case timedOut(Duration)

  var value: Value? {
    if case .found(let value) = self { value } else { nil }
  }
}

extension Probed: Equatable where Value: Equatable {}
extension Probed: Sendable where Value: Sendable {}

/// One of rfkill's switches that is for Bluetooth.
struct RadioSwitch: Equatable, Sendable {
  /// What it switches: "hci0", "tpacpi_bluetooth_sw".
  var name: String
  var isBlockedBySoftware = false
  /// By a key or slider of the machine.
  var isBlockedByHardware = false
}

/// What is found on the system bus.
struct BusFacts: Equatable, Sendable {
  var bluetoothd: Bluetoothd
  var systemd: Systemd

  enum Bluetoothd: Equatable, Sendable {
    case absent
    /// It runs, and the call was answered by an error.
    case refused(BlueZError)
    /// It runs, and the call was not answered.
    case silent(Duration)
    case present([BusAdapter])
  }

  enum Systemd: Equatable, Sendable {
    /// Another init, or a container.
    case absent
    /// It does not answer, or not as systemd does.
    case failed(String)
    case units([Unit])
  }
}

/// An adapter as bluetoothd shows it.
struct BusAdapter: Equatable, Sendable {
  var name: String
  var address: StrapAddress?
  var isPowered = false
  /// By rfkill, where this bluetoothd shows it (since 5.65).
  var isBlocked = false
  /// bluetoothd's own version, which it puts into the adapter's `Modalias` unless it is configured otherwise.
  var version: String?
}

/// A unit of systemd, as ListUnitsByNames and GetUnitFileState tell of it.
struct Unit: Equatable, Sendable {
  var name: String
  /// "loaded", "not-found", "masked", …
  var load: String
  /// "active", "inactive", "failed", …
  var active: String
  /// "running", "listening", "dead", …
  var sub: String
  /// "enabled", "disabled", "static", …; nil where the unit has no file.
  var file: String?
}

struct InstalledBluetoothd: Equatable, Sendable {
  var path: String
  /// As it says itself; nil where it does not.
  var version: String?
}

/// The person who asks.
struct Account: Equatable, Sendable {
  var name: String
  var isRoot = false
  /// Whether there is a group strapd.
  var groupExists = true
  /// Whether this process is of it.
  var isMember = false
  /// Whether the system's list of groups has the person in it, which counts from the next login.
  var isListed = false
  /// The number of the user strapd, where there is one.
  var daemonUser: UInt32?
}

struct SocketFile: Equatable, Sendable {
  var path: String
  var isSocket = true
  /// The permission bits.
  var mode: UInt32
  var owner: String
  var group: String
  /// Whether the kernel lets this process write to it, which is to connect.
  var mayConnect = true
}

enum DaemonAnswer: Equatable, Sendable {
  /// GetStatus's reply, and ListStraps's straps; none where this strapd does not know that.
  case status(JSON, known: [JSON])
  case failed(ConnectionError)
  /// It answered with an error.
  case refused(String)
  /// Not asked: it does not run, and its socket would have started it, and bluetoothd with it.
  case asleep
}

struct StateFolder: Equatable, Sendable {
  var path: String
  var isFolder = true
  /// The permission bits.
  var mode: UInt32
  var owner: String
  var ownerNumber: UInt32
}

/// The room on a disk for users other than root.
struct Disk: Equatable, Sendable {
  /// A folder on it.
  var path: String
  var freeOctets: UInt64
  /// Whether another file can be made; false where the inodes are used up.
  var hasFreeFiles = true
  var isReadOnly = false
}

struct Clock: Equatable, Sendable {
  /// Whether something keeps it right; nil where the kernel would not tell.
  var isSynchronised: Bool?
  var now: WallTime
}
