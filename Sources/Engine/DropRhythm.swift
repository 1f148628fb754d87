import Measurements

/// How a strap's connections have ended: to know again one that always hangs up at the same point.
struct DropRhythm: Equatable, Sendable {
  private var since: Tick?
  /// Connections in a row that ended about half a minute after they were made.
  private var count = 0
  /// Whether the strap had said that it touches no skin when the last one ended.
  private(set) var wasOffSkin = false

  /// A strap that waits 30 s for its wish to be granted, with the time that finding out takes on both sides.
  static let halfMinute = Duration.seconds(20)...Duration.seconds(45)

  /// Once is chance: it may have gone out of range.
  var isRecurring: Bool { count >= 2 }

  mutating func connected(at tick: Tick) {
    since = tick
  }

  mutating func disconnected(isOffSkin: Bool, at tick: Tick) {
    guard let since else { return }
    self.since = nil
    wasOffSkin = isOffSkin
    count = Self.halfMinute.contains(tick - since) && !isOffSkin ? count + 1 : 0
  }
}
