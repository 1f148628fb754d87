import Control
import Measurements
import Testing
import Workout

@Suite struct ControlReplyTests {
  static let wire: [(reply: ControlReply, parameters: String)] = [
    (.status(Samples.fullStatus), SnapshotsTests.fullStatus),
    (
      .session(Samples.fullSession),
      #"{"session":"\#(Samples.id)","state":"ended","sequence":1234,"snapshot":"# + SnapshotsTests.fullSession + "}"
    ),
    (
      .session(Samples.bareSession),
      #"{"session":"\#(Samples.otherID)","state":"notStarted","sequence":1,"snapshot":"# + SnapshotsTests.bareSession
        + "}"
    ),
    (.workouts(WorkoutList()), #"{"workouts":[]}"#),
    (
      .samples(
        SamplesSnapshot(
          start: DatedTick(tick: Tick(nanoseconds: 90_000_000_000), date: Samples.date),
          .samples([
            HeartRateSample(
              sequence: 71, tick: Tick(nanoseconds: 92_500_000_000), measurement: Samples.bareMeasurement,
              payload: [0x00, 0x0F, 0xA5])
          ]), next: 71)),
      #"{"samples":[{"event":71,"date":"2026-11-30T09:10:13.750Z","seconds":2.5,"heartRate":72,"contact":"unknown","#
        + #""rrIntervals":[],"rrTicks":[],"payload":"000fa5"}],"next":71}"#
    ),
    (
      .samples(Samples.values),
      #"{"samples":[],"values":[{"event":70,"date":"2026-11-30T09:10:12.500Z","seconds":1.25,"value":859.375},"#
        + #"{"event":70,"date":"2026-11-30T09:10:12.500Z","seconds":1.25,"value":329.1015625}]}"#
    ),
    (
      .samples(Samples.buckets(continues: false)),
      #"{"samples":[],"buckets":[{"date":"2026-11-30T09:10:21.250Z","seconds":10.0,"count":5,"minimum":120.0,"#
        + #""mean":122.5,"maximum":125.0}],"bucketSeconds":5.0}"#
    ),
    (
      .timings(Samples.timings),
      #"{"calls":[{"method":"GetStatus","count":3,"medianSeconds":0.001,"p99Seconds":0.003,"longestSeconds":0.003}],"#
        + #""heartRates":{"count":0},"turns":{"count":1,"medianSeconds":0.04,"p99Seconds":0.04,"longestSeconds":0.04}}"#
    ),
    (
      .totals([Samples.fullTotals, Samples.bareTotals]),
      #"{"totals":[{"firstDay":"2026-11-30","workouts":3,"elapsedSeconds":5400.0,"coveredSeconds":5000.5,"#
        + #""averageHeartRate":141.25,"maximumHeartRate":187,"rrCount":12000,"energyKilojoules":2100},"#
        + #"{"firstDay":"2026-11-23","workouts":1,"elapsedSeconds":0.0,"coveredSeconds":0.0,"rrCount":0}]}"#
    ),
    (
      .workouts(
        WorkoutList(
          [Samples.fullWorkout, Samples.bareWorkout], next: PageToken(start: Samples.date, id: Samples.id))),
      #"{"workouts":["# + SnapshotsTests.fullWorkout + "," + SnapshotsTests.bareWorkout
        + #"],"nextPage":"2026-11-30T09:10:11.250Z/\#(Samples.id)"}"#
    ),
    (
      .workout(
        Samples.fullWorkout, Samples.clientData,
        anchors: [
          Anchor(
            boot: "b1",
            clocks: Moment(tick: Tick(nanoseconds: 2_500_000_000), wall: Samples.date, isSynchronised: false))
        ]),
      #"{"workout":"# + SnapshotsTests.fullWorkout + #","laps":["# + Samples.lapJSON + #"],"activities":["#
        + Samples.activityJSON
        + #"],"anchors":[{"boot":"b1","bootSeconds":2.5,"date":"2026-11-30T09:10:11.250Z","synchronised":false}],"events":[],"#
        + #""metadata":{"weather":"rain","humid":true},"blob":"AAAA"}"#
    ),
    (
      .workout(Samples.bareWorkout, ClientData()),
      #"{"workout":"# + SnapshotsTests.bareWorkout + #","laps":[],"activities":[],"anchors":[],"events":[]}"#
    ),
    (.revised(Samples.bareWorkout), #"{"workout":"# + SnapshotsTests.bareWorkout + "}"),
    (
      .revised(Samples.bareWorkout, second: Samples.fullWorkout),
      #"{"workout":"# + SnapshotsTests.bareWorkout + #","second":"# + SnapshotsTests.fullWorkout + "}"
    ),
    (
      .athletes([Samples.fullAthlete, Samples.bareAthlete]),
      #"{"athletes":[{"name":"Anna","yearOfBirth":1988,"biologicalSex":"female","massKilograms":62.5,"#
        + #""restingHeartRate":48,"maximumHeartRate":188,"zones":"# + Samples.zonesJSON
        + #","default":true},{"name":"Ben","default":false}]}"#
    ),
    (
      .undone(Samples.edit, [Samples.bareWorkout]),
      #"{"kind":"trim","editDate":"2026-11-30T09:11:41.250Z","workouts":["# + SnapshotsTests.bareWorkout + "]}"
    ),
    (
      // What the first led to is what the third began with; what the second led to is not known any more.
      .edits(Samples.edits),
      #"{"edits":[{"edit":90,"kind":"trim","date":"2026-11-30T09:11:41.250Z","workouts":["\#(Samples.otherID)"],"#
        + #""before":"# + SnapshotsTests.bareWorkout + #","after":"# + SnapshotsTests.bareWorkout
        + #"},{"edit":91,"kind":"split","date":"2026-11-30T09:11:41.250Z","undoneDate":"2026-11-30T09:11:41.250Z","#
        + #""workouts":["\#(Samples.otherID)","\#(Samples.id)"],"before":"# + SnapshotsTests.bareWorkout
        + #"},{"edit":92,"kind":"merge","date":"2026-11-30T09:11:41.250Z","workouts":["\#(Samples.otherID)"],"#
        + #""before":"# + SnapshotsTests.bareWorkout + #"}],"next":3}"#
    ),
    (.restored(Samples.bareWorkout), #"{"workout":"# + SnapshotsTests.bareWorkout + "}"),
    (
      .collected(Samples.bareSession, Samples.bareWorkout),
      #"{"session":"\#(Samples.otherID)","state":"notStarted","sequence":1,"snapshot":"# + SnapshotsTests.bareSession
        + #","workout":"# + SnapshotsTests.bareWorkout + "}"
    ),
    (
      .sessionDetail(
        SessionDetail(Samples.bareSession, laps: [Samples.openLap], activities: [], clientData: Samples.clientData)),
      #"{"session":"\#(Samples.otherID)","state":"notStarted","sequence":1,"snapshot":"# + SnapshotsTests.bareSession
        + #","laps":["# + Samples.openLapJSON
        + #"],"activities":[],"anchors":[],"metadata":{"weather":"rain","humid":true},"blob":"AAAA"}"#
    ),
    (
      .postExercise(Samples.series),
      #"{"samples":[{"event":70,"seconds":1.25,"heartRate":165,"contact":"detected","rrTicks":[880,337]},"#
        + #"{"event":71,"seconds":2.0,"heartRate":72,"contact":"unknown","rrTicks":[]}],"complete":false}"#
    ),
    (
      .events(
        [
          WorkoutEvent(
            kind: .lap, number: 7, start: DatedTick(tick: Tick(nanoseconds: 0), date: Samples.date),
            end: DatedTick(tick: Tick(nanoseconds: 9), date: Samples.later), label: "up"),
          WorkoutEvent(kind: .pause, number: 8, start: DatedTick(tick: Tick(nanoseconds: 0), date: Samples.later)),
        ], next: 2),
      #"{"events":[{"kind":"lap","event":7,"startDate":"2026-11-30T09:10:11.250Z","#
        + #""endDate":"2026-11-30T09:11:41.250Z","label":"up"},"#
        + #"{"kind":"pause","event":8,"startDate":"2026-11-30T09:11:41.250Z"}],"next":2}"#
    ),
  ]

  @Test(arguments: wire)
  func message(of reply: ControlReply, parameters: String) {
    #expect(reply.reply.message == Array((#"{"parameters":"# + parameters + "}").utf8) + [0])
  }

  @Test func watchSnapshot() {
    let expected =
      #"{"parameters":{"sequence":1234,"kind":"snapshot","date":"2026-11-30T09:10:11.250Z","sessions":["#
      + SnapshotsTests.fullSession + "," + SnapshotsTests.bareSession + #"],"straps":["# + SnapshotsTests.fullStrap
      + "," + SnapshotsTests.bareStrap + #"],"durableThrough":1200},"continues":true}"#
    var status = Samples.fullStatus
    status.isRedacted = false
    #expect(WatchSnapshot(status).message == Array(expected.utf8) + [0])
    let redacted = WatchSnapshot(Samples.fullStatus).message
    #expect(VarlinkReply(redacted.dropLast())?.parameters["redacted"] == .bool(true))
    #expect(
      WatchSnapshot(Samples.bareStatus).message
        == Array(
          (#"{"parameters":{"sequence":0,"kind":"snapshot","date":"2026-11-30T09:10:11.250Z","sessions":[],"#
            + #""straps":[],"durableThrough":0},"continues":true}"#).utf8) + [0])
  }

  @Test(arguments: Samples.notices)
  func monitorNotice(_ notice: MonitorNotice, _ members: String) {
    let expected =
      #"{"parameters":{"sequence":9,"kind":"monitoring","date":"2026-11-30T09:10:11.250Z","# + members
      + #""durableThrough":8},"continues":true}"#
    #expect(notice.message == Array(expected.utf8) + [0])
  }
}
