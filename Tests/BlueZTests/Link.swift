import Bus
import Measurements
import Testing

@testable import BlueZ

/// A link machine, the world that it sees, and a clock: what a transcript is played on.
struct Link {
  static let device = Objects.device
  static let measurement = Objects.measurement

  private(set) var machine: LinkMachine
  private(set) var world: LinkWorld
  private(set) var now = Moment(
    tick: Tick(nanoseconds: 1_000_000_000_000), wall: WallTime(nanoseconds: 1_796_022_705_000_000_000))

  /// How the strap's object stands at the start.
  enum Start {
    case unknown, known, connected, resolved
  }

  init(_ start: Start, host: LinkWorld.Host = .ready, seed: UInt64 = 1) {
    machine = LinkMachine(strap: Objects.strap, seed: seed)
    let device: LinkWorld.Device? =
      switch start {
      case .unknown: nil
      case .known: Self.known
      case .connected: Self.known.with { $0.isConnected = true }
      case .resolved:
        Self.known.with {
          $0.isConnected = true
          $0.isResolved = true
          $0.measurement = Self.measurement
        }
      }
    world = LinkWorld(host: host, device: device)
  }

  static let known = LinkWorld.Device(
    path: device, isConnected: false, isResolved: false, measurement: nil, isNotifying: false)

  /// Wanted, connected, subscribed, and a first payload received.
  static func streaming(seed: UInt64 = 1) -> Link {
    var link = Link(.resolved, seed: seed)
    #expect(link.want(true) == [.startNotify(measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.notifying(true) == [])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    return link
  }

  var status: LinkStatus { machine.status }
  var trouble: LinkTrouble? { machine.trouble }

  /// Until the machine is to be woken.
  var wait: Duration? { machine.deadline.map { $0 - now.tick } }

  // MARK: What happens

  mutating func want(_ wanted: Bool) -> [LinkAction] {
    machine.want(wanted, world, at: now)
  }

  /// Changes the world, and shows it if it is another one.
  mutating func see(_ change: (inout LinkWorld) -> Void) -> [LinkAction] {
    let before = world
    change(&world)
    return world == before ? [] : machine.worldChanged(world, at: now)
  }

  mutating func host(_ host: LinkWorld.Host) -> [LinkAction] {
    see { $0.host = host }
  }

  /// Changes the strap's object.
  mutating func device(_ change: (inout LinkWorld.Device) -> Void) -> [LinkAction] {
    see { world in
      if var device = world.device {
        change(&device)
        world.device = device
      }
    }
  }

  mutating func appears() -> [LinkAction] {
    see { $0.device = Self.known }
  }

  mutating func disappears() -> [LinkAction] {
    see { $0.device = nil }
  }

  mutating func connected() -> [LinkAction] {
    device { $0.isConnected = true }
  }

  /// - Parameter configuration: the measurement's descriptor, where bluetoothd shows a new one.
  mutating func resolved(with configuration: ObjectPath? = nil) -> [LinkAction] {
    device {
      $0.isResolved = true
      $0.measurement = Self.measurement
      $0.configuration = configuration ?? $0.configuration
    }
  }

  /// As bluetoothd signals a loss: both in one, and the services' objects stay.
  mutating func disconnected() -> [LinkAction] {
    device {
      $0.isConnected = false
      $0.isResolved = false
    }
  }

  mutating func notifying(_ isNotifying: Bool) -> [LinkAction] {
    device { $0.isNotifying = isNotifying }
  }

  mutating func payload(_ characteristic: ObjectPath = measurement) -> Bool {
    machine.payloadArrived(characteristic, world, at: now)
  }

  mutating func connectAnswered(_ error: BlueZError?) -> [LinkAction] {
    machine.connectAnswered(error, world, at: now)
  }

  mutating func disconnectAnswered() -> [LinkAction] {
    machine.disconnectAnswered(world, at: now)
  }

  mutating func notified(_ error: BlueZError?, _ characteristic: ObjectPath = measurement) -> [LinkAction] {
    machine.notifyAnswered(characteristic, error, world, at: now)
  }

  mutating func readsDescriptorFirst() {
    machine.readsDescriptorFirst = true
  }

  mutating func pairsWhenNeeded() {
    machine.pairsWhenNeeded = true
  }

  mutating func mayHaveLeftLink() {
    machine.mayHaveLeftLink()
  }

  mutating func pair() -> [LinkAction] {
    machine.pair(world, at: now)
  }

  mutating func paired(_ error: BlueZError?) -> [LinkAction] {
    machine.pairAnswered(error, world, at: now)
  }

  mutating func abandonPairing() -> [LinkAction] {
    machine.abandonPairing(world, at: now)
  }

  /// Lets time pass; the machine is woken at each deadline on the way.
  mutating func after(_ span: Duration) -> [LinkAction] {
    let end = now.tick + span
    var actions: [LinkAction] = []
    while let deadline = machine.deadline, deadline <= end {
      advance(to: max(deadline, now.tick))
      actions += machine.deadlinePassed(world, at: now)
      guard machine.deadline.map({ $0 > now.tick }) ?? true else {
        Issue.record("woken for nothing in \(machine.status)")
        break
      }
    }
    advance(to: end)
    return actions
  }

  private mutating func advance(to tick: Tick) {
    now = Moment(tick: tick, wall: now.wall + (tick - now.tick))
  }
}

extension LinkWorld.Device {
  func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Duration {
  /// Whether it is this wait as the jitter leaves it: shortened by a quarter at most.
  func isBackOff(_ full: Duration) -> Bool {
    self <= full && self >= full * 3 / 4
  }
}
