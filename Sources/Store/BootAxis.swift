import Measurements
import Workout

/// Lays the ticks of earlier boots onto this boot's axis.
///
/// Each boot's clock begins again at 0, so between boots only the wall clock leads: with a pair of both clocks of the
/// earlier boot (its newest) and of this one, offset = (now.tick − now.wall) − (then.tick − then.wall).
///
/// The wall clock may be wrong: a board without one starts in 1970 and would put yesterday's ticks 50 years ahead. But
/// what happened in an earlier boot happened before the next one began. So a boot that its clock puts before the newest
/// known tick of the boot before it is taken to have begun then: a clock that is behind is what happens. And a boot whose
/// clock was worse than that of a later one ended before that one began. So laid-on ticks keep the order of things
/// whatever the clocks say, and an end is never before its start.
///
/// The offsets are fixed when the store is opened, and once more when this boot's clock comes to be right: a clock that is
/// set moves nothing by itself.
struct BootAxis {
  /// This boot's number in the store.
  let current: Int64
  /// Each boot's tick 0 on this axis.
  private var offsets: [Int64: Duration] = [:]
  /// Each earlier boot's newest known tick, by its own count.
  private let ends: [Int64: Tick]
  private let boots: [Boot]
  /// This boot's clocks when its wall clock was first known to be right.
  private var fixed: Moment?
  private var placesInThisBoot = false
  /// By how much wall clocks were set, and when.
  private(set) var steps: [ClockStep]

  /// - Parameters:
  ///   - now: this boot's clocks, and whether the wall clock is known to be right.
  ///   - boots: all boots of the store, in order; this one may be among them.
  ///   - newest: ticks known to be of a boot and perhaps later than its newest pair of clocks.
  init(current: Int64, now: Moment, boots: [Boot], newest: [BootTick], steps: [ClockStep] = []) {
    self.current = current
    self.boots = boots.filter { $0.number != current }
    fixed = boots.first { $0.number == current }?.fixed
    self.steps = steps
    var ends: [Int64: Tick] = [:]
    for boot in self.boots {
      ends[boot.number] = newest.filter { $0.boot == boot.number }.map(\.tick).reduce(boot.clocks.tick, max)
    }
    self.ends = ends
    lay(at: now)
  }

  /// Lays all boots anew, by this boot's clocks as they are now.
  mutating func lay(at now: Moment) {
    // What was once known is known for good, whatever the clock has been set to since.
    if fixed == nil, now.isSynchronised { fixed = now }
    let all = boots + [Boot(number: current, id: "", clocks: now, fixed: fixed, alive: nil)]
    var began: [Int64: WallTime] = [:]
    var end = WallTime(nanoseconds: .min)
    /// By how much right clocks were set within earlier boots: their times go on from before that.
    var set = Duration.zero
    for (index, boot) in all.enumerated() {
      var start = boot.began + (.zero - set)
      // The first later boot whose clock is better, and how long those before it lasted, leave so much room at most.
      var length = Duration.zero
      for later in all[index...] {
        if later.trust > boot.trust {
          let latest = later.began + (.zero - set - length)
          start = boot.trust == .none ? latest : min(start, latest)
          break
        }
        length += (ends[later.number] ?? Tick(nanoseconds: 0)) - Tick(nanoseconds: 0)
      }
      start = max(start, end)
      began[boot.number] = start
      end = start + ((ends[boot.number] ?? Tick(nanoseconds: 0)) - Tick(nanoseconds: 0))
      if let fixed = boot.fixed, let sure = boot.sure { set += sure.drift(since: fixed) }
    }
    let zero = began[current] ?? now.wall(at: Tick(nanoseconds: 0))
    offsets = began.mapValues { $0 - zero }
  }

  /// The tick on this boot's axis, negative for most earlier boots; nil for a boot that the store does not know.
  func tick(_ tick: Tick, of boot: Int64) -> Tick? {
    offsets[boot].map { tick + $0 }
  }

  /// The boot that counted a tick of this axis, and what it counted: an earlier one where the tick lies within its time,
  /// else this one. So what is written of an earlier boot moves with it when that is laid anew.
  func place(_ tick: Tick) -> BootTick {
    guard tick.nanoseconds <= 0, !placesInThisBoot else { return BootTick(boot: current, tick: tick) }
    for boot in boots {
      guard let offset = offsets[boot.number], let end = ends[boot.number] else { continue }
      let own = tick - offset
      if own.nanoseconds >= 0, own <= end { return BootTick(boot: boot.number, tick: own) }
    }
    return BootTick(boot: current, tick: tick)
  }

  /// The place of a moment of a recording, by the boots that it lived in. One at which the machine was off belongs to the
  /// boot before it, counted on beyond its end; one before all of them to the first. So it keeps its distance to what was
  /// recorded when boots are laid anew, and an imported recording's moments stay with it.
  func place(_ tick: Tick, among own: [Int64]) -> BootTick {
    let began = own.compactMap { boot in offsets[boot].map { (boot: boot, tick: Tick(nanoseconds: 0) + $0) } }
    let place = began.filter { $0.tick <= tick }.max { ($0.tick, $0.boot) < ($1.tick, $1.boot) }
    guard let place = place ?? began.min(by: { ($0.tick, $0.boot) < ($1.tick, $1.boot) }) else {
      return self.place(tick)
    }
    return BootTick(boot: place.boot, tick: tick - (offsets[place.boot] ?? .zero))
  }

  /// The same axis on which everything is placed in this boot: for what is imported, of which no boot has counted a part.
  var ofThisBoot: BootAxis {
    var axis = self
    axis.placesInThisBoot = true
    return axis
  }

  /// Whether the distance between boots may come to be another one: as long as this boot's clock was never right, that is so
  /// of all boots behind the last one whose clock was.
  func mayMove(_ boots: [Int64]) -> Bool {
    guard fixed == nil, Set(boots).count > 1 else { return false }
    let sure = self.boots.filter { $0.trust == .sure }.map(\.number).max() ?? .min
    return boots.contains { $0 > sure }
  }

  /// Whether how long ago a boot was is known, and not only by a wall clock that was perhaps wrong.
  func isSettled(_ boot: Int64) -> Bool {
    boot == current || fixed != nil && boots.first { $0.number == boot }?.trust == .sure
  }

  // MARK: Labels

  mutating func stepped(_ step: ClockStep) {
    steps.append(step)
  }

  /// What a date that was written beside a tick of a boot is by that boot's clock as it was set later.
  ///
  /// - Parameter written: when it was written, by the tick of that boot.
  func label(_ date: WallTime, of moment: BootTick, written: BootTick) -> WallTime {
    guard moment.boot == written.boot, moment.tick.nanoseconds > 0 else { return date }
    return steps.filter { $0.at.boot == written.boot && $0.at.tick > written.tick }.reduce(date) { $0 + $1.size }
  }
}

/// A run of the kernel in which the store was open.
struct Boot {
  var number: Int64
  var id: String
  /// The newest pair of both clocks.
  var clocks: Moment
  /// The first pair whose wall clock was known to be right, and the newest.
  var fixed: Moment?
  var sure: Moment?
  /// When the daemon last said that it lives.
  var alive: Moment?

  /// How much a boot's wall clock is worth.
  enum Trust: Int, Comparable {
    /// It says a time before this program was written.
    case none
    /// Nobody has set it right.
    case doubtful
    /// A time server has set it.
    case sure

    static func < (a: Trust, b: Trust) -> Bool { a.rawValue < b.rawValue }
  }

  var trust: Trust {
    if fixed != nil { return .sure }
    return clocks.wall < Self.firstPlausible ? .none : .doubtful
  }

  /// 2026-01-01T00:00:00Z.
  private static let firstPlausible = WallTime(nanoseconds: 1_767_225_600_000_000_000)

  fileprivate var began: WallTime { (fixed ?? clocks).wall(at: Tick(nanoseconds: 0)) }
}

/// A tick and the boot that counts it.
struct BootTick: Hashable {
  var boot: Int64
  var tick: Tick
}

/// A setting of a boot's wall clock.
struct ClockStep {
  var at: BootTick
  var size: Duration
}
