import Measurements

/// Lays the ticks of earlier boots onto this boot's axis.
///
/// Each boot's clock begins again at 0, so between boots only the wall clock leads: with a pair of both clocks of the
/// earlier boot (its newest) and of this one, offset = (now.tick − now.wall) − (then.tick − then.wall).
///
/// The wall clock may be wrong: a board without one starts in 1970 and would put yesterday's ticks 50 years ahead. But
/// what happened in an earlier boot happened before the next one began. So a boot that its clock puts before the newest
/// known tick of the boot before it is taken to have begun then: a clock that is behind is what happens. So laid-on
/// ticks keep the order of things whatever the clocks say, and an end is never before its start.
///
/// The offsets are fixed when the store is opened: a clock that is set later moves nothing that has been read already.
struct BootAxis {
  /// This boot's number in the store.
  let current: Int64
  private let offsets: [Int64: Duration]

  /// - Parameters:
  ///   - boots: all boots of the store, in order; this one may be among them.
  ///   - newest: ticks known to be of a boot and perhaps later than its newest pair of clocks.
  init(current: Int64, now: Moment, boots: [Boot], newest: [BootTick]) {
    self.current = current
    let zero = Tick(nanoseconds: 0)
    var began: [Int64: WallTime] = [:]
    var end = WallTime(nanoseconds: .min)
    for boot in boots where boot.number != current {
      let last = newest.filter { $0.boot == boot.number }.map(\.tick).reduce(boot.clocks.tick, max)
      let start = max(boot.clocks.wall(at: zero), end)
      began[boot.number] = start
      end = start + (last - zero)
    }
    let start = max(now.wall(at: zero), end)
    offsets = began.mapValues { $0 - start }.merging([current: .zero]) { $1 }
  }

  /// The tick on this boot's axis, negative for most earlier boots; nil for a boot that the store does not know.
  func tick(_ tick: Tick, of boot: Int64) -> Tick? {
    offsets[boot].map { tick + $0 }
  }
}

/// A run of the kernel in which the store was open.
struct Boot {
  var number: Int64
  var id: String
  /// The newest pair of both clocks.
  var clocks: Moment
  /// When the daemon last said that it lives.
  var alive: Moment?
}

/// A tick and the boot that counts it.
struct BootTick {
  var boot: Int64
  var tick: Tick
}
