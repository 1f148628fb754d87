import Control
import Measurements
import Workout

/// What goes on the wire about sessions and workouts.
extension Samples {
  static let replies = otherReplies + workoutReplies + recordingReplies
  static let events = otherEvents + workoutEvents
  static let errors = otherErrors + workoutErrors + recordingErrors

  static let zones = HeartRateZones(text: "120 150")!
  static let zonesJSON = #"[{"upper":120},{"lower":120,"upper":150},{"lower":150}]"#
  static let alert = WorkoutAlert(text: "above 160 debounce 10 delay 60")!
  static let alertJSON = #"{"kind":"above","heartRate":160,"debounceSeconds":10.0,"initialDelaySeconds":60.0}"#

  /// Every kind of alert, with its form on the wire.
  static let alerts: [(alert: WorkoutAlert, json: String)] = [
    (alert, alertJSON),
    (
      WorkoutAlert(text: "below 90 debounce 0 delay 0")!,
      #"{"kind":"below","heartRate":90,"debounceSeconds":0.0,"initialDelaySeconds":0.0}"#
    ),
    (
      WorkoutAlert(text: "outsideZone 2 debounce 0 delay 0")!,
      #"{"kind":"outsideZone","zone":2,"debounceSeconds":0.0,"initialDelaySeconds":0.0}"#
    ),
    (
      WorkoutAlert(text: "every 300 debounce 0 delay 0")!,
      #"{"kind":"every","intervalSeconds":300.0,"debounceSeconds":0.0,"initialDelaySeconds":0.0}"#
    ),
  ]

  static let summary = HeartRateSummary(
    count: 88, minimum: 61, maximum: 172, average: 140, mostRecent: 165,
    mostRecentTick: Tick(nanoseconds: 89_000_000_000), covered: .milliseconds(88_500),
    timeInZones: [.milliseconds(500), .seconds(80), .seconds(8)])

  static let interval = IntervalSummary(
    elapsed: .seconds(72), wall: .seconds(90), heartRate: summary, rrCount: 91, energyKilojoules: 310)
  static let nothing = IntervalSummary(elapsed: .zero, wall: .zero, heartRate: nil, rrCount: 0)

  static let lap = FinishedWorkout.Lap(
    number: 40, interval: WorkoutInterval(start: dated(date), end: dated(later), label: "up"), summary: interval)
  static let lapJSON =
    #"{"event":40,"startDate":"2026-11-30T09:10:11.250Z","endDate":"2026-11-30T09:11:41.250Z","label":"up","#
    + #""elapsedSeconds":72.0,"wallSeconds":90.0,"# + partStatistics + "}"
  static let openLap = LapSnapshot(number: nil, start: later, end: nil, summary: nothing)
  static let openLapJSON =
    #"{"startDate":"2026-11-30T09:11:41.250Z","elapsedSeconds":0.0,"wallSeconds":0.0,"statistics":{"rrCount":0}}"#

  static let activity = FinishedWorkout.Activity(
    number: 41, began: ActivityStart(activity: .cycling, location: .indoor, start: dated(date), label: "bike"),
    end: dated(later), summary: interval)
  static let activityJSON =
    #"{"event":41,"activity":"cycling","location":"indoor","startDate":"2026-11-30T09:10:11.250Z","#
    + #""endDate":"2026-11-30T09:11:41.250Z","label":"bike","elapsedSeconds":72.0,"wallSeconds":90.0,"#
    + partStatistics + "}"
  static let openActivity = ActivitySnapshot(
    number: 42, began: ActivityStart(activity: .running, location: .unknown, start: dated(later)), end: nil,
    summary: nil)
  static let openActivityJSON =
    #"{"event":42,"activity":"running","location":"unknown","startDate":"2026-11-30T09:11:41.250Z"}"#

  static let partStatistics =
    #""statistics":{"heartRate":{"count":88,"minimum":61,"maximum":172,"average":140.0,"mostRecent":165,"#
    + #""coveredSeconds":88.5,"secondsInZones":[0.5,80.0,8.0]},"rrCount":91,"energyKilojoules":310}"#

  static func dated(_ date: WallTime) -> DatedTick { DatedTick(tick: Tick(nanoseconds: 0), date: date) }

  // MARK: Sessions and workouts

  static let fullSession: SessionSnapshot = {
    var settings = SessionSettings()
    settings.zones = zones
    settings.goals = [.duration(.seconds(1800)), .energy(500)]
    settings.alerts = [alert]
    settings.startsAtFirstBeat = true
    settings.athlete = AthleteName("Anna")
    settings.isUnattended = true
    var snapshot = SessionSnapshot(
      record: SessionRecord(
        id: id,
        configuration: WorkoutConfiguration(activity: .running, location: .outdoor, strap: strap, adapter: adapter),
        strap: strap, state: .ended, created: dated(date),
        start: DatedTick(tick: Tick(nanoseconds: 1), date: date, isRequested: true),
        end: DatedTick(tick: Tick(nanoseconds: 2), date: later, isRequested: true), isUnprepared: true,
        endReason: .user, collection: .finished, settings: settings),
      sequence: 1234, availability: .available, heartRate: 165, countdown: .milliseconds(2500), summary: interval,
      mostRecentDate: later)
    snapshot.trouble = "no strap is in sight"
    snapshot.isComputing = true
    snapshot.zone = 3
    snapshot.typesToCollect = [.heartRate, .stepCount]
    snapshot.collectedTypes = [.heartRate]
    snapshot.lapCount = 2
    snapshot.lap = openLap
    snapshot.activityCount = 1
    snapshot.activity = openActivity
    return snapshot
  }()

  static let bareSession = SessionSnapshot(
    record: SessionRecord(
      id: otherID, configuration: WorkoutConfiguration(), strap: nil, state: .notStarted, created: dated(date),
      start: nil, end: nil, isUnprepared: false, endReason: nil),
    sequence: 1, availability: .unknown, heartRate: nil, countdown: nil, summary: nothing, mostRecentDate: nil)

  static let fullWorkout = {
    var workout = FinishedWorkout(
      id: id, activity: .running, location: .outdoor, strap: strap, start: dated(date),
      end: DatedTick(tick: Tick(nanoseconds: 90_000_000_000), date: later), endReason: .user, summary: interval,
      zones: zones, athlete: AthleteName("Anna"), discarded: Discard(date: later, isSure: true), laps: [lap],
      activities: [activity])
    workout.title = WorkoutTitle("Hill repeats")
    workout.notes = "windy"
    return WorkoutSnapshot(workout)
  }()

  static let fullAthlete = {
    var athlete = AthleteProfile(AthleteName("Anna")!)
    (athlete.yearOfBirth, athlete.biologicalSex, athlete.massKilograms) = (1988, .female, 62.5)
    (athlete.restingHeartRate, athlete.maximumHeartRate, athlete.zones) = (48, 188, zones)
    athlete.isDefault = true
    return athlete
  }()

  static let bareAthlete = AthleteProfile(AthleteName("Ben")!)

  static let edit = WorkoutEditRecord(
    number: 90, kind: .trim, date: later, workouts: [otherID], before: bareWorkout.workout)

  static let edits = WorkoutEdits(
    edits: [
      edit,
      WorkoutEditRecord(
        number: 91, kind: .split, date: later, undone: later, workouts: [otherID, id], before: bareWorkout.workout),
      WorkoutEditRecord(number: 92, kind: .merge, date: later, workouts: [otherID], before: bareWorkout.workout),
    ], after: nil, next: 3)

  static let fullTotals = WorkoutTotals(
    firstDay: "2026-11-30", workouts: 3, elapsed: .seconds(5400), covered: .milliseconds(5000_500), average: 141.25,
    maximum: 187, rrCount: 12_000, energyKilojoules: 2100)

  static let bareTotals = WorkoutTotals(
    firstDay: "2026-11-23", workouts: 1, elapsed: .zero, covered: .zero, average: nil, maximum: nil, rrCount: 0,
    energyKilojoules: nil)

  static let bareWorkout = WorkoutSnapshot(
    FinishedWorkout(
      id: otherID, activity: .other, location: .unknown, strap: nil, start: dated(date), end: dated(date),
      endReason: .sensorAbsent, summary: nothing))

  static let clientData = try! ClientData(metadata: #"{"weather":"rain","humid":true}"#, blob: "AAAA")

  static let workoutReplies: [ControlReply] = [
    .session(fullSession), .session(bareSession), .collected(fullSession, fullWorkout), .collected(bareSession, nil),
    .sessionDetail(
      SessionDetail(
        fullSession, laps: [LapSnapshot(lap), openLap], activities: [ActivitySnapshot(activity), openActivity],
        clientData: clientData)),
    .sessionDetail(SessionDetail(bareSession, laps: [], activities: [], clientData: ClientData())),
    .workouts(WorkoutList([fullWorkout, bareWorkout], next: PageToken(start: date, id: id))), .workouts(WorkoutList()),
    .totals([fullTotals, bareTotals]), .totals([]), .timings(timings), .workout(fullWorkout, clientData),
    .workout(bareWorkout, ClientData()), .restored(fullWorkout),
    .restored(bareWorkout), .revised(bareWorkout, second: fullWorkout), .undone(edit, [fullWorkout, bareWorkout]),
    .edits(edits), .edits(WorkoutEdits(edits: [], after: bareWorkout.workout)),
    .athletes([fullAthlete, bareAthlete]), .athletes([]), .postExercise(series), .samples(samples),
    .samples(values), .samples(buckets(continues: true)), .samples(buckets(continues: false)),
    .samples(SamplesSnapshot(start: dated(date), .samples([]), next: nil)),
    .postExercise(PostExerciseSnapshot(end: Tick(nanoseconds: 0), samples: [], isComplete: true)),
    .events(events(of: WorkoutEvent.Kind.allCases), next: 12), .events([], next: nil),
  ]

  private static func events(of kinds: [WorkoutEvent.Kind]) -> [WorkoutEvent] {
    kinds.map { WorkoutEvent(kind: $0, number: 7, start: dated(date)) }
      + [WorkoutEvent(kind: .lap, number: 8, start: dated(date), end: dated(later), label: "up")]
  }

  static let series = PostExerciseSnapshot(
    end: Tick(nanoseconds: 90_000_000_000),
    samples: [
      HeartRateSample(
        sequence: 70, tick: Tick(nanoseconds: 91_250_000_000), measurement: measurement, payload: []),
      HeartRateSample(
        sequence: 71, tick: Tick(nanoseconds: 92_000_000_000), measurement: bareMeasurement, payload: []),
    ], isComplete: false)

  static let samples = SamplesSnapshot(
    start: DatedTick(tick: Tick(nanoseconds: 90_000_000_000), date: date),
    .samples([
      HeartRateSample(
        sequence: 70, tick: Tick(nanoseconds: 91_250_000_000), measurement: measurement, payload: [0x1E, 0x0A],
        isRepeat: true),
      HeartRateSample(
        sequence: 71, tick: Tick(nanoseconds: 92_000_000_000), measurement: bareMeasurement, payload: [0, 72]),
    ]), next: 71)

  static let values = SamplesSnapshot(
    start: samples.start,
    .values(
      .rrIntervals,
      of: [
        HeartRateSample(
          sequence: 70, tick: Tick(nanoseconds: 91_250_000_000), measurement: measurement, payload: [0x1E, 0x0A])
      ]), next: nil)

  static func buckets(continues: Bool) -> SamplesSnapshot {
    SamplesSnapshot(
      start: samples.start,
      .buckets(
        [
          SeriesBucket(
            start: Tick(nanoseconds: 100_000_000_000), count: 5, minimum: 120, mean: 122.5, maximum: 125)
        ], width: .seconds(5)), next: nil, continues: continues)
  }

  // MARK: Events

  static let workoutEvents: [(event: Event, members: String)] = [
    (
      Event(sequence: 50, date: date, what: .countdown(remaining: nil), session: id),
      #""session":"\#(id)","cancelled":true"#
    ),
    (
      Event(sequence: 51, date: date, what: .lap(LapSnapshot(lap)), session: id),
      #""session":"\#(id)","lap":"# + lapJSON
    ),
    (
      Event(
        sequence: 52, date: date,
        what: .segment(WorkoutInterval(start: dated(date), end: dated(later), label: "hill")), session: id),
      #""session":"\#(id)","startDate":"2026-11-30T09:10:11.250Z","endDate":"2026-11-30T09:11:41.250Z","#
        + #""label":"hill""#
    ),
    (
      Event(sequence: 53, date: date, what: .marker(dated(later), label: "water"), session: id),
      #""session":"\#(id)","startDate":"2026-11-30T09:11:41.250Z","label":"water""#
    ),
    (
      Event(sequence: 54, date: date, what: .marker(dated(later), label: nil), session: id),
      #""session":"\#(id)","startDate":"2026-11-30T09:11:41.250Z""#
    ),
    (
      Event(sequence: 55, date: date, what: .activityBegan(openActivity), session: id),
      #""session":"\#(id)","activity":"# + openActivityJSON
    ),
    (
      Event(sequence: 56, date: date, what: .activityEnded(ActivitySnapshot(activity)), session: id),
      #""session":"\#(id)","activity":"# + activityJSON
    ),
    (Event(sequence: 57, date: date, what: .pauseOrResumeRequest, session: id), #""session":"\#(id)""#),
    (
      Event(sequence: 58, date: date, what: .types([.heartRate, .stepCount]), session: id),
      #""session":"\#(id)","typesToCollect":["heartRate","stepCount"]"#
    ),
    (
      Event(sequence: 59, date: date, what: .zone(3, previous: 2), session: id),
      #""session":"\#(id)","zone":3,"previousZone":2"#
    ),
    (Event(sequence: 60, date: date, what: .zone(1, previous: nil), session: id), #""session":"\#(id)","zone":1"#),
    (
      Event(sequence: 61, date: date, what: .alert(alert, isOn: false), session: id),
      #""session":"\#(id)","alert":"# + alertJSON + #","active":false"#
    ),
    (
      Event(sequence: 62, date: date, what: .goal(.duration(.milliseconds(90_500))), session: id),
      #""session":"\#(id)","goal":{"kind":"duration","seconds":90.5}"#
    ),
    (
      Event(sequence: 63, date: date, what: .goal(.energy(500)), session: id),
      #""session":"\#(id)","goal":{"kind":"energy","kilojoules":500}"#
    ),
    (
      Event(sequence: 64, date: date, what: .session(bareSession), session: otherID),
      #""session":"\#(otherID)","snapshot":"# + SnapshotsTests.bareSession
    ),
    (
      Event(
        sequence: 67, date: date,
        what: .heartRate(
          HeartRateSample(sequence: 67, tick: Tick(nanoseconds: 0), measurement: bareMeasurement, payload: []),
          availability: .available, counted: false, postExercise: otherID), session: id),
      #""session":"\#(id)","heartRate":72,"contact":"unknown","rrIntervals":[],"rrTicks":[],"#
        + #""availability":"available","counted":false,"postExercise":"\#(otherID)""#
    ),
    (Event(sequence: 68, date: date, what: .postExerciseEnded, session: id), #""session":"\#(id)""#),
    (
      Event(sequence: 69, date: date, what: .failed(.sensorAbsent), session: id),
      #""session":"\#(id)","endReason":"sensorAbsent""#
    ),
    (
      Event(sequence: 70, date: date, what: .host(isWorking: false, advice: "plug it in"), session: id),
      #""session":"\#(id)","working":false,"advice":"plug it in""#
    ),
    (
      Event(sequence: 71, date: date, what: .host(isWorking: true, advice: nil), session: id),
      #""session":"\#(id)","working":true"#
    ),
    (
      Event(
        sequence: 72, date: date, what: .unattended(.started(date, athlete: AthleteName("Anna"))), session: id,
        strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","unattended":"started","#
        + #""startDate":"2026-11-30T09:10:11.250Z","athlete":"Anna""#
    ),
    (
      Event(sequence: 73, date: date, what: .unattended(.wouldStart(date, athlete: nil)), strap: strap),
      #""strap":"F0:F1:F2:F3:F4:F5","unattended":"wouldStart","startDate":"2026-11-30T09:10:11.250Z""#
    ),
    (
      Event(
        sequence: 74, date: date, what: .unattended(.wouldEnd(start: date, end: later, athlete: nil)), strap: strap),
      #""strap":"F0:F1:F2:F3:F4:F5","unattended":"wouldEnd","startDate":"2026-11-30T09:10:11.250Z","#
        + #""endDate":"2026-11-30T09:11:41.250Z""#
    ),
    (Event(sequence: 65, date: date, what: .discarded, session: id), #""session":"\#(id)""#),
    (Event(sequence: 66, date: date, what: .restored, session: id), #""session":"\#(id)""#),
  ]

  // MARK: Errors

  static let workoutErrors: [(error: ControlError, wire: String)] = [
    (
      .stateChanged(id, state: .paused, expected: [.running, .stopped]),
      #"{"error":"io.strapd.StateChanged","parameters":{"session":"\#(id)","state":"paused","#
        + #""expected":["running","stopped"]}}"#
    ),
    (
      .timeline(id, .lap, .outsideWorkout(later, start: date, end: date)),
      #"{"error":"io.strapd.OutsideWorkout","parameters":{"session":"\#(id)","date":"2026-11-30T09:11:41.250Z","#
        + #""startDate":"2026-11-30T09:10:11.250Z","endDate":"2026-11-30T09:10:11.250Z"}}"#
    ),
    (
      .outsideWorkout(id, later, start: date, end: later),
      #"{"error":"io.strapd.OutsideWorkout","parameters":{"session":"\#(id)","date":"2026-11-30T09:11:41.250Z","#
        + #""startDate":"2026-11-30T09:10:11.250Z","endDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .timeline(id, .marker, .outsideWorkout(later, start: date, end: nil)),
      #"{"error":"io.strapd.OutsideWorkout","parameters":{"session":"\#(id)","date":"2026-11-30T09:11:41.250Z","#
        + #""startDate":"2026-11-30T09:10:11.250Z"}}"#
    ),
    (
      .timeline(id, .segment, .endNotAfterStart(end: date, start: later)),
      #"{"error":"io.strapd.EndNotAfterStart","parameters":{"session":"\#(id)","endDate":"2026-11-30T09:10:11.250Z","#
        + #""startDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .timeline(
        id, .lap,
        .lapsOverlap(start: date, end: later, other: WorkoutInterval(start: dated(later), end: dated(later)))),
      #"{"error":"io.strapd.LapsOverlap","parameters":{"session":"\#(id)","startDate":"2026-11-30T09:10:11.250Z","#
        + #""endDate":"2026-11-30T09:11:41.250Z","otherStartDate":"2026-11-30T09:11:41.250Z","#
        + #""otherEndDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .timeline(id, .beginActivity, .activitiesOverlap(date, end: later)),
      #"{"error":"io.strapd.ActivitiesOverlap","parameters":{"session":"\#(id)","date":"2026-11-30T09:10:11.250Z","#
        + #""endDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .timeline(id, .lap, .tooMany),
      #"{"error":"io.strapd.TooMany","parameters":{"session":"\#(id)","call":"lap","most":1000}}"#
    ),
    (
      .unknownType("steps"),
      #"{"error":"io.strapd.UnknownType","parameters":{"type":"steps","allowed":["heartRate","activeEnergyBurned","#
        + #""stepCount","runningSpeed","distanceWalkingRunning","cyclingCadence","cyclingSpeed","distanceCycling"]}}"#
    ),
    (
      .invalidZones(.hole(zone: 1, upper: 120, next: 125)),
      #"{"error":"io.strapd.InvalidZones","parameters":{"text":"zone 1 ends at 120, and zone 2 begins at 125","#
        + #""allowed":"3 to 9 zones, each beginning where the one before it ends, the first open below, the last open "#
        + #"above, bounds rising from 20 to 300"}}"#
    ),
    (
      .invalidGoal(2),
      #"{"error":"io.strapd.InvalidGoal","parameters":{"index":2,"allowed":"duration with seconds from 1 to 604800 "#
        + #"(a week), or energy with kilojoules from 1 to 1000000; 32 goals at most"}}"#
    ),
    (
      .invalidAlert(0, InvalidAlert(.noSuchZone(4))),
      #"{"error":"io.strapd.InvalidAlert","parameters":{"index":0,"#
        + #""text":"its zone 4 is not among the session's zones: set those first, or alerts without it"}}"#
    ),
    (
      .tooLarge(id, .metadataTooLarge(70_000)),
      #"{"error":"io.strapd.TooLarge","parameters":{"session":"\#(id)","parameter":"metadata","octets":70000,"#
        + #""most":65536}}"#
    ),
    (
      .tooLarge(id, .blobTooLarge(65_537)),
      #"{"error":"io.strapd.TooLarge","parameters":{"session":"\#(id)","parameter":"blob","octets":65537,"#
        + #""most":65536}}"#
    ),
  ]
}
