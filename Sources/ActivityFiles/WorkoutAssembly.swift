import Control
import Measurements
import Workout

/// Puts a workout together from what a file of another program tells of it; statistics are counted as a live workout's are.
public struct WorkoutAssembly: Sendable {
  public var activity = ActivityType.other
  public var location = LocationType.unknown
  public var title: WorkoutTitle?
  public var notes: String?
  public var device = WorkoutFile.Device()
  /// The zones that time is to be told by.
  public var zones: HeartRateZones?
  /// What was spent, where the file tells of it; else it is what the samples' counters come to.
  public var energyKilojoules: Int?
  /// When it began, and how long it took, pauses included.
  public var start: WallTime
  public var length: Duration
  /// Stretches in which it did not run, and its laps, in the order of time since the start.
  public var pauses: [Stretch] = []
  public var laps: [Stretch] = []
  /// Its activities, in the order of time; one that begins in another begins where that ends.
  public var activities: [Activity] = []
  /// Within the workout: stretches that may overlap, and moments, whose start and end are one.
  public var segments: [Stretch] = []
  public var markers: [Stretch] = []
  private var samples: [Sample] = []
  private var losses: [Duration] = []

  /// From a moment to another, both since the start.
  public struct Stretch: Hashable, Sendable {
    public var start: Duration
    public var end: Duration
    public var label: String?

    public init(start: Duration, end: Duration, label: String? = nil) {
      self.start = start
      self.end = end
      self.label = label
    }
  }

  /// An activity within the workout, with its stretch and what it is called.
  public struct Activity: Hashable, Sendable {
    public var kind: ActivityType
    public var location: LocationType
    public var stretch: Stretch

    public init(kind: ActivityType, location: LocationType, _ stretch: Stretch) {
      self.kind = kind
      self.location = location
      self.stretch = stretch
    }
  }

  fileprivate struct Sample: Sendable {
    var offset: Duration
    var measurement: HeartRateMeasurement
    var payload: [UInt8]
    var lastBeat: Duration?
  }

  public init(start: WallTime, length: Duration = .zero) {
    self.start = start
    self.length = length
  }

  public var sampleCount: Int { samples.count }

  /// Adds a measurement as a strap sent it.
  ///
  /// - Parameter lastBeat: when its last beat was, where that is known; else it is found as of a strap's.
  public mutating func add(
    _ measurement: HeartRateMeasurement, _ payload: [UInt8], at offset: Duration, lastBeat: Duration? = nil
  ) {
    samples.append(Sample(offset: offset, measurement: measurement, payload: payload, lastBeat: lastBeat))
  }

  /// Adds a value that came without the octets that were sent, with those that say the same.
  ///
  /// - Parameters:
  ///   - heartRate: in beats a minute; 0 where there was none.
  ///   - intervals: those that ended since the sample before, oldest first.
  ///   - energyKilojoules: the strap's counter, where it was sent.
  ///   - lastBeat: when the last of them ended, where that is known; else it is found as of a strap's.
  public mutating func add(
    heartRate: UInt16, intervals: [RRInterval] = [], contact: SensorContact = .unknown,
    energyKilojoules: UInt16? = nil, at offset: Duration, lastBeat: Duration? = nil
  ) {
    // HRS 1.0, section 3.1: the flags, the heart rate in one octet or two, the energy, then intervals in 1/1024 s.
    var flags: UInt8 =
      switch contact {
      case .unknown: 0
      case .notDetected: 0x04
      case .detected: 0x06
      }
    if heartRate > 255 { flags |= 0x01 }
    if energyKilojoules != nil { flags |= 0x08 }
    if !intervals.isEmpty { flags |= 0x10 }
    var payload: [UInt8] = [flags, UInt8(heartRate & 0xFF)]
    if heartRate > 255 { payload.append(UInt8(heartRate >> 8)) }
    if let energyKilojoules { payload += [UInt8(energyKilojoules & 0xFF), UInt8(energyKilojoules >> 8)] }
    for interval in intervals {
      payload += [UInt8(interval.ticks1024 & 0xFF), UInt8(interval.ticks1024 >> 8)]
    }
    guard let measurement = HeartRateMeasurement(sent: payload) else { return }
    add(measurement, payload, at: offset, lastBeat: lastBeat)
  }

  /// Nothing is known from here to the next measurement: the last value does not hold on.
  public mutating func addLoss(at offset: Duration) {
    losses.append(offset)
  }

  /// The workout, by an id of its own.
  ///
  /// - Parameter id: its own where the file has one, else by its content (`SessionID(contentOf:)`).
  public func file(_ id: SessionID) -> WorkoutFile {
    let length = max(length, .nanoseconds(1))
    var (events, samples) = ordered(id, length)
    layBeats(of: &samples)
    var workout = FinishedWorkout(
      id: id, activity: activity, location: location, strap: device.address, start: moment(.zero), end: moment(length),
      endReason: .user, summary: IntervalSummary(elapsed: length, wall: length, heartRate: nil, rrCount: 0))
    workout.title = title
    workout.notes = notes
    workout.zones = zones
    var file = WorkoutFile(workout, events: events, samples: samples)
    file.device = device
    do { try file.count() } catch { preconditionFailure("a workout that was put in order: \(error)") }
    if let energyKilojoules { file.workout.summary.energyKilojoules = energyKilojoules }
    return file
  }

  private func moment(_ offset: Duration) -> DatedTick {
    DatedTick(tick: Tick(nanoseconds: 0) + offset, date: start + offset)
  }

  /// An event that is to be put in order: at one moment a workout begins first, then its samples are, then pauses and laps.
  private struct Happening {
    var offset: Duration
    var rank: Int
    var what: EventRecord.What
  }

  /// The rank of samples.
  private static let sampleRank = 1

  private func ordered(_ id: SessionID, _ length: Duration) -> ([EventRecord], [HeartRateSample]) {
    let happenings = happenings(length)
    var events: [EventRecord] = []
    var measured: [HeartRateSample] = []
    measured.reserveCapacity(samples.count)
    var sequence: Int64 = 0
    func add(_ happening: Happening) {
      sequence += 1
      let at = moment(happening.offset)
      events.append(EventRecord(sequence: sequence, session: id, at: at, what: happening.what))
    }
    // Of a million there are no copies, where they are in order.
    var next = happenings[...]
    for sample in samples.isAscending ? samples : samples.ascending {
      while let first = next.first, (first.offset, first.rank) <= (sample.offset, Self.sampleRank) {
        add(next.removeFirst())
      }
      sequence += 1
      measured.append(
        HeartRateSample(
          sequence: sequence, tick: moment(sample.offset).tick, measurement: sample.measurement,
          payload: sample.payload,
          beats: sample.lastBeat.map { BeatTimeline.Placement(lastBeat: moment($0).tick, uncertainty: .zero) }))
    }
    for happening in next { add(happening) }
    return (events, measured)
  }

  private func happenings(_ length: Duration) -> [Happening] {
    func transition(_ from: WorkoutState, _ to: WorkoutState, at offset: Duration) -> EventRecord.What {
      let endReason: EndReason? = to == .ended ? .user : nil
      return .transition(Transition(from: from, to: to, at: moment(offset), cause: .user, endReason: endReason))
    }
    let pauses = self.pauses.apart(within: length)
    // What ended in a pause was stopped in it.
    let isPaused = pauses.last.map { $0.end >= length } ?? false
    var all: [Happening] = [
      Happening(offset: .zero, rank: 0, what: transition(.prepared, .running, at: .zero)),
      Happening(offset: length, rank: 4, what: transition(isPaused ? .paused : .running, .stopped, at: length)),
      Happening(offset: length, rank: 5, what: transition(.stopped, .ended, at: length)),
    ]
    for pause in pauses {
      let paused = transition(.running, .paused, at: pause.start)
      all.append(Happening(offset: pause.start, rank: 2, what: paused))
      if pause.end < length {
        all.append(Happening(offset: pause.end, rank: 1, what: transition(.paused, .running, at: pause.end)))
      }
    }
    for lap in laps.apart(within: length).prefix(WorkoutTimeline.most) {
      let interval = WorkoutInterval(start: moment(lap.start), end: moment(lap.end), label: lap.label)
      all.append(Happening(offset: lap.end, rank: 3, what: .lap(interval)))
    }
    for (offset, event) in told(within: length) { all.append(Happening(offset: offset, rank: 3, what: event)) }
    for loss in losses { all.append(Happening(offset: loss, rank: 2, what: .linkLost)) }
    // By place in the list last of all, since a sort need not keep the order of equals.
    let sorted = all.enumerated().sorted { a, b in
      (a.element.offset, a.element.rank, a.offset) < (b.element.offset, b.element.rank, b.offset)
    }
    return sorted.map(\.element)
  }

  /// What clients have said of it beside its laps, and when each was said.
  private func told(within length: Duration) -> [(offset: Duration, event: EventRecord.What)] {
    var told: [(offset: Duration, event: EventRecord.What)] = []
    var done = Duration.zero
    for activity in activities.prefix(WorkoutTimeline.most) {
      let (start, end) = (max(activity.stretch.start, done), min(activity.stretch.end, length))
      guard end > start else { continue }
      done = end
      let began = ActivityStart(
        activity: activity.kind, location: activity.location, start: moment(start), label: activity.stretch.label)
      told += [(start, .activityBegan(began)), (end, .activityEnded(moment(end)))]
    }
    for segment in segments {
      let interval = WorkoutInterval(start: moment(segment.start), end: moment(segment.end), label: segment.label)
      told.append((segment.end, .segment(interval)))
    }
    for marker in markers { told.append((marker.start, .marker(moment(marker.start), label: marker.label))) }
    return told
  }

  private func layBeats(of samples: inout [HeartRateSample]) {
    var beats = BeatTimeline()
    var lost = losses.sorted()[...]
    for index in samples.indices {
      let sample = samples[index]
      while let loss = lost.first, Tick(nanoseconds: 0) + loss < sample.tick {
        beats.interrupt()
        lost.removeFirst()
      }
      if sample.beats == nil {
        samples[index].beats = beats.place(sample.measurement.rrIntervals, isRepeat: false, at: sample.tick)
      }
    }
  }
}

extension [WorkoutAssembly.Sample] {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0.offset <= $1.offset } }

  /// In the order of time, and of those of one moment in that of their places.
  fileprivate var ascending: [WorkoutAssembly.Sample] {
    indices.sorted { (self[$0].offset, $0) < (self[$1].offset, $1) }.map { self[$0] }
  }
}

extension [WorkoutAssembly.Stretch] {
  /// In order and within the workout, none in another: where two overlap, the second begins where the first ends.
  fileprivate func apart(within length: Duration) -> [WorkoutAssembly.Stretch] {
    var apart: [WorkoutAssembly.Stretch] = []
    for var stretch in sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      stretch.start = Swift.max(stretch.start, apart.last?.end ?? .zero)
      stretch.end = Swift.min(stretch.end, length)
      if stretch.end > stretch.start { apart.append(stretch) }
    }
    return apart
  }
}

extension HeartRateMeasurement {
  /// nil for octets that are no measurement.
  init?(sent payload: [UInt8]) {
    do { try self.init(payload) } catch { return nil }
  }
}

extension SessionID {
  /// What a workout is known by that comes in a file without an id: by its octets.
  public init(contentOf octets: [UInt8]) {
    var digest = SHA256()
    digest.update(octets)
    self.init(digest: digest.octets)
  }
}
