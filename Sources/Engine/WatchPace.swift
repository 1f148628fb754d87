import Control
import Measurements
import Workout

/// How often one watcher is told of measurements. What waits for all straps is told at the same moments, and before any
/// other event, so that the numbers of what a watcher is told always rise.
struct WatchPace: Sendable {
  private let rate: WatchRate
  private var waiting: [Source: Told] = [:]
  private var lastTold: Tick?
  /// Where it is a change that decides: what was told last, and how many have come since.
  private var shown: [Source: (value: Shown, leftOut: Int)] = [:]

  private struct Source: Hashable {
    var session: SessionID?
    var strap: StrapAddress?
  }

  private struct Shown: Equatable {
    /// nil where the watcher may not see it: when it changes would tell of it.
    var heartRate: UInt16?
    var contact: SensorContact
    var availability: Availability
    var counted: Bool
  }

  /// An event that is to be told; as the newest of several measurements, or by itself.
  struct Told: Sendable {
    var event: EncodedEvent
    var count = 1
  }

  init(_ rate: WatchRate) {
    self.rate = rate
  }

  /// When what waits is due.
  var due: Tick? {
    guard !waiting.isEmpty, let interval = rate.interval, let lastTold else { return nil }
    return lastTold + interval
  }

  /// A measurement came.
  ///
  /// - Returns: what is to be told by now; for one of earlier, by then.
  mutating func take(_ event: EncodedEvent, isRedacted: Bool, at tick: Tick) -> [Told] {
    guard case .heartRate(let sample, let availability, let counted, _) = event.event.what else { return [] }
    let source = Source(session: event.event.session, strap: event.event.strap)
    switch rate {
    case .every: return [Told(event: event)]
    case .change:
      let value = Shown(
        heartRate: isRedacted ? nil : sample.measurement.heartRate, contact: sample.measurement.contact,
        availability: availability, counted: counted)
      let count = (shown[source]?.leftOut ?? 0) + 1
      let isNews = shown[source]?.value != value
      shown[source] = (value, isNews ? 0 : count)
      return isNews ? [Told(event: event, count: count)] : []
    case .second, .fiveSeconds:
      let told = takeDue(at: tick)
      if waiting.isEmpty, mayTell(at: tick) {
        lastTold = tick
        return told + [Told(event: event)]
      }
      waiting[source] = Told(event: event, count: (waiting[source]?.count ?? 0) + 1)
      return told
    }
  }

  /// What has waited long enough.
  mutating func takeDue(at tick: Tick) -> [Told] {
    guard let due, due <= tick else { return [] }
    return flush(at: due)
  }

  /// All that waits, whether or not it is due.
  mutating func flush(at tick: Tick?) -> [Told] {
    guard !waiting.isEmpty else { return [] }
    lastTold = tick ?? lastTold
    defer { waiting.removeAll() }
    return waiting.values.sorted { $0.event.event.sequence < $1.event.event.sequence }
  }

  /// Nothing more comes of a session.
  mutating func forget(_ session: SessionID) {
    shown = shown.filter { $0.key.session != session }
  }

  private func mayTell(at tick: Tick) -> Bool {
    guard let lastTold, let interval = rate.interval else { return true }
    return tick - lastTold >= interval
  }
}
