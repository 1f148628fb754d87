import Control
import Measurements
import Workout

/// A call of GetSamples that is being answered: the store is read in steps, a turn of the loop each, and with `more` each
/// step is a reply; so neither a long workout nor a slow reader takes time or memory from anybody else.
struct SamplesReading: Sendable {
  let request: SamplesRequest
  /// nil until the first step has told of the session.
  private var range: Range?
  private var after: Int64
  private var samples: [HeartRateSample] = []
  /// How many are told already.
  private var toldCount = 0
  private var buckets: SeriesBuckets?
  private var width = Duration.zero
  private(set) var isOver = false
  /// The client has to take what was told before more is read.
  var isWaiting = false

  private struct Range {
    var anchor: DatedTick
    /// nil: from the first measurement, to the last.
    var start: Tick?
    var end: Tick?
  }

  /// Measurements of a step. Measured on a server's core: a chart of an hour, 15 steps and one reply of 1000 buckets, takes
  /// 11 ms with the way to the client.
  static let told = 64
  static let summedUp = 256
  /// Buckets of a reply.
  private static let bucketsOfReply = 100
  /// Whoever writes a date as text may round it.
  private static let tolerance = Duration.seconds(1)

  init(_ request: SamplesRequest) {
    self.request = request
    after = request.after
  }

  /// What is to be asked of the store next: first of all whether there is such a session.
  var question: Question {
    guard let range else { return .samples(request.id, after: after, since: nil, limit: 0) }
    // From where it begins is looked for once.
    return .samples(request.id, after: after, since: after == request.after ? range.start : nil, limit: step)
  }

  private var step: Int {
    if request.buckets != nil { return Self.summedUp }
    return min(Self.told, (request.limit ?? .max) - toldCount - samples.count)
  }

  /// Takes what the store has answered.
  ///
  /// - Returns: a reply, where there is enough for one.
  mutating func take(
    _ record: SessionRecord, _ found: [HeartRateSample], at now: Moment
  ) throws(ControlError) -> SamplesSnapshot? {
    guard let range else {
      try begin(record, at: now)
      return nil
    }
    let inRange = found.prefix { sample in range.end.map { sample.tick < $0 } ?? true }
    let isLast = found.count < step || inRange.count < found.count
    after = found.last?.sequence ?? after
    samples += inRange.drop { sample in range.start.map { sample.tick < $0 } ?? false }
    if let series = request.series, buckets != nil {
      for sample in samples {
        for value in series.values(of: sample) { buckets?.add(value, at: sample.tick) }
      }
      samples.removeAll(keepingCapacity: true)
      isOver = isLast
    } else {
      isOver = isLast || toldCount + samples.count == request.limit
    }
    return reply(range.anchor, isLast: isLast)
  }

  private mutating func reply(_ anchor: DatedTick, isLast: Bool) -> SamplesSnapshot? {
    if buckets != nil {
      guard isOver || request.streams && (buckets?.wholeCount ?? 0) >= Self.bucketsOfReply else { return nil }
      let told = isOver ? buckets?.takeAll() : buckets?.takeWhole()
      return SamplesSnapshot(start: anchor, .buckets(told ?? [], width: width), next: nil, continues: !isOver)
    }
    guard isOver || request.streams && !samples.isEmpty else { return nil }
    toldCount += samples.count
    defer { samples.removeAll() }
    return SamplesSnapshot(
      start: anchor, request.series.map { .values($0, of: samples) } ?? .samples(samples),
      next: isOver && !isLast ? after : nil, continues: !isOver)
  }

  private mutating func begin(_ record: SessionRecord, at now: Moment) throws(ControlError) {
    let anchor = record.start ?? record.created
    guard request.isOfWorkout else {
      range = Range(anchor: anchor)
      return
    }
    let end = record.end ?? DatedTick(at: now)
    let start = try tick(request.from, anchor, record.end, end) ?? anchor.tick
    let last = try tick(request.to, anchor, record.end, end) ?? end.tick
    range = Range(anchor: anchor, start: start, end: last)
    let length = max(last - start, .nanoseconds(1)).wholeNanoseconds
    switch request.buckets {
    case nil: return
    case .count(let count):
      try check(Int64(count), "buckets")
      width = .nanoseconds((length - 1) / Int64(count) + 1)
    case .every(let wanted):
      try check((length - 1) / wanted.wholeNanoseconds + 1, "bucketSeconds")
      width = wanted
    }
    buckets = SeriesBuckets(from: start, width: width)
  }

  private func check(_ count: Int64, _ parameter: String) throws(ControlError) {
    if count > SamplesRequest.mostBuckets { throw .invalidParameter(parameter) }
    if count > SamplesRequest.mostBucketsAtOnce, !request.streams { throw .expectedMore }
  }

  /// - Parameter bound: the end, or what stands for it while there is none.
  private func tick(
    _ date: WallTime?, _ start: DatedTick, _ end: DatedTick?, _ bound: DatedTick
  ) throws(ControlError) -> Tick? {
    guard let date else { return nil }
    let tick = start.tick + (date - start.date)
    guard tick >= start.tick - Self.tolerance, tick <= bound.tick + Self.tolerance else {
      throw .outsideWorkout(request.id, date, start: start.date, end: end?.date)
    }
    return min(max(tick, start.tick), bound.tick)
  }
}

// The calls that are on their way.
extension Engine {
  mutating func begin(_ request: SamplesRequest, for client: ClientID) {
    let reading = SamplesReading(request)
    samplesReadings[client] = reading
    effects.append(.read(client, reading.question))
  }

  /// A step has been read.
  mutating func take(
    _ record: SessionRecord?, _ samples: [HeartRateSample], _ id: SessionID, for client: ClientID, _ now: Moment
  ) {
    guard var reading = samplesReadings[client] else { return }
    guard let record else { return failed(client, .noSuchWorkout(id), now) }
    let snapshot: SamplesSnapshot?
    do { snapshot = try reading.take(record, samples, at: now) } catch { return failed(client, error, now) }
    samplesReadings[client] = reading.isOver ? nil : reading
    if let snapshot { reply(client, .samples(snapshot), now) }
    goOnReading(client)
  }

  /// The next step, unless the client has to take what it was told before.
  mutating func goOnReading(_ client: ClientID) {
    guard let reading = samplesReadings[client] else { return }
    let isWaiting = !subscriptions.takesAnswers(client)
    samplesReadings[client]?.isWaiting = isWaiting
    if !isWaiting { effects.append(.read(client, reading.question)) }
  }

  private mutating func failed(_ client: ClientID, _ error: ControlError, _ now: Moment) {
    samplesReadings[client] = nil
    reply(client, .error(error), now)
  }
}
