import Bus
import Control
import Logind
import Measurements
import Workout

/// Keeps the machine awake exactly while a session is under way: two locks of logind's, which the session never waits for.
struct KeepAlive: Sendable {
  private var locks = InhibitedOperation.allCases.map { Inhibitor($0) }
  /// Numbers of its own, far from those of the calls of bluetoothd on the same connection.
  private var serials = Serials(behind: KeepAlive.firstSerial)
  private var isConnected = false
  private var isWanted = false
  private var told: [InhibitedOperation: String] = [:]

  private static let firstSerial: UInt32 = 1 << 31

  /// Whether the locks are to be held, which follows from the sessions' states alone.
  static func isHeld(by states: some Sequence<WorkoutState>) -> Bool {
    states.contains { state in
      switch state {
      case .prepared, .running, .paused, .stopped: true
      case .notStarted, .ended: false
      }
    }
  }

  /// The sessions' states may have changed.
  mutating func want(_ wanted: Bool, at now: Moment) -> [KeepAliveEffect] {
    guard wanted != isWanted else { return [] }
    isWanted = wanted
    if !wanted { told.removeAll() }
    return isConnected || !wanted ? each { $0.want(wanted, &$1, at: now) } : []
  }

  mutating func busConnected(at now: Moment) -> [KeepAliveEffect] {
    isConnected = true
    let isWanted = isWanted
    return each { lock, serials in
      lock.isWanted == isWanted ? lock.busConnected(&serials, at: now) : lock.want(isWanted, &serials, at: now)
    }
  }

  mutating func busLost(at now: Moment) -> [KeepAliveEffect] {
    isConnected = false
    return each { lock, _ in
      lock.busLost(at: now)
      return []
    }
  }

  /// Takes a reply that is its own; nil where it is not.
  mutating func take(_ message: BusMessage, at now: Moment) -> [KeepAliveEffect]? {
    for index in locks.indices {
      guard let actions = locks[index].take(message, &serials, at: now) else { continue }
      return done(index, actions)
    }
    return nil
  }

  mutating func deadlinePassed(_ operation: InhibitedOperation, at now: Moment) -> [KeepAliveEffect] {
    each { lock, serials in lock.operation == operation ? lock.deadlinePassed(&serials, at: now) : [] }
  }

  /// The locks as clients see them.
  var snapshots: [LockSnapshot] {
    locks.map { lock in
      LockSnapshot(
        operation: lock.operation.rawValue, mode: lock.mode?.rawValue,
        trouble: !isWanted ? nil : isConnected ? lock.trouble?.description : "the system bus cannot be reached")
    }
  }

  private mutating func each(_ step: (inout Inhibitor, inout Serials) -> [Inhibitor.Action]) -> [KeepAliveEffect] {
    var effects: [KeepAliveEffect] = []
    for index in locks.indices {
      let actions = step(&locks[index], &serials)
      effects += done(index, actions)
    }
    return effects
  }

  private mutating func done(_ index: Int, _ actions: [Inhibitor.Action]) -> [KeepAliveEffect] {
    let lock = locks[index]
    var effects: [KeepAliveEffect] = actions.map { action in
      switch action {
      case .send(let message): .send(message)
      case .close(let descriptor): .close(descriptor)
      }
    }
    effects.append(.deadline(lock.operation, isConnected ? lock.deadline : nil))
    if let text = news(lock) { effects.append(.log(LogEntry(.info, text))) }
    return effects
  }

  /// What the journal is told: once per change, and not once per retry.
  private mutating func news(_ lock: Inhibitor) -> String? {
    let text: String
    switch (lock.mode, lock.trouble) {
    case (.block?, _): text = "the machine is kept from \(lock.operation.words) while a workout is under way"
    case (.delay?, _):
      text =
        "the machine may go to sleep in a workout, and strapd is told before: \(InhibitorTrouble.refused)"
    case (nil, let trouble?):
      text = "the machine may \(lock.operation.warning) in a workout: \(trouble)"
    case (nil, nil): return nil
    }
    guard told[lock.operation] != text else { return nil }
    told[lock.operation] = text
    return text
  }
}

enum KeepAliveEffect: Hashable, Sendable {
  case send(BusMessage)
  case close(BusFileDescriptor)
  case deadline(InhibitedOperation, Tick?)
  case log(LogEntry)
}

extension InhibitedOperation {
  fileprivate var words: String {
    switch self {
    case .idle: "suspending when nobody is at it"
    case .sleep: "going to sleep"
    }
  }

  fileprivate var warning: String {
    switch self {
    case .idle: "suspend when nobody is at it"
    case .sleep: "go to sleep"
    }
  }
}
