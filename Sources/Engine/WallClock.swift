import Measurements
import Workout

/// What is known of the wall clock: whether it is right, and whether it was set.
struct WallClock: Hashable, Sendable {
  /// Whether it is known to be right: a time server has set it, and nothing has set it otherwise since.
  private(set) var isSure = true
  /// Until when what depends on how long the machine was off waits for it to be right; nil while nothing does.
  private(set) var awaitedUntil: Tick?
  private var last: Moment?

  /// A machine that has no time server must not wait for ever.
  static let longestWait = Duration.seconds(600)
  /// How often it is looked at meanwhile: that it was slewed to the right time, nobody tells.
  static let lookInterval = Duration.seconds(10)

  enum News: Hashable, Sendable {
    case stepped(Duration)
    /// It is known to be right from now on.
    case synchronised
    /// It was waited for in vain.
    case givenUp
  }

  /// The first look, with what the store knows of this boot.
  mutating func start(_ report: BootReport, at now: Moment) {
    isSure = report.isClockSure
    awaitedUntil = isSure ? nil : now.tick + Self.longestWait
    last = now
  }

  /// Looks at it, at the beginning of each wake-up.
  ///
  /// - Parameter wasSet: the kernel has said so.
  mutating func look(at now: Moment, wasSet: Bool) -> [News] {
    var news: [News] = []
    let step = last.flatMap { now.step(since: $0, wasSet: wasSet) }
    last = now
    let wasSure = isSure
    if let step {
      news.append(.stepped(step))
      isSure = false
    }
    return news + told(now.isSynchronised, wasSure: wasSure, at: now)
  }

  /// What somebody else says of it; that it is not known to be right is no news.
  mutating func told(_ isSynchronised: Bool, at now: Moment) -> [News] {
    told(isSynchronised, wasSure: isSure, at: now)
  }

  private mutating func told(_ isSynchronised: Bool, wasSure: Bool, at now: Moment) -> [News] {
    var news: [News] = []
    if isSynchronised { isSure = true }
    if isSure, !wasSure {
      news.append(.synchronised)
      awaitedUntil = nil
    } else if let awaitedUntil, awaitedUntil <= now.tick {
      news.append(.givenUp)
      self.awaitedUntil = nil
    }
    return news
  }

  /// When it is to be looked at, if nothing else happens.
  func nextLook(after now: Moment) -> Tick? {
    awaitedUntil.map { min($0, now.tick + Self.lookInterval) }
  }

  /// Both clocks, with whether the wall clock is known to be right.
  func anchor(at now: Moment) -> Moment {
    Moment(tick: now.tick, wall: now.wall, isSynchronised: isSure)
  }
}
