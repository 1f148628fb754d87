import Measurements
import Workout

/// What a FIT file tells of a workout's course, in the order of time: the timer, a record a second, intervals, losses.
///
/// It follows what a live builder counts, so that the file's records and intervals are those of the saved statistics.
struct FITCourse: Sendable {
  private(set) var entries: [Entry] = []
  private let workout: WorkoutFile
  private var isRunning = false
  private var types = Set(CollectedType.allCases)
  /// What holds.
  private var held: Held?
  /// A reading of the energy counter that no record has told yet.
  private var energyCounter: UInt16?
  private var isWithoutContact = false
  private var lastSecond = Int64.min

  struct Entry: Sendable {
    var tick: Tick
    var what: What
  }

  enum What: Sendable {
    case timerStarted
    case timerStopped
    /// The last value holds no longer: the link was lost, or the strap touches no skin.
    case lost(isContact: Bool)
    /// At a whole second.
    case record(Held, energyCounter: UInt16?)
    /// A packet's intervals that are beats.
    case intervals([RRInterval])
  }

  /// What a record shows, and when it was received. There is one for each second, so that it is no larger than it has to be.
  struct Held: Hashable, Sendable {
    var tick: Tick
    var heartRate: UInt16
    var hasContact: Bool
  }

  init(_ workout: WorkoutFile) {
    self.workout = workout
    var marks = DatedMark.marks(of: workout.events)[...]
    for sample in workout.samples {
      while let mark = marks.first, mark.precedes(sample) { take(marks.removeFirst()) }
      take(sample)
    }
    for mark in marks { take(mark) }
  }

  private mutating func take(_ mark: DatedMark) {
    tell(until: mark.tick)
    switch mark.mark {
    case .began, .resumed:
      guard !isRunning else { return }
      isRunning = true
      isWithoutContact = false
      entries.append(Entry(tick: mark.tick, what: .timerStarted))
    case .paused, .ended:
      held = nil
      energyCounter = nil
      isRunning = false
      entries.append(Entry(tick: mark.tick, what: .timerStopped))
    case .linkLost: lose(isContact: false, at: mark.tick)
    case .collects(let types):
      self.types = types
      if !types.contains(.heartRate) { lose(isContact: false, at: mark.tick) }
      if !types.contains(.activeEnergyBurned) { energyCounter = nil }
    case .lapBegan, .lapEnded, .activityBegan, .activityEnded: break
    }
  }

  private mutating func take(_ sample: HeartRateSample) {
    guard isRunning else { return }
    tell(until: sample.tick)
    let measurement = sample.measurement
    if measurement.contact != .notDetected, types.contains(.activeEnergyBurned) {
      energyCounter = measurement.energyKilojoules ?? energyCounter
    }
    guard types.contains(.heartRate) else { return }
    guard measurement.contact != .notDetected else {
      if !isWithoutContact { lose(isContact: true, at: sample.tick) }
      isWithoutContact = true
      return
    }
    isWithoutContact = false
    if sample.beatCount > 0 {
      let beats = measurement.rrIntervals.filter { $0.ticks1024 > 0 }
      entries.append(Entry(tick: sample.tick, what: .intervals(beats)))
    }
    if sample.hasHeartRate {
      held = Held(tick: sample.tick, heartRate: measurement.heartRate, hasContact: measurement.contact == .detected)
    }
  }

  private mutating func lose(isContact: Bool, at tick: Tick) {
    held = nil
    guard isRunning else { return }
    entries.append(Entry(tick: tick, what: .lost(isContact: isContact)))
  }

  /// Tells of the whole seconds before a tick in which the last value still holds.
  private mutating func tell(until tick: Tick) {
    guard isRunning, let held else { return }
    let end = min(tick, held.tick + HeartRateStatistics.longestHold)
    var second = max(workout.second(atOrAfter: held.tick), lastSecond &+ 1)
    while workout.tick(ofSecond: second) < end {
      let entry = Entry(tick: workout.tick(ofSecond: second), what: .record(held, energyCounter: energyCounter))
      entries.append(entry)
      energyCounter = nil
      lastSecond = second
      second += 1
    }
  }
}

extension WorkoutFile {
  /// The first whole second since 1970 at or after a tick.
  fileprivate func second(atOrAfter tick: Tick) -> Int64 {
    let (quotient, remainder) = date(of: tick).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder > 0 ? quotient + 1 : quotient
  }

  fileprivate func tick(ofSecond second: Int64) -> Tick {
    workout.start.tick + (WallTime(nanoseconds: 0) + .seconds(second) - workout.start.date)
  }
}

// MARK: - Milliseconds since the start

extension WorkoutFile {
  /// Since the start, to the nearest millisecond, as FIT's durations have it; held within what a field can say.
  func milliseconds(to tick: Tick) -> UInt32 {
    (tick - workout.start.tick).wholeMilliseconds
  }
}

extension Duration {
  /// To the nearest millisecond, held within what a field of FIT can say.
  var wholeMilliseconds: UInt32 {
    UInt32(clamping: min((max(.zero, self) + .microseconds(500)).wholeNanoseconds / 1_000_000, 0xFFFF_FFFE))
  }
}
