import Measurements

/// Lays a strap's RR intervals onto the boot clock: heart rate measurements carry no time, only the order of their beats.
///
/// The first packet anchors the line one period before its receipt, since its last beat may be that old. From then on
/// beats follow each other by their intervals alone, whatever the radio does to the receipts, as long as the sums agree
/// with the clock. A beat is never placed behind its receipt, nor before the beat before it.
public struct BeatTimeline: Hashable, Sendable {
  /// Beats that time has room for and no interval has told of; an estimate, by the mean interval.
  public private(set) var lostBeats = 0
  private var last: Tick?
  private var isAnchored = false
  private var isLetGo = false
  /// The smallest time from a beat to its receipt since the anchor: by so much the line may lie too early.
  private var leastLag = Duration.zero
  /// 800 ms before the first interval.
  private var meanInterval: Duration?
  private var period = Duration.seconds(1)
  private var arrival: Tick?
  /// Packets that have come within `burst` of each other, and how many the silence before them has room for.
  private var burstCount = 0
  private var burstRoom = 1
  private var wasLate = false
  private var withoutRoom = 0

  /// Packets closer than this have been held back together.
  static let burst = Duration.milliseconds(100)
  static let tolerance = Duration.milliseconds(100)
  /// How many packets in a row that do not fit it takes to doubt the anchor and not them.
  static let doubt = 3

  public init() {}

  /// Where the beats of one packet lie.
  public struct Placement: Hashable, Sendable {
    /// The last beat; those before it lie back from it by their intervals.
    public var lastBeat: Tick
    /// By how much the beats may have been later.
    public var uncertainty: Duration

    public init(lastBeat: Tick, uncertainty: Duration) {
      self.lastBeat = lastBeat
      self.uncertainty = uncertainty
    }
  }

  /// The link was lost: the next packet is anchored anew.
  public mutating func interrupt() {
    isAnchored = false
    arrival = nil
    burstCount = 0
    burstRoom = 1
  }

  /// Nobody wants the strap's beats any more: those that come until somebody does are not lost.
  public mutating func letGo() {
    interrupt()
    isLetGo = true
  }

  /// Places the beats of a packet that was received at a tick.
  ///
  /// - Parameter isRepeat: the same octets came just before: most likely one measurement that was signalled twice, whose
  ///   beats are placed only if there is room for them as well.
  /// - Returns: nil where the packet tells of no beat, or of beats that there is no room for.
  public mutating func place(_ intervals: [RRInterval], isRepeat: Bool, at tick: Tick) -> Placement? {
    noteArrival(tick)
    let beats = intervals.filter { $0.ticks1024 > 0 }
    guard let first = beats.first else { return nil }
    let sum = Duration.nanoseconds(beats.reduce(0) { $0 + $1.nanoseconds })
    guard isAnchored, let last else { return anchor(sum, first, at: tick) }

    let lag = tick - (last + sum)
    if isRepeat, burstCount > burstRoom || lag < leastLag - Self.tolerance { return nil }
    if lag < .zero { return fit(sum, first, lag, at: tick) }
    withoutRoom = 0
    let isLate = lag > leastLag + period * 2 + .seconds(1)
    if isLate, wasLate, burstCount == 1 {
      // Packets are missing: what was held back would have filled the time by now.
      lostBeats += countOfBeats(in: lag - leastLag)
      return anchor(sum, first, at: tick)
    }
    wasLate = isLate
    if !isLate { leastLag = min(leastLag, lag) }
    return put(last + sum, beats, uncertainty: isLate ? lag : leastLag)
  }

  private mutating func noteArrival(_ tick: Tick) {
    guard let arrival else {
      self.arrival = tick
      burstCount = 1
      return
    }
    let silence = tick - arrival
    self.arrival = tick
    guard silence >= Self.burst else {
      burstCount += 1
      return
    }
    burstCount = 1
    burstRoom = max(1, Int((silence / period).rounded()))
    if silence < .seconds(5) { period = (period * 7 + silence) / 8 }
  }

  private mutating func anchor(_ sum: Duration, _ first: RRInterval, at tick: Tick) -> Placement? {
    let wanted = tick - min(period, .seconds(1))
    // Not before the beat before it; where that leaves no place, the packet is of time that has been told already.
    var lastBeat = wanted
    if let last {
      let earliest = last + sum - .nanoseconds(first.nanoseconds) + .milliseconds(1)
      if earliest > tick { return nil }
      lastBeat = max(wanted, earliest)
      if !isAnchored, !isLetGo { lostBeats += countOfBeats(in: lastBeat - last - sum) }
    }
    isAnchored = true
    isLetGo = false
    wasLate = false
    withoutRoom = 0
    leastLag = tick - lastBeat
    last = lastBeat
    return Placement(lastBeat: lastBeat, uncertainty: leastLag)
  }

  /// The beats would lie behind their receipt: the strap's clock is slower than ours, or an interval is too long.
  private mutating func fit(_ sum: Duration, _ first: RRInterval, _ lag: Duration, at tick: Tick) -> Placement? {
    guard .zero - lag < .nanoseconds(first.nanoseconds / 2) else {
      withoutRoom += 1
      if withoutRoom >= Self.doubt { isAnchored = false }
      return nil
    }
    withoutRoom = 0
    wasLate = false
    leastLag = .zero
    last = tick
    return Placement(lastBeat: tick, uncertainty: .zero)
  }

  private mutating func put(_ beat: Tick, _ beats: [RRInterval], uncertainty: Duration) -> Placement {
    last = beat
    for interval in beats {
      let span = Duration.nanoseconds(interval.nanoseconds)
      meanInterval = meanInterval.map { ($0 * 15 + span) / 16 } ?? span
    }
    return Placement(lastBeat: beat, uncertainty: uncertainty)
  }

  private func countOfBeats(in span: Duration) -> Int {
    max(0, Int(span / (meanInterval ?? .milliseconds(800))))
  }
}
