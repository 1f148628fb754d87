import Measurements
import Testing
import Workout

@testable import Control

/// Events and samples of a recording, there and back without loss.
@Suite struct RecordedEventTests {
  private let start = Samples.dated(Samples.date)

  @Test func eventsComeBack() throws {
    for event in Samples.recordedEvents {
      let json = try #require(event.recorded(as: event.sequence, along: start))
      let read = try JSON(parsing: json.bytes)
      // When it was written down no client has said.
      #expect(read["requestedDate"] == nil)
      var written = event
      written.at.requested = nil
      #expect(try EventRecord(recorded: read, of: event.session, along: start) == written)
    }
  }

  /// Where the clock was set since, dates go by the workout's own.
  @Test func datesAreOfOneClock() throws {
    var event = Samples.recordedEvents[3]
    let right = event
    event.at.date = event.at.date + .seconds(3600)
    #expect(event.recorded(as: event.sequence, along: start) == right.recorded(as: right.sequence, along: start))
  }

  @Test func theTrashIsNoMatterOfTheRecording() {
    for what in [EventRecord.What.discarded, .restored] {
      let event = EventRecord(sequence: 1, session: Samples.id, at: start, what: what)
      #expect(event.recorded(as: 1, along: start) == nil)
    }
  }

  @Test func samplesComeBack() throws {
    for sample in Samples.recordedSamples {
      let read = try JSON(parsing: sample.recorded(as: sample.sequence, along: start).bytes)
      #expect(try HeartRateSample(recorded: read, along: start) == sample)
    }
  }

  /// Any other moment of the year, to the nanosecond.
  @Test func everyMomentComesBack() throws {
    for nanoseconds: Int64 in [1, 999, 1_000_001, 3_599_999_999_999, 31_535_999_123_456_789] {
      var sample = Samples.recordedSamples[0]
      sample.tick = start.tick + .nanoseconds(nanoseconds)
      sample.beats?.lastBeat = sample.tick + .nanoseconds(-nanoseconds / 7)
      let read = try JSON(parsing: sample.recorded(as: 70, along: start).bytes)
      #expect(try HeartRateSample(recorded: read, along: start) == sample)
    }
  }

  /// Without a member, or with one of another kind, an event is refused or another one; never a trap.
  @Test func whatIsMissing() throws {
    for event in Samples.recordedEvents {
      guard case .object(let members)? = event.recorded(as: event.sequence, along: start) else { continue }
      for index in members.indices {
        var rest = members
        let name = rest.remove(at: index).name
        let isFree = name.hasPrefix("requested") || name == "label"
        let isNeeded = !isFree && (name != "endReason" || event.what == .failed(.sensorAbsent))
        if isNeeded {
          #expect(throws: RecordingError.self, "\(name)") {
            try EventRecord(recorded: .object(rest), of: event.session, along: start)
          }
        }
        rest.append(JSON.Member(name, .array([.integer(7)])))
        #expect(throws: RecordingError.self, "\(name)") {
          try EventRecord(recorded: .object(rest), of: event.session, along: start)
        }
      }
    }
  }

  @Test(arguments: [
    #"{"event":1,"date":"2026-11-30T09:10:12Z"}"#, #"{"event":1,"payload":"0048"}"#,
    #"{"date":"2026-11-30T09:10:12Z","payload":"0048"}"#, #"{"event":1,"date":"yesterday","payload":"0048"}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"00"}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"0048","heartRate":71}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"0048","rrTicks":[5]}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"104800040010","rrTicks":[4096,1024]}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"0048","warnings":["odd"]}"#,
    #"{"event":1,"date":"2026-11-30T09:10:12Z","payload":"0048","lastBeatDate":"2026-11-30T09:10:12Z"}"#,
  ])
  func whatIsNoSample(_ text: String) throws {
    let json = try JSON(parsing: Array(text.utf8))
    #expect(throws: RecordingError.self) { try HeartRateSample(recorded: json, along: start) }
  }

  @Test func whereItCameFromComesBack() throws {
    var workout = ImportedWorkout(id: Samples.id, format: "fit", start: Samples.date, end: Samples.later)
    workout.device = Samples.recordedDevice
    workout.anchors = Samples.anchors
    let origin = try #require(RecordedOrigin(workout.origin))
    #expect(origin.device == workout.device && origin.anchors == workout.anchors)
    #expect(RecordedOrigin("{}") == nil && RecordedOrigin("no") == nil)
  }
}
