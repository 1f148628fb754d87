import Measurements
import Testing
import Workout

@testable import Store

@Suite struct SessionTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
  }

  @Test(arguments: WorkoutState.allCases.filter(\.isLive))
  func comesBackAsItWasWritten(_ state: WorkoutState) throws {
    var session = SessionRecord.example(state: state)
    session.isUnprepared = true
    session.configuration.strap = StrapAddress("00:11:22:33:44:55")
    session.strap = StrapAddress("F0:F1:F2:F3:F4:F5")
    session.start = .at(-20, isRequested: true)
    session.end = .at(50)
    session.endReason = .pauseExpired
    session.collection = .ended
    session.settings.zones = try HeartRateZones(bounds: [100, 120, 140])
    session.settings.typesByHand = [.heartRate, .distanceCycling]
    session.settings.goals = [.duration(.seconds(1_800)), .energy(500)]
    session.settings.alerts = [
      try WorkoutAlert(.above(160), debounce: .seconds(10), initialDelay: .seconds(60)),
      try WorkoutAlert(.every(.milliseconds(90_500))),
    ]
    session.settings.countdownEnd = .at(61)
    session.settings.startsAtFirstBeat = true
    session.settings.isDiscarded = true
    session.settings.athlete = AthleteName("Anna")
    session.settings.isUnattended = true
    try store.commit([.session(.example())], through: 0)
    try store.commit([.session(session)], through: 0)
    #expect(try store.liveSessions() == [session])
  }

  @Test func nothingIsCollectedByHandEither() throws {
    var session = SessionRecord.example()
    session.settings.typesByHand = []
    try store.commit([.session(session)], through: 0)
    #expect(try store.liveSessions() == [session])
  }

  @Test(
    arguments: [
      ("zones = '120'", "'120' are no zones"), ("types_by_hand = 'steps'", "'steps' are no types"),
      ("goals = 'run far'", "'run far' is not a goal"),
      ("alerts = 'above 160 debounce 0 delay 0' || char(10) || 'loud'", "'loud' is not an alert"),
    ])
  func aSettingThatIsUnknownIsNamed(_ assignment: String, _ text: String) throws {
    try store.commit([.session(.example())], through: 0)
    try directory.raw().execute("UPDATE session SET \(assignment)")
    let error = storeError { try store.liveSessions() }
    #expect(error?.text.contains(text) == true)
  }

  @Test func allActivitiesLocationsAndReasonsHaveAName() throws {
    var sessions: [SessionRecord] = []
    for (number, activity) in ActivityType.allCases.enumerated() {
      var session = SessionRecord.example(UInt8(number))
      session.configuration.activity = activity
      session.configuration.location = LocationType.allCases[number % LocationType.allCases.count]
      session.endReason = EndReason.allCases[number % EndReason.allCases.count]
      sessions.append(session)
    }
    try store.commit(sessions.map(Record.session), through: 0)
    #expect(try store.liveSessions() == sessions, "oldest first")
  }

  @Test func thoseThatHaveJustEnded() throws {
    for number in UInt8(1)...4 {
      var session = SessionRecord.example(number, state: number == 4 ? .stopped : .ended)
      session.start = .at(5)
      session.end = number == 3 ? nil : .at(Int64(number) * 10)
      try store.commit([.session(session)], through: 0)
    }
    #expect(try store.ended(since: .at(10)).map(\.id) == [.number(2), .number(1)])
    #expect(try store.ended(since: .at(11)).map(\.id) == [.number(2)])
    let event = EventRecord(sequence: 1, session: .number(2), at: .at(50), what: .postExerciseEnded)
    try store.commit([.event(event)], through: 1)
    #expect(try store.ended(since: .at(11)) == [])
  }

  @Test func anEndedSessionIsLiveNoMore() throws {
    try store.commit([.session(.example(1)), .session(.example(2))], through: 0)
    try store.commit([.session(.example(1, state: .ended))], through: 0)
    #expect(try store.liveSessions().map(\.id) == [.number(2)])
  }

  @Test func rowsAreReadableForOthers() throws {
    var session = SessionRecord.example()
    session.start = .at(5, isRequested: true)
    session.settings.zones = try HeartRateZones(bounds: [100, 120])
    session.settings.alerts = [try WorkoutAlert(.above(160)), try WorkoutAlert(.below(60))]
    session.settings.countdownEnd = .at(9)
    try store.commit([.session(session)], through: 0)
    let rows = try directory.raw().rows(
      """
      SELECT number, id, state, activity, location, wanted_strap, strap, is_unprepared, end_reason, created_boot,
        created_tick, created_date, created_is_requested, start_boot, start_tick, start_date, start_is_requested,
        end_boot, end_tick, end_date, end_is_requested, collection, zones, types_by_hand, goals, alerts,
        countdown_boot, countdown_tick, countdown_date, countdown_is_requested, starts_at_first_beat,
        is_discarded FROM session
      """)
    #expect(
      rows == [
        [
          "1", "00000000-0000-4000-8000-000000000001", "running", "running", "outdoor", "NULL", "NULL", "0", "NULL",
          "1", "1000000000", "1796025601000000000", "0", "1", "5000000000", "1796025605000000000", "1", "NULL", "NULL",
          "NULL", "NULL", "open", "100 120", "NULL", "NULL",
          "above 160 debounce 0 delay 0\nbelow 60 debounce 0 delay 0", "1", "9000000000", "1796025609000000000", "0",
          "0", "0",
        ]
      ])
  }

  @Test func aStateThatDoesNotExistIsRefused() throws {
    try store.commit([.session(.example())], through: 0)
    let error = storeError {
      try directory.raw().execute("UPDATE session SET state = 'dancing'")
    }
    #expect(error?.text.contains("CHECK") == true)
  }

  @Test func aNameThatIsUnknownIsNamed() throws {
    try store.commit([.session(.example())], through: 0)
    try directory.raw().execute("UPDATE session SET activity = 'dancing'")
    let error = storeError { try store.liveSessions() }
    #expect(error?.operation == .read)
    #expect(error?.text.contains("'dancing' is no ActivityType") == true)
  }

  /// What is on record stays in the boot that counted it, however often the session is written later.
  @Test func ticksOfAnEarlierBootAreNotRewritten() throws {
    var session = SessionRecord.example()
    session.start = .at(10)
    try store.commit([.session(session), .alive(.at(20))], through: 0)
    try store.close()

    let later = Moment(tick: .at(5), wall: .boot + .seconds(100))
    let next = try directory.open(bootID: "boot B", at: later)
    var recovered = try #require(try next.liveSessions().first)
    #expect(recovered.start == DatedTick(tick: .at(-85), date: .boot + .seconds(10)))
    recovered.state = .stopped
    recovered.end = DatedTick(at: later)
    try next.commit([.session(recovered)], through: 0)
    #expect(try next.liveSessions() == [recovered])
    #expect(
      try directory.raw().rows(
        "SELECT created_boot, created_tick, start_boot, start_tick, end_boot, end_tick FROM session")
        == [["1", "1000000000", "1", "10000000000", "2", "5000000000"]])
  }
}
