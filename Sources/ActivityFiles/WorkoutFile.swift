import Control
import Measurements
import Workout

/// A finished workout as files hold it: everything that was recorded of it, on a clock that begins with the workout.
public struct WorkoutFile: Hashable, Sendable {
  /// Its start's tick is 0, and all ticks count from there. Its slices are empty: the file has the whole of it.
  public var workout: FinishedWorkout
  /// What happened, ascending by sequence number, of which events and samples have one order from 1 on.
  public var events: [EventRecord]
  /// All measurements, ascending by sequence number; those behind the workout's end are the series after it.
  public var samples: [HeartRateSample]
  /// The strap, as far as it is known.
  public var device = RecordedDevice()
  /// What a client kept with it.
  public var clientData = ClientData()
  /// What led from the clocks that it was recorded by to dates; none where the file came from elsewhere.
  public var anchors: [Anchor] = []
  /// Nothing is left out: where it says nothing of an athlete or of zones, there were none.
  public var isComplete = false

  public typealias Device = RecordedDevice

  public init(_ workout: FinishedWorkout, events: [EventRecord], samples: [HeartRateSample]) {
    self.workout = workout
    self.events = events
    self.samples = samples
  }

  /// The most samples of one workout that is read from a file: eleven days at one a second, a day at ten.
  public static let mostSamples = 1_000_000
}

extension WorkoutFile {
  /// When a tick of the file was, by the workout's own date.
  public func date(of tick: Tick) -> WallTime {
    workout.start.date + (tick - workout.start.tick)
  }

  /// The stretches in which it ran, ascending; pauses lie between them.
  public var runningIntervals: [(start: Tick, end: Tick)] {
    var intervals: [(start: Tick, end: Tick)] = []
    var since: Tick?
    for mark in DatedMark.marks(of: events) {
      switch mark.mark {
      case .began, .resumed: since = since ?? mark.tick
      case .paused, .ended:
        if let start = since, mark.tick > start { intervals.append((start, mark.tick)) }
        since = nil
      case .linkLost, .lapBegan, .lapEnded, .activityBegan, .activityEnded, .collects: break
      }
    }
    if let since, workout.end.tick > since { intervals.append((since, workout.end.tick)) }
    return intervals
  }
}

/// A format of files that hold workouts.
public enum ActivityFormat: String, Hashable, Sendable, CaseIterable {
  case fit, tcx, csv, json, rr
  /// An HCI log, which is read and not written.
  case btsnoop
}

/// Why a file cannot be read or written.
public struct ActivityFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public var format: ActivityFormat
  /// Where in the file, in octets from its beginning; nil where it is about the whole of it.
  public var offset: Int?
  /// What is wrong, to stand behind the file's name: "ends inside a record".
  public var text: String

  public init(_ format: ActivityFormat, at offset: Int? = nil, _ text: String) {
    self.format = format
    self.offset = offset
    self.text = text
  }

  public var description: String {
    "as \(format.rawValue)\(offset.map { ", at octet \($0)" } ?? ""): \(text)"
  }
}
