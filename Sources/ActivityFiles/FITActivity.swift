import Measurements
import Workout

/// Makes workouts of what a FIT file tells.
struct FITActivity: Sendable {
  let contents: FITContents
  /// What was received, in the order of time, beats of their own times included.
  let samples: [Sample]
  /// Whether this project wrote the file.
  let isOwn: Bool

  struct Sample: Sendable {
    /// Since FIT's epoch, as far as whole seconds tell.
    var nanoseconds: Int64
    var received: FITContents.Received
  }

  init(_ contents: FITContents) {
    var samples = contents.received.map { received in
      Sample(nanoseconds: Int64(received.at.timestamp) * Self.second, received: received)
    }
    samples += Self.samples(of: contents.beats, beside: samples)
    // By place last of all, since a sort need not keep the order of equals. This project's own are in order.
    isOwn = contents.received.contains { $0.at.offset != nil }
    self.samples =
      isOwn
      ? samples
      : samples.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
        .map(\.element)
    // Everything of them is in the samples.
    self.contents = contents.withoutReceived
  }

  static let second: Int64 = 1_000_000_000
  /// Behind the end that a session tells of, or behind the one before it where none does, what comes later than this is a
  /// clock's error.
  static let mostBehindEnd = Duration.seconds(3600)
  static let mostBetween = Duration.seconds(86_400)

  /// Those with heart rate, in the order of the file.
  func workouts(_ digest: SessionDigest) -> [WorkoutFile] {
    if let whole {
      return [workout(whole, before: nil, whole.id.flatMap { SessionID($0) } ?? digest.id(0))].compactMap { $0 }
    }
    let sessions = contents.sessions.isEmpty ? [FITContents.Session()] : contents.sessions
    let starts = sessions.compactMap(\.start).sorted()
    return sessions.enumerated().filter { isOfItsOwn($0.offset, of: sessions) }.compactMap { index, session in
      let next = session.start.flatMap { start in starts.first { $0 > start } }
      let own = session.id.flatMap { SessionID($0) }
      return workout(session, before: sessions.count > 1 ? next : nil, own ?? digest.id(index))
    }
  }

  /// The one workout of this project's whose activities are the sessions, from the start of the first to the end of the last.
  private var whole: FITContents.Session? {
    guard isOwn, var whole = contents.whole, let first = contents.sessions.first else { return nil }
    whole.start = first.start
    whole.elapsed = contents.sessions.reduce(0) { $0 + min($1.elapsed ?? 0, UInt64(UInt32.max)) }
    return whole
  }

  /// Of sessions that begin at the same time the longest is one, since all of them would have the same records.
  private func isOfItsOwn(_ index: Int, of sessions: [FITContents.Session]) -> Bool {
    guard let start = sessions[index].start else { return true }
    let length = sessions[index].length ?? 0
    return !sessions.indices.contains { other in
      guard other != index, sessions[other].start == start else { return false }
      let otherLength = sessions[other].length ?? 0
      return otherLength > length || (otherLength == length && other < index)
    }
  }

  private func workout(_ session: FITContents.Session, before next: UInt32?, _ id: SessionID) -> WorkoutFile? {
    guard let span = span(of: session, before: next) else { return nil }
    var assembly = WorkoutAssembly(start: span.date, length: span.length)
    for sample in samples[span.samples] {
      let received = sample.received
      assembly.add(
        heartRate: received.heartRate, intervals: received.intervals, contact: received.contact,
        energyKilojoules: received.energyCounter, at: span.offset(sample))
    }
    for loss in contents.losses where span.contains(loss) { assembly.addLoss(at: span.offset(loss)) }
    assembly.pauses = pauses(span)
    assembly.laps = laps(span)
    assembly.activities = activities(session)
    addNotes(span, to: &assembly)
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

// MARK: - Pauses, laps and activities

extension FITActivity {
  private func activities(_ session: FITContents.Session) -> [WorkoutAssembly.Activity] {
    guard session.id != nil, session.id == contents.whole?.id else { return [] }
    return contents.sessions.compactMap { part in
      guard part.isTaken == true, let end = part.end, let elapsed = part.elapsed, elapsed <= UInt64(end) else {
        return nil
      }
      return WorkoutAssembly.Activity(
        kind: part.activity.flatMap { ActivityType(rawValue: $0) } ?? .other,
        location: part.location.flatMap { LocationType(rawValue: $0) } ?? .unknown,
        WorkoutAssembly.Stretch(
          start: .milliseconds(Int64(end) - Int64(elapsed)), end: .milliseconds(Int64(end)), label: part.label))
    }
  }

  private func addNotes(_ span: Span, to assembly: inout WorkoutAssembly) {
    for note in contents.notes where span.contains(note.at) {
      let end = span.offset(note.at)
      guard end >= .zero, end <= span.length else { continue }
      guard let length = note.span else {
        assembly.markers.append(WorkoutAssembly.Stretch(start: end, end: end, label: note.label))
        continue
      }
      let start = end - .milliseconds(Int64(clamping: length))
      if start >= .zero, start < end {
        assembly.segments.append(WorkoutAssembly.Stretch(start: start, end: end, label: note.label))
      }
    }
  }

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
      if lap.goesOn, let last = laps.last, last.end == start {
        laps[laps.count - 1].end = min(end, span.length)
        continue
      }
      if let last = laps.last?.end, !isOwn, start < last + .seconds(1) { start = last }
      (start, end) = (max(.zero, start), min(end, span.length))
      if end > start, laps.count < WorkoutTimeline.most {
        laps.append(WorkoutAssembly.Stretch(start: start, end: end, label: lap.label))
      }
    }
    return laps
  }
}
