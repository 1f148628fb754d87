import Control
import Measurements
import Workout

/// The heart rate after the end of a workout, for its recovery: the strap's link is held for a while after the stop date
/// whatever becomes of the session, and what comes is kept with the workout, apart from its statistics.
struct PostExercise: Hashable, Sendable {
  var strap: StrapAddress
  /// When the workout ended.
  var end: Tick
  /// When it is over.
  var until: Tick

  /// The longest that may be configured, and so all that is ever of it.
  static let longest = Duration.seconds(120)

  /// nil where the session has no strap or no end.
  init?(_ record: SessionRecord, length: Duration) {
    guard let strap = record.strap, let end = record.end else { return nil }
    self.strap = strap
    self.end = end.tick
    until = end.tick + length
  }
}

extension Sessions {
  /// A session has ended: its strap is held on where the series is not over yet, else released.
  mutating func beginPostExercise(_ id: SessionID, at now: Moment) {
    guard let record = live[id]?.record, let series = PostExercise(record, length: configuration.postExerciseLength),
      series.until > now.tick,
      !isStrapRunning(series.strap)
    else { return effects.append(.release(id)) }
    hold(id, series)
    effects.append(.release(id))
  }

  private mutating func hold(_ id: SessionID, _ series: PostExercise) {
    postExercises[id] = series
    effects.append(.hold(id, series.strap))
    effects.append(.deadline(.postExercise(id), series.until))
  }

  /// Takes up the series of sessions that have ended in the daemon's last life.
  mutating func recoverPostExercises(_ records: [SessionRecord], at now: Moment) {
    for record in records {
      guard let series = PostExercise(record, length: configuration.postExerciseLength), series.until > now.tick,
        !isStrapRunning(series.strap)
      else { continue }
      hold(record.id, series)
    }
  }

  /// The series is over: the time has come, or another session runs on the strap.
  mutating func endPostExercise(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard let series = postExercises.removeValue(forKey: id) else { return }
    effects.append(.deadline(.postExercise(id), nil))
    effects.append(.letGo(id))
    ledger.happened(.postExerciseEnded, .postExerciseEnded, session: id, strap: series.strap, at: now)
  }

  /// A session begins to run on its strap.
  mutating func endPostExercises(on strap: StrapAddress?, _ ledger: inout Ledger, _ now: Moment) {
    for (id, series) in postExercises.sorted(by: { $0.key < $1.key }) where series.strap == strap {
      endPostExercise(id, &ledger, now)
    }
  }

  /// Whether a measurement so long after a workout's end belongs to its series.
  private func isOfSeries(_ span: Duration) -> Bool {
    span >= .zero && span < configuration.postExerciseLength
  }

  private func isStrapRunning(_ strap: StrapAddress) -> Bool {
    live.values.contains { $0.strap == strap && [.running, .paused].contains($0.machine.state) }
  }

  /// The session whose series a measurement joins: the last one that ended on its strap, or a stopped one.
  func postExercise(on strap: StrapAddress, at tick: Tick) -> SessionID? {
    let stopped = live.values.first { session in
      session.strap == strap && session.machine.state == .stopped
        && session.machine.end.map { isOfSeries(tick - $0.tick) } == true
    }
    if let stopped { return stopped.id }
    return postExercises.filter { $0.value.strap == strap && $0.value.until > tick }.max {
      $0.value.end < $1.value.end
    }?
    .key
  }
}
