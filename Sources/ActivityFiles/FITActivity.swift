import Measurements
import Workout

/// Makes workouts of what a FIT file tells.
struct FITActivity: Sendable {
  private let contents: FITContents
  /// What was received, in the order of time, beats of their own times included.
  private let samples: [Sample]

  private struct Sample: Sendable {
    /// Since FIT's epoch, as far as whole seconds tell.
    var nanoseconds: Int64
    var received: FITContents.Received
  }

  init(_ contents: FITContents) {
    self.contents = contents
    var samples = contents.received.map { received in
      Sample(nanoseconds: Int64(received.at.timestamp) * Self.second, received: received)
    }
    samples += Self.samples(of: contents.beats, beside: samples)
    // By place last of all, since a sort need not keep the order of equals. This project's own are in order.
    let isOwn = contents.received.contains { $0.at.offset != nil }
    self.samples =
      isOwn
      ? samples
      : samples.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
        .map(\.element)
  }

  private static let second: Int64 = 1_000_000_000
  /// Behind the end that a session tells of, or behind the one before it where none does, what comes later than this is a
  /// clock's error.
  private static let mostBehindEnd = Duration.seconds(3600)
  private static let mostBetween = Duration.seconds(86_400)

  /// Those with heart rate, in the order of the file.
  func workouts(_ digest: SessionDigest) -> [WorkoutFile] {
    let sessions = contents.sessions.isEmpty ? [FITContents.Session()] : contents.sessions
    let starts = sessions.compactMap(\.start).sorted()
    return sessions.enumerated().compactMap { index, session in
      let next = session.start.flatMap { start in starts.first { $0 > start } }
      let own = session.id.flatMap { SessionID($0) }
      return workout(session, before: sessions.count > 1 ? next : nil, own ?? digest.id(index))
    }
  }

  private func workout(_ session: FITContents.Session, before next: UInt32?, _ id: SessionID) -> WorkoutFile? {
    guard let span = span(of: session, before: next) else { return nil }
    var assembly = WorkoutAssembly(start: span.date, length: span.length)
    for sample in samples[span.samples] {
      let received = sample.received
      assembly.add(
        heartRate: received.heartRate, intervals: received.intervals, contact: received.contact,
        energyKilojoules: received.energyCounter, at: span.offset(received.at, sample.nanoseconds))
    }
    for loss in contents.losses where span.contains(loss) { assembly.addLoss(at: span.offset(loss)) }
    assembly.pauses = pauses(span)
    assembly.laps = laps(span)
    describe(session, &assembly)
    return assembly.file(id)
  }

  private func describe(_ session: FITContents.Session, _ assembly: inout WorkoutAssembly) {
    let (activity, location) = (session.sport ?? contents.sport ?? FITSport(0, 0)).activity
    assembly.activity = session.activity.flatMap { ActivityType(rawValue: $0) } ?? activity
    assembly.location = session.location.flatMap { LocationType(rawValue: $0) } ?? location
    assembly.title = (session.title ?? contents.workoutName).flatMap { WorkoutTitle($0) }
    assembly.device = contents.device.device
    // 1 kcal is 4.184 kJ; more than two octets of kilocalories no field of the profile has.
    let calories = session.calories.flatMap { UInt16(exactly: $0) }.map { (UInt64($0) * 4184 + 500) / 1000 }
    assembly.energyKilojoules = (session.energy ?? calories).flatMap { Int(exactly: $0) }
    let boundaries = contents.zoneBoundaries.compactMap { $0.flatMap { UInt16(exactly: $0) } }
    if boundaries.count == contents.zoneBoundaries.count {
      do { assembly.zones = try HeartRateZones(bounds: boundaries.map { $0 &+ 1 }) } catch { assembly.zones = nil }
    }
  }
}

// MARK: - When it was

extension FITActivity {
  /// What a session spans.
  private struct Span {
    /// Since FIT's epoch.
    var start: Int64
    var date: WallTime
    var length: Duration
    /// Where the next session begins.
    var limit: Int64
    /// Of the activity's.
    var samples: Range<Int>

    func offset(_ moment: FITContents.Moment, _ nanoseconds: Int64? = nil) -> Duration {
      if let offset = moment.offset { return .milliseconds(Int64(offset)) }
      return .nanoseconds((nanoseconds ?? Int64(moment.timestamp) * FITActivity.second) - start)
    }

    func contains(_ moment: FITContents.Moment) -> Bool {
      let at = Int64(moment.timestamp) * FITActivity.second
      return moment.offset != nil || (at >= start && at < limit)
    }
  }

  /// The start is the session's, else the timer's, else the first heart rate's. The end is the start and the session's
  /// length: its timestamp is when it was written, which may be before everything else ("summary first").
  ///
  /// - Returns: nil where there is no heart rate in it.
  private func span(of session: FITContents.Session, before next: UInt32?) -> Span? {
    guard let first = samples.first else { return nil }
    let limit = next.map { Int64($0) * Self.second } ?? .max
    let told = session.start ?? contents.timer.first { $0.isStart }?.at.timestamp
    var start = told.map { Int64($0) * Self.second } ?? first.nanoseconds
    let isOwn = first.received.at.offset != nil
    var range = isOwn ? samples.startIndex..<samples.endIndex : range(from: start, before: limit)
    if range.isEmpty, next == nil, contents.sessions.count <= 1 {
      // A start behind everything is of a clock that was set meanwhile.
      start = first.nanoseconds
      range = samples.startIndex..<samples.endIndex
    }
    var length = session.elapsed.map { Duration.milliseconds(Int64(clamping: min($0, UInt64(UInt32.max)))) }
    if !isOwn {
      range = range.lowerBound..<end(of: range, from: start, length)
      guard let last = samples[range].last else { return nil }
      let lastTimer = contents.timer.last { Int64($0.at.timestamp) * Self.second < limit }.map {
        Duration.nanoseconds(Int64($0.at.timestamp) * Self.second - start)
      }
      let lastSample = Duration.nanoseconds(last.nanoseconds - start)
      let isNear = lastTimer.map { $0 - lastSample < Self.mostBetween } ?? false
      length = max(length ?? (isNear ? lastTimer ?? .zero : .zero), lastSample)
    }
    guard samples[range].contains(where: { $0.received.heartRate > 0 || !$0.received.intervals.isEmpty }) else {
      return nil
    }
    let fraction = Duration.nanoseconds(Int64(min(session.startFraction ?? 0, 999_999_999)))
    let date = FITProfile.epoch + .nanoseconds(start) + fraction
    return Span(start: start, date: date, length: length ?? .zero, limit: limit, samples: range)
  }

  private func range(from start: Int64, before limit: Int64) -> Range<Int> {
    let first = samples.firstIndex { $0.nanoseconds >= start } ?? samples.endIndex
    let end = samples[first...].firstIndex { $0.nanoseconds >= limit } ?? samples.endIndex
    return first..<end
  }

  /// Where those end that are not hours outside.
  private func end(of range: Range<Int>, from start: Int64, _ length: Duration?) -> Int {
    var last = start
    for index in range {
      let at = samples[index].nanoseconds
      let isBehind = length.map { .nanoseconds(at - start) > $0 + Self.mostBehindEnd } ?? true
      if isBehind, .nanoseconds(at - last) > (length == nil ? Self.mostBetween : .zero) { return index }
      last = at
    }
    return range.upperBound
  }
}

// MARK: - Pauses and laps

extension FITActivity {
  private func pauses(_ span: Span) -> [WorkoutAssembly.Stretch] {
    var pauses: [WorkoutAssembly.Stretch] = []
    var since: Duration?
    func add(until end: Duration) {
      guard let begun = since else { return }
      let start = max(begun, pauses.last?.end ?? .zero)
      if end > start { pauses.append(WorkoutAssembly.Stretch(start: start, end: min(end, span.length))) }
      since = nil
    }
    for event in contents.timer where span.contains(event.at) {
      let offset = min(max(.zero, span.offset(event.at)), span.length)
      if event.isStart {
        add(until: offset)
      } else if since == nil {
        since = offset
      }
    }
    add(until: span.length)
    return pauses
  }

  /// One lap of all of it is what a device writes where nobody has taken any.
  private func laps(_ span: Span) -> [WorkoutAssembly.Stretch] {
    var laps: [WorkoutAssembly.Stretch] = []
    let all = contents.laps.filter { lap in
      let start = lap.start ?? lap.at.timestamp
      return span.contains(FITContents.Moment(timestamp: start, offset: lap.at.offset))
    }
    let isOwn = all.contains { $0.isTaken != nil }
    if !isOwn, all.count < 2 { return [] }
    for lap in all where lap.isTaken ?? true {
      let elapsed = lap.elapsed.map { Duration.milliseconds(Int64(clamping: $0)) }
      var (start, end) = (Duration.zero, Duration.zero)
      if lap.at.offset != nil {
        end = span.offset(lap.at)
        start = end - (elapsed ?? .zero)
      } else {
        let moment = FITContents.Moment(timestamp: lap.start ?? lap.at.timestamp)
        start = span.offset(moment)
        end = elapsed.map { start + $0 } ?? span.offset(lap.at)
      }
      // A start is told in whole seconds, and an end that comes of a length is not.
      if let last = laps.last?.end, !isOwn, start < last + .seconds(1) { start = last }
      (start, end) = (max(.zero, start), min(end, span.length))
      if end > start, laps.count < WorkoutTimeline.most {
        laps.append(WorkoutAssembly.Stretch(start: start, end: end, label: lap.label))
      }
    }
    return laps
  }
}

// MARK: - Beats with times of their own

extension FITActivity {
  /// How near to a record with a heart rate a beat tells nothing new.
  private static let near: Int64 = 5 * second

  /// Beats of times that the records know no heart rate of; intervals only where there is no `hrv` message, which would tell
  /// of the same.
  private static func samples(of beats: FITBeats, beside samples: [Sample]) -> [Sample] {
    guard beats.count > 0 else { return [] }
    let hasIntervals = samples.contains { !$0.received.intervals.isEmpty }
    let known = samples.filter { $0.received.heartRate > 0 }.map(\.nanoseconds).sorted()
    var added: [Sample] = []
    var place = 0
    for beat in beats.heartRates.sorted(by: { $0.nanoseconds < $1.nanoseconds }) {
      while place < known.count, known[place] < beat.nanoseconds - near { place += 1 }
      let isKnown = place < known.count && known[place] <= beat.nanoseconds + near
      let intervals = hasIntervals ? [] : beat.intervals
      if isKnown, intervals.isEmpty { continue }
      added.append(sample(beat, heartRate: isKnown ? 0 : beat.heartRate, intervals))
    }
    if !hasIntervals, beats.heartRates.isEmpty {
      added += beats.intervals.map { sample($0, heartRate: 0, $0.intervals) }
    }
    return added
  }

  private static func sample(_ beat: FITBeats.Beat, heartRate: UInt16, _ intervals: [RRInterval]) -> Sample {
    let timestamp = UInt32(clamping: beat.nanoseconds / second)
    let at = FITContents.Moment(timestamp: timestamp)
    return Sample(
      nanoseconds: beat.nanoseconds,
      received: FITContents.Received(at: at, heartRate: heartRate, intervals: intervals))
  }
}
