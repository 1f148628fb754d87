import Bus
import Logind
import Measurements

/// Which users' screens are locked, as long as the configuration wants to know it and they have clients here.
struct ScreenLocks: Sendable {
  private var locks: [UInt32: DisplayLock] = [:]
  /// Every client's user.
  private var users: [ClientID: UInt32] = [:]
  /// Numbers of its own, on the connection that is shared with bluetoothd's calls and the locks on sleep.
  private var serials = Serials(behind: ScreenLocks.firstSerial)
  private var isConnected = false
  private(set) var isEnabled: Bool

  private static let firstSerial: UInt32 = 5 << 29

  init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Whether a client of this user may read heart rates; nil while that is being asked. A client of whom the kernel has
  /// told nothing is nobody's.
  func mayRead(_ user: UInt32?) -> Bool? {
    guard isEnabled, let user, let lock = locks[user] else { return true }
    switch lock.answer {
    case .unknown: return nil
    case .locked: return false
    case .notLocked: return true
    }
  }

  /// When the first question has waited too long.
  var deadline: Tick? { locks.values.compactMap(\.deadline).min() }

  mutating func clientConnected(_ client: ClientID, _ user: UInt32?, at now: Moment) -> [BusMessage] {
    guard let user else { return [] }
    users[client] = user
    return isEnabled && locks[user] == nil ? watch(user, now) : []
  }

  mutating func clientGone(_ client: ClientID) {
    guard let user = users.removeValue(forKey: client), !users.values.contains(user) else { return }
    locks[user] = nil
  }

  mutating func enable(_ isEnabled: Bool, at now: Moment) -> [BusMessage] {
    guard isEnabled != self.isEnabled else { return [] }
    self.isEnabled = isEnabled
    locks.removeAll()
    guard isEnabled else { return [] }
    return (isConnected ? listen() : []) + Set(users.values).sorted().flatMap { watch($0, now) }
  }

  mutating func busConnected(at now: Moment) -> [BusMessage] {
    isConnected = true
    return isEnabled ? listen() + askAll(now) : []
  }

  mutating func busLost() {
    isConnected = false
    for user in locks.keys { locks[user]?.busLost() }
  }

  /// Takes an answer to its own questions, or a signal of logind's; nil where the message is neither.
  mutating func take(_ message: BusMessage, at now: Moment) -> [BusMessage]? {
    if LogindCall.isOfLogind(message) { return LogindCall.maySayLocked(message) ? askAll(now) : [] }
    for user in locks.keys {
      if let messages = locks[user]?.take(message, &serials, at: now) { return messages }
    }
    return nil
  }

  mutating func deadlinePassed(at now: Moment) -> [BusMessage] {
    locks.keys.sorted().flatMap { locks[$0]?.deadlinePassed(&serials, at: now) ?? [] }
  }

  private mutating func watch(_ user: UInt32, _ now: Moment) -> [BusMessage] {
    var lock = DisplayLock(user: user)
    defer { locks[user] = lock }
    guard isConnected else {
      lock.busLost()
      return []
    }
    return lock.ask(&serials, at: now)
  }

  private mutating func askAll(_ now: Moment) -> [BusMessage] {
    locks.keys.sorted().flatMap { locks[$0]?.ask(&serials, at: now) ?? [] }
  }

  private mutating func listen() -> [BusMessage] {
    LogindCall.rules.map { BusDaemon.addMatch($0, serial: serials.next()) }
  }
}
