import Measurements
import Workout

/// A lap as clients see it: one that is closed, or the stretch since the last one.
public struct LapSnapshot: Hashable, Sendable {
  /// The number of its event; nil for a stretch that is no lap yet.
  public var number: Int64?
  public var start: WallTime
  public var end: WallTime?
  public var label: String?
  /// nil while it is being computed from the store.
  public var summary: IntervalSummary?

  public init(number: Int64?, start: WallTime, end: WallTime?, label: String? = nil, summary: IntervalSummary?) {
    self.number = number
    self.start = start
    self.end = end
    self.label = label
    self.summary = summary
  }

  public init(_ lap: FinishedWorkout.Lap) {
    self.init(
      number: lap.number, start: lap.interval.start.date, end: lap.interval.end.date, label: lap.interval.label,
      summary: lap.summary)
  }

  public var json: JSON {
    .object([
      "event": number.map(JSON.integer), "startDate": .string(start.rfc3339),
      "endDate": end.map { .string($0.rfc3339) },
      "label": label.map(JSON.string), "elapsedSeconds": summary.map { .real($0.elapsed.inSeconds) },
      "wallSeconds": summary.map { .real($0.wall.inSeconds) }, "statistics": summary.map { $0.statisticsJSON(nil) },
    ])
  }
}

/// An activity within a workout as clients see it.
public struct ActivitySnapshot: Hashable, Sendable {
  /// The number of the event that began it.
  public var number: Int64
  public var began: ActivityStart
  /// nil while it is under way.
  public var end: WallTime?
  /// nil while it is being computed from the store.
  public var summary: IntervalSummary?

  public init(number: Int64, began: ActivityStart, end: WallTime?, summary: IntervalSummary?) {
    self.number = number
    self.began = began
    self.end = end
    self.summary = summary
  }

  public init(_ activity: FinishedWorkout.Activity) {
    self.init(number: activity.number, began: activity.began, end: activity.end?.date, summary: activity.summary)
  }

  public var json: JSON {
    .object([
      "event": .integer(number), "activity": .string(began.activity.rawValue),
      "location": .string(began.location.rawValue), "startDate": .string(began.start.date.rfc3339),
      "endDate": end.map { .string($0.rfc3339) }, "label": began.label.map(JSON.string),
      "elapsedSeconds": summary.map { .real($0.elapsed.inSeconds) },
      "wallSeconds": summary.map { .real($0.wall.inSeconds) }, "statistics": summary.map { $0.statisticsJSON(nil) },
    ])
  }
}

extension IntervalSummary {
  func statisticsJSON(_ mostRecentDate: WallTime?) -> JSON {
    .object([
      "heartRate": heartRate.map { heartRate in
        .object([
          "count": .integer(Int64(heartRate.count)),
          "minimum": .integer(Int64(heartRate.minimum)),
          "maximum": .integer(Int64(heartRate.maximum)),
          "average": .real(heartRate.average),
          "mostRecent": .integer(Int64(heartRate.mostRecent)),
          "mostRecentDate": mostRecentDate.map { .string($0.rfc3339) },
          "coveredSeconds": .real(heartRate.covered.inSeconds),
          "secondsInZones": heartRate.timeInZones.isEmpty
            ? nil : .array(heartRate.timeInZones.map { .real($0.inSeconds) }),
        ])
      },
      "rrCount": .integer(Int64(rrCount)),
      "energyKilojoules": energyKilojoules.map { .integer(Int64($0)) },
    ])
  }
}

extension WorkoutEvent {
  var json: JSON {
    .object([
      "kind": .string(kind.rawValue), "event": .integer(number), "startDate": .string(start.date.rfc3339),
      "endDate": end.map { .string($0.date.rfc3339) }, "label": label.map(JSON.string),
      "stepSeconds": step.map { .real($0.inSeconds) }, "gapSeconds": away.map { .real($0.inSeconds) },
      "provisional": isProvisional ? .bool(true) : nil,
    ])
  }
}

extension Anchor {
  public var json: JSON {
    .object([
      "boot": .string(boot), "bootSeconds": .real((clocks.tick - Tick(nanoseconds: 0)).inSeconds),
      "date": .string(clocks.wall.rfc3339), "synchronised": .bool(clocks.isSynchronised),
    ])
  }
}

/// The series after a workout's end as clients see it.
public struct PostExerciseSnapshot: Hashable, Sendable {
  /// When the workout ended; the samples are told from there.
  public var end: Tick
  public var samples: [HeartRateSample]
  /// No more will come.
  public var isComplete: Bool

  public init(end: Tick, samples: [HeartRateSample], isComplete: Bool) {
    self.end = end
    self.samples = samples
    self.isComplete = isComplete
  }

  public var json: JSON {
    let samples = samples.map { sample in
      JSON.object([
        "event": .integer(sample.sequence), "seconds": .real((sample.tick - end).inSeconds),
        "heartRate": .integer(Int64(sample.measurement.heartRate)),
        "contact": .string(sample.measurement.contact.rawValue),
        "rrTicks": .array(sample.measurement.rrIntervals.map { .integer(Int64($0.ticks1024)) }),
      ])
    }
    return .object(["samples": .array(samples), "complete": .bool(isComplete)])
  }
}
