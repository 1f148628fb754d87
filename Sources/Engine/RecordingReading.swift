import Control
import Measurements
import Workout

/// A call of GetRecording that is being answered, in steps as a call of GetSamples is: of each stretch of which the workout
/// is made, its events are read, then its samples among which they stand.
struct RecordingReading: Sendable {
  let id: SessionID
  private var base: RecordingBase?
  /// Which stretch is being read.
  private var part = 0
  private var events: ArraySlice<RecordedEvents.Entry>?
  /// What is collected at the end of the stretches that were read.
  private var types = Set(CollectedType.allCases)
  private var after: Int64 = 0
  /// What is numbered and not told yet.
  private var waiting: ArraySlice<Record> = []
  private var count: Int64 = 0
  /// The client has to take what was told before more is read.
  var isWaiting = false
  /// Another recording has this id by now.
  var isReplaced = false

  private enum Record: Sendable {
    case event(JSON)
    case sample(JSON)
  }

  /// Samples of a step, and events and samples of a reply.
  static let step = 64

  init(_ id: SessionID) {
    self.id = id
  }

  /// What is to be asked of the store next; nil where everything is read.
  var question: Question? {
    guard let base else { return .recording(id) }
    guard part < base.parts.count else { return nil }
    if events == nil { return .recordedEvents(base.parts[part].session) }
    // What is not told yet is told before more is read.
    if waiting.count > Self.step { return .turn }
    return .recordedSamples(base.parts[part].session, after: after, limit: Self.step)
  }

  mutating func take(_ base: RecordingBase) -> RecordingSnapshot {
    self.base = base
    return RecordingSnapshot(
      .workout(WorkoutSnapshot(base.workout), base.clientData, base.device, base.anchors), continues: true)
  }

  mutating func take(_ found: [EventRecord]) {
    guard let base else { return }
    let slices = base.workout.slices
    guard let slice = slices.isEmpty ? nil : slices[part] else {
      events = RecordedEvents(whole: found).entries[...]
      return
    }
    let isLast = part == slices.count - 1
    let recorded = RecordedEvents(
      slice, of: found, as: id, isFirst: part == 0, isLast: isLast ? base.workout.endReason : nil,
      along: base.workout.start, collecting: types)
    types = recorded.types
    events = recorded.entries[...]
  }

  mutating func take(_ samples: [HeartRateSample]) {
    guard let base, part < base.parts.count else { return }
    let bounds = base.parts[part]
    for sample in samples {
      after = sample.sequence
      guard bounds.start.map({ sample.tick >= $0 }) ?? true, bounds.end.map({ sample.tick < $0 }) ?? true else {
        continue
      }
      add(eventsBefore: sample.sequence)
      count += 1
      waiting.append(.sample(sample.recorded(as: count, along: base.workout.start)))
    }
    let isPast = samples.last.map { last in bounds.end.map { last.tick >= $0 } ?? false } ?? false
    guard samples.count < Self.step || isPast else { return }
    add(eventsBefore: .max)
    (part, events, after) = (part + 1, nil, 0)
  }

  private mutating func add(eventsBefore sequence: Int64) {
    guard let base else { return }
    while let entry = events?.first, entry.place < sequence {
      events?.removeFirst()
      guard let json = entry.event.recorded(as: count + 1, along: base.workout.start) else { continue }
      count += 1
      waiting.append(.event(json))
    }
  }

  /// The next reply, where there is enough for one.
  mutating func reply() -> RecordingSnapshot? {
    let isRead = base != nil && question == nil
    guard isRead || waiting.count >= Self.step else { return nil }
    var (events, samples): ([JSON], [JSON]) = ([], [])
    for record in waiting.prefix(Self.step) {
      switch record {
      case .event(let json): events.append(json)
      case .sample(let json): samples.append(json)
      }
    }
    waiting = waiting.dropFirst(Self.step)
    return RecordingSnapshot(.records(events: events, samples: samples), continues: !isRead || !waiting.isEmpty)
  }
}

/// What the store knows of a finished workout's recording.
public struct RecordingBase: Sendable {
  public var workout: FinishedWorkout
  public var clientData: ClientData
  public var device: RecordedDevice
  public var anchors: [Anchor]
  /// The stretches of which it is made; the whole of a session where they have no bounds.
  public var parts: [Part]

  public struct Part: Sendable {
    public var session: SessionID
    public var start: Tick?
    public var end: Tick?

    public init(session: SessionID, start: Tick? = nil, end: Tick? = nil) {
      self.session = session
      self.start = start
      self.end = end
    }
  }

  /// - Parameters:
  ///   - origin: where it was recorded, if that was elsewhere.
  ///   - strap: what is known of its strap.
  ///   - endsWithSession: whether the session of its last slice ends with it, so that the series behind that is its own.
  public init(
    _ workout: FinishedWorkout, _ clientData: ClientData, anchors: [Anchor], strap: StrapRecord?,
    origin: WorkoutOrigin?, endsWithSession: Bool
  ) {
    self.workout = workout
    // All of it is dated by the clock that its start was dated by, as its events and samples are.
    self.workout.end = workout.end.dated(along: workout.start)
    self.clientData = clientData
    let came = origin.flatMap { RecordedOrigin($0.details) }
    self.anchors = came?.anchors ?? anchors
    device = came?.device ?? strap.map { RecordedDevice($0) } ?? RecordedDevice()
    device.address = device.address ?? workout.strap
    parts = workout.slices.map { Part(session: $0.session, start: $0.start.tick, end: $0.end.tick) }
    if endsWithSession, let last = parts.indices.last { parts[last].end = nil }
    if parts.isEmpty { parts = [Part(session: workout.id)] }
  }
}

// The calls that are on their way.
extension Engine {
  mutating func begin(_ reading: RecordingReading, for client: ClientID, _ now: Moment) {
    if subscriptions.isRedacted(client) { return reply(client, .error(.screenLocked), now) }
    recordingReadings[client] = reading
    goOnRecording(client, now)
  }

  mutating func take(_ base: RecordingBase, for client: ClientID, _ now: Moment) {
    guard let snapshot = recordingReadings[client]?.take(base) else { return }
    reply(client, .recording(snapshot), now)
    goOnRecording(client, now)
  }

  mutating func take(recorded events: [EventRecord], for client: ClientID, _ now: Moment) {
    recordingReadings[client]?.take(events)
    goOnRecording(client, now)
  }

  mutating func take(recorded samples: [HeartRateSample], for client: ClientID, _ now: Moment) {
    recordingReadings[client]?.take(samples)
    goOnRecording(client, now)
  }

  /// The next step, unless the client has to take what it was told before.
  mutating func goOnRecording(_ client: ClientID, _ now: Moment) {
    guard var reading = recordingReadings[client] else { return }
    if reading.isReplaced {
      recordingReadings[client] = nil
      return reply(client, .error(.noSuchWorkout(reading.id)), now)
    }
    guard subscriptions.takesAnswers(client) else {
      recordingReadings[client]?.isWaiting = true
      return
    }
    reading.isWaiting = false
    let snapshot = reading.reply()
    let isOver = snapshot.map { !$0.continues } ?? false
    recordingReadings[client] = isOver ? nil : reading
    if let snapshot { reply(client, .recording(snapshot), now) }
    if isOver { return }
    effects.append(.read(client, reading.question ?? .turn))
  }
}
