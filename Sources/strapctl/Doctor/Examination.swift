import BlueZ
import CTimex
import Control
import Controllers
import Glibc
import Measurements

/// Gathers the facts: each probe on its own, within a time of its own, and nothing of it changes anything.
struct Examination: Sendable {
  /// strapd's socket.
  var socket = Place.defaultPath
  /// Where the kernel shows rfkill's switches.
  var rfkill = "/sys/class/rfkill"
  /// Where bluetoothd may be installed: Debian 12 and later, Debian 11 and others, from source.
  var bluetoothds = [
    "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/local/libexec/bluetooth/bluetoothd",
  ]
  var stateFolder = Self.defaultStateFolder
  /// The system bus's address; nil for the usual one.
  var bus: String?

  static let defaultStateFolder = "/var/lib/strapd"
  static let fileLimit = Duration.seconds(3)
  static let kernelLimit = Duration.seconds(5)
  /// Each answer on the bus.
  static let callLimit = Duration.seconds(5)
  /// The whole of the bus, opening it included, which may block.
  static let busLimit = Duration.seconds(12)

  /// Looks at everything.
  func facts() -> Facts {
    let kernel = Probe(within: Self.kernelLimit) { try KernelBluetooth.survey() }
    let switches = Probe(within: Self.fileLimit) { [rfkill] in try RadioSwitch.all(below: rfkill) }
    let onBus = Probe(within: Self.busLimit) { [bus] in try BusExamination(address: bus).facts(Self.callLimit) }
    let installed = Probe(within: Self.fileLimit) { [bluetoothds] in
      InstalledBluetoothd.find(bluetoothds, within: .seconds(2))
    }
    let account = Probe(within: Self.fileLimit) { [group = "strapd"] in Account.current(group: group) }
    let file = Probe(within: Self.fileLimit) { [socket] in try SocketFile.read(socket) }
    let state = Probe(within: Self.fileLimit) { [stateFolder] in try StateFolder.read(stateFolder) }
    let disk = Probe(within: Self.fileLimit) { [stateFolder] in try Disk.read(stateFolder) }
    let bus = onBus.result()
    return Facts(
      kernel: kernel.result(), switches: switches.result(), bus: bus, installed: installed.result(),
      account: account.result(), socket: file.result(), daemon: askDaemon(bus.value), state: state.result(),
      disk: disk.result(), clock: Clock.read())
  }

  /// Asks strapd for its status, unless asking would start it: to connect to a socket that systemd listens on starts the
  /// service, which wants bluetoothd.
  private func askDaemon(_ bus: BusFacts?) -> DaemonAnswer {
    if socket == Place.defaultPath, case .units(let units)? = bus?.systemd,
      units.contains(where: { $0.name == "strapd.service" && ["inactive", "failed"].contains($0.active) }),
      units.contains(where: { $0.name == "strapd.socket" && $0.active == "active" })
    {
      return .asleep
    }
    do throws(ConnectionError) {
      let patience = Connection.Patience(connect: Self.fileLimit, call: Self.callLimit)
      let connection = try Connection(to: socket, patience)
      let call = Command.call("GetStatus")
      let reply = try connection.call(call)
      if let refusal = Refusal(reply, to: call.method) { return .refused(refusal.description) }
      let known = try connection.call(Command.call("ListStraps"))
      return .status(reply.parameters, known: known.parameters.list("straps"))
    } catch {
      return .failed(error)
    }
  }
}

extension Clock {
  /// Both by the kernel, as systemd's timedated judges it: synchronised while it may be wrong by less than 16 s.
  static func read() -> Clock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let error = strapd_clock_error()
    return Clock(
      isSynchronised: error < 0 ? nil : error < 16_000_000,
      now: WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
  }
}
