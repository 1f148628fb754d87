import Bus
import Measurements

/// Everything that is simulated, as a value: straps, radio, adapter and bluetoothd. It takes calls, commands and the time,
/// and gives messages and log lines.
struct World {
  enum Effect: Equatable {
    case send(BusMessage)
    case log(String)
    /// bluetoothd's connection opens, and takes its name.
    case startBluetoothd
    /// bluetoothd's connection closes, as a process that ends closes it.
    case stopBluetoothd
    case quit
  }

  var straps: [Strap] = []
  var adapter: Adapter? = Adapter()
  var agents: [Agent] = []
  /// Whose agents are asked about what others pair, the first one first.
  var defaultAgents: [ConnectionName] = []
  /// Of calls that bluetoothd makes; far from the serials that libdbus gives to the rest.
  var lastSerial: UInt32 = 1 << 31
  /// When a scan reports each strap next, by the strap's index.
  var sightings: [Int: Tick] = [:]
  private(set) var isBluetoothdRunning = true
  private var effects: [Effect] = []
  private var script: [(at: Tick, line: ScriptLine)] = []

  /// What a scan takes to find a strap that advertises.
  static let sightingDelay = Duration.milliseconds(100)
  /// TemporaryTimeout in BlueZ's main.conf.
  static let temporaryTimeout = Duration.seconds(30)

  /// What has been caused since the last call, in order.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// Puts a script's timed lines on the clock.
  mutating func schedule(_ lines: [ScriptLine], from start: Tick) {
    script += lines.map { (start + ($0.delay ?? .zero), $0) }
  }

  /// The first time at which `wake` has something to do.
  var nextDeadline: Tick? {
    deadlines.map(\.at).min()
  }

  /// Does what is due, in the order in which it was due.
  mutating func wake(at now: Tick) {
    while let due = deadlines.min(by: { $0.at < $1.at }), due.at <= now {
      switch due.what {
      case .scriptLine(let index):
        let line = script.remove(at: index).line
        run(line, at: due.at)
      case .packet(let index): sendPacket(of: index, at: due.at)
      case .sighting(let index): see(index, at: due.at)
      case .link(let index): finishConnecting(index, at: due.at)
      case .services(let index): resolve(index, at: due.at)
      case .pairing(let index): goOnPairing(index, at: due.at)
      case .unbonded(let index): dropUnbonded(index, at: due.at)
      case .expiry(let index): forget(index)
      }
    }
  }

  private enum Due {
    case scriptLine(Int)
    case packet(Int)
    case sighting(Int)
    case link(Int)
    case services(Int)
    case pairing(Int)
    case unbonded(Int)
    case expiry(Int)
  }

  private var deadlines: [(at: Tick, what: Due)] {
    var deadlines = script.enumerated().map { ($1.at, Due.scriptLine($0)) }
    for (index, strap) in straps.enumerated() {
      if let at = strap.nextPacket { deadlines.append((at, .packet(index))) }
      if let at = sightings[index] { deadlines.append((at, .sighting(index))) }
      guard let device = strap.device else { continue }
      if let at = device.pairing?.deadline { deadlines.append((at, .pairing(index))) }
      if let at = device.unbondedUntil { deadlines.append((at, .unbonded(index))) }
      switch device.link {
      case .connecting(_, let at?, _): deadlines.append((at, .link(index)))
      case .up(let at?): deadlines.append((at, .services(index)))
      case .down:
        if !device.isPaired, device.pairing == nil, adapter?.isDiscovering != true {
          deadlines.append((device.lastSeen + Self.temporaryTimeout, .expiry(index)))
        }
      case .connecting, .up, .resolved: break
      }
    }
    return deadlines
  }

  // MARK: - Effects

  mutating func log(_ line: String) {
    effects.append(.log(line))
  }

  mutating func send(_ message: BusMessage) {
    if isBluetoothdRunning { effects.append(.send(message)) }
  }

  mutating func quit() {
    effects.append(.quit)
  }

  mutating func startBluetoothd() {
    guard !isBluetoothdRunning else { return }
    isBluetoothdRunning = true
    effects.append(.startBluetoothd)
  }

  mutating func stopBluetoothd() {
    guard isBluetoothdRunning else { return }
    isBluetoothdRunning = false
    effects.append(.stopBluetoothd)
  }
}
