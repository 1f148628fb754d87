import Measurements
import Workout

@testable import Control

extension Samples {
  static let timings = TimingsSnapshot(
    calls: [
      TimingSnapshot(
        method: "GetStatus", count: 3, median: .milliseconds(1), percentile99: .milliseconds(3),
        longest: .milliseconds(3))
    ], heartRates: TimingSnapshot(method: nil, count: 0, median: nil, percentile99: nil, longest: nil),
    turns: TimingSnapshot(
      method: nil, count: 1, median: .milliseconds(40), percentile99: .milliseconds(40), longest: .milliseconds(40)))

  private static let recordingStart = dated(date)

  private static func at(_ seconds: Int64, isRequested: Bool = false) -> DatedTick {
    let start = recordingStart
    let date = start.date + .seconds(seconds)
    return DatedTick(tick: start.tick + .seconds(seconds), date: date, isRequested: isRequested)
  }

  /// One of each kind, and those that differ in what they have.
  static let recordedWhats: [EventRecord.What] = [
    .transition(Transition(from: .prepared, to: .running, at: at(0), cause: .user)),
    .transition(
      Transition(from: .stopped, to: .ended, at: at(60, isRequested: true), cause: .auto, endReason: .sensorAbsent)),
    .availability(.noContact), .linkLost, .gap(since: at(3)), .recovered(lastAlive: at(4), .provisionalReboot),
    .clockStep(.nanoseconds(-1_795_000_000_123_456_789)),
    .gapFixed(was: .seconds(3), now: .milliseconds(2500), isProvisional: true),
    .lap(WorkoutInterval(start: at(1), end: at(20, isRequested: true), label: "up")),
    .segment(WorkoutInterval(start: at(1), end: at(20))), .marker(at(5, isRequested: true), label: "hill"),
    .marker(at(5), label: nil),
    .activityBegan(ActivityStart(activity: .cycling, location: .outdoor, start: at(6), label: "bike")),
    .activityEnded(at(8)), .types([.heartRate, .stepCount]),
    .alert(WorkoutAlert(text: "above 160 debounce 0 delay 0")!, isOn: true), .goal(.energy(500)),
    .pauseOrResumeRequest, .failed(.sensorAbsent), .host(isWorking: false), .postExerciseEnded,
  ]

  static let recordedEvents: [EventRecord] = zip(Int64(1)..., recordedWhats).map { number, what in
    EventRecord(sequence: number, session: id, at: at(number, isRequested: number == 2), what: what)
  }

  /// Each kind once, in the order of its first.
  static let recordedKinds: [String] = {
    var kinds: [String] = []
    for event in recordedEvents {
      let kind = event.recorded(as: 1, along: recordingStart)?["kind"]?.asString ?? ""
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }()

  static let recordedDevice: RecordedDevice = {
    var device = RecordedDevice()
    device.address = strap
    device.name = "Chest 1"
    device.information.manufacturer = "Acme"
    device.information.model = "C1"
    device.information.serial = "0007"
    device.information.hardwareRevision = "1"
    device.information.firmwareRevision = "2"
    device.information.softwareRevision = "3"
    device.battery = BatteryLevel(percent: 87)
    return device
  }()

  static let recordedSamples: [HeartRateSample] = [
    HeartRateSample(
      sequence: 70, tick: recordingStart.tick + .nanoseconds(1_250_000_001), measurement: corrected,
      payload: [0x16, 72, 0x00, 0x04, 0x20, 0x00, 0x10, 0x04], isRepeat: true,
      beats: BeatTimeline.Placement(
        lastBeat: recordingStart.tick + .milliseconds(-20), uncertainty: .nanoseconds(12_345_678))),
    HeartRateSample(
      sequence: 71, tick: recordingStart.tick + .seconds(2), measurement: try! HeartRateMeasurement([0, 72]),
      payload: [0, 72]),
  ]

  /// An interval that was no beat's has been taken out.
  private static let corrected: HeartRateMeasurement = {
    var measurement = try! HeartRateMeasurement([0x16, 72, 0x00, 0x04, 0x20, 0x00, 0x10, 0x04])
    measurement.rrIntervals.remove(at: 1)
    measurement.warnings.insert(.shortInterval)
    return measurement
  }()

  static let anchors = [
    Anchor(
      boot: "8f1c", clocks: Moment(tick: Tick(nanoseconds: 864_000_123_456_789), wall: date, isSynchronised: false))
  ]

  static let recordingReplies: [ControlReply] = [
    .recording(
      RecordingSnapshot(.workout(fullWorkout, clientData, recordedDevice, anchors), continues: true)),
    .recording(RecordingSnapshot(.workout(bareWorkout, ClientData(), RecordedDevice(), []), continues: true)),
    .recording(
      RecordingSnapshot(
        .records(
          events: recordedEvents.compactMap { $0.recorded(as: $0.sequence, along: recordingStart) },
          samples: recordedSamples.map { $0.recorded(as: $0.sequence, along: recordingStart) }), continues: true)),
    .recording(RecordingSnapshot(.records(events: [], samples: []), continues: false)),
    .importBegun(id), .importTaken(12), .imported(fullWorkout),
  ]

  private static func place(inTrash: Bool = false, merged: SessionID? = nil, format: String? = nil) -> ImportPlace {
    var place = ImportPlace(id: id)
    (place.merged, place.format, place.isEdited) = (merged, format, format != nil)
    if inTrash {
      place.workout = fullWorkout.workout
      place.workout?.discarded = Discard(date: recordingStart.date, isSure: true)
    }
    return place
  }

  static let recordingErrors: [(error: ControlError, wire: String)] = [
    (
      .workoutExists(place(inTrash: true, merged: otherID)),
      #"{"error":"io.strapd.WorkoutExists","parameters":{"id":"\#(id)","inTrash":true,"into":"\#(otherID)"}}"#
    ),
    (
      .workoutExists(place(format: "fit")),
      #"{"error":"io.strapd.WorkoutExists","parameters":{"id":"\#(id)","inTrash":false,"format":"fit","edited":true}}"#
    ),
    (.importBusy, #"{"error":"io.strapd.ImportBusy","parameters":{}}"#),
    (.noImport, #"{"error":"io.strapd.NoImport","parameters":{}}"#),
    (.importRefused("why"), #"{"error":"io.strapd.ImportRefused","parameters":{"text":"why"}}"#),
  ]
}
