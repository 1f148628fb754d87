import Control
import Measurements
import Workout

/// A client that watches: which events it is told, and which it has not read in time.
struct Watcher: Sendable {
  let selection: EventSelection
  /// Events after this number are told; those up to it were in the snapshot, or are replayed behind that.
  let after: Int64
  private(set) var pace: WatchPace
  private var lag: Lag?
  /// Octets that were written to it and are not known to be sent.
  private(set) var unsent = 0
  /// Octets that it has asked for at once, which are no sign that it is slow.
  private var allowance = 0
  /// It has not read what it was told before: measurements are left out until it has.
  private var isBehind = false

  private struct Lag {
    var count: Int
    var numbers: ClosedRange<Int64>
  }

  /// How many octets may be unsent before measurements are left out.
  static let lagsAbove = 256 << 10
  /// How many before the client is cut off.
  static let mostUnsent = 4 << 20

  init(_ selection: EventSelection, after sequence: Int64) {
    self.selection = selection
    after = sequence
    pace = WatchPace(selection.rate)
  }

  /// What is to be told now that an event has happened, or, at the end of a replay, had happened.
  ///
  /// - Parameter tick: when; nil where that is not known.
  mutating func take(_ event: EncodedEvent, isRedacted: Bool, at tick: Tick?) -> [WatchPace.Told] {
    guard selection.concerns(event.event) else { return [] }
    let isTaken = selection.takes(event.event.what.kind)
    switch event.event.what {
    case .heartRate(let sample, _, _, _):
      return isTaken ? pace.take(event, isRedacted: isRedacted, at: tick ?? sample.tick) : []
    case .transition(let transition):
      if let session = event.event.session, transition.to == .ended { pace.forget(session) }
      return pace.flush(at: tick) + (isTaken ? [WatchPace.Told(event: event)] : [])
    case .availability, .gap, .link, .countdown, .battery, .recovered, .clockStep, .gapFixed, .lap, .segment, .marker,
      .activityBegan, .activityEnded, .pauseOrResumeRequest, .types, .zone, .alert, .goal, .session, .failed, .host,
      .unattended, .postExerciseEnded, .discarded, .restored:
      return isTaken ? pace.flush(at: tick) + [WatchPace.Told(event: event)] : []
    }
  }

  mutating func takeDue(at tick: Tick) -> [WatchPace.Told] { pace.takeDue(at: tick) }

  // MARK: What it reads

  /// Whether what is to be told is left out, and counted; else it is to be written.
  mutating func leavesOut(_ told: WatchPace.Told) -> Bool {
    guard isBehind, told.event.event.what.kind == .heartRate else { return false }
    let number = told.event.event.sequence
    lag = Lag(count: (lag?.count ?? 0) + told.count, numbers: (lag?.numbers.lowerBound ?? number)...number)
    return true
  }

  /// What was left out and is not told yet, for whatever is told next.
  mutating func takeLag(_ date: WallTime, _ durableThrough: Int64) -> LagNotice? {
    defer { lag = nil }
    return lag.map { LagNotice(count: $0.count, numbers: $0.numbers, date: date, durableThrough: durableThrough) }
  }

  /// Whether it is to be told now of what was left out.
  var hasCaughtUp: Bool { lag != nil && !isBehind }

  /// - Returns: whether so much more may be written to it; otherwise it is to be cut off.
  mutating func mayWrite(_ count: Int) -> Bool {
    unsent += count
    return unsent <= Self.mostUnsent
  }

  /// It has asked for all of this, however much it is.
  mutating func write(atOnce count: Int) {
    unsent += count
    allowance += count
  }

  /// So many octets are not sent.
  ///
  /// - Returns: whether it is to be asked for when they are.
  mutating func wrote(unsent count: Int) -> Bool {
    unsent = count
    if count == 0 { drained() }
    guard !isBehind, count > Self.lagsAbove + allowance else { return false }
    isBehind = true
    return true
  }

  mutating func drained() {
    (unsent, allowance, isBehind) = (0, 0, false)
  }
}
