import Measurements
import Testing
import Workout

@Suite struct WorkoutSessionTests {
  enum Outcome: Equatable {
    /// A transition to a state.
    case to(WorkoutState)
    /// A transition to stopped, from where the session ends when its workout is saved.
    case toFinishing
    /// No transition yet: the session ends when its workout is saved.
    case finishing
    /// Redundant: it succeeds and nothing changes.
    case nothing
    /// A typed error with the calls that are possible; nothing changes.
    case refused([SessionCall])
  }

  typealias Line = (state: WorkoutState, call: SessionCall, outcome: Outcome)

  private static let before: [SessionCall] = [.prepare, .start, .end]
  private static let during: [SessionCall] = [.pause, .resume, .stop, .end]

  /// The table of states and calls, written out; of the calls that are possible, those that are in it.
  static let table: [Line] = [
    (.notStarted, .prepare, .to(.prepared)),
    (.notStarted, .start, .to(.running)),
    (.notStarted, .pause, .refused(before)),
    (.notStarted, .resume, .refused(before)),
    (.notStarted, .stop, .refused(before)),
    (.notStarted, .end, .to(.ended)),
    (.prepared, .prepare, .nothing),
    (.prepared, .start, .to(.running)),
    (.prepared, .pause, .refused(before)),
    (.prepared, .resume, .refused(before)),
    (.prepared, .stop, .refused(before)),
    (.prepared, .end, .to(.ended)),
    (.running, .prepare, .refused(during)),
    (.running, .start, .refused(during)),
    (.running, .pause, .to(.paused)),
    (.running, .resume, .nothing),
    (.running, .stop, .to(.stopped)),
    (.running, .end, .toFinishing),
    (.paused, .prepare, .refused(during)),
    (.paused, .start, .refused(during)),
    (.paused, .pause, .nothing),
    (.paused, .resume, .to(.running)),
    (.paused, .stop, .to(.stopped)),
    (.paused, .end, .toFinishing),
    (.stopped, .prepare, .refused([.stop, .end])),
    (.stopped, .start, .refused([.stop, .end])),
    (.stopped, .pause, .refused([.stop, .end])),
    (.stopped, .resume, .refused([.stop, .end])),
    (.stopped, .stop, .nothing),
    (.stopped, .end, .finishing),
    (.ended, .prepare, .refused([.end])),
    (.ended, .start, .refused([.end])),
    (.ended, .pause, .refused([.end])),
    (.ended, .resume, .refused([.end])),
    (.ended, .stop, .refused([.end])),
    (.ended, .end, .nothing),
  ]

  @Test func theTableIsWhole() {
    #expect(Self.table.count == 36)
    #expect(Set(Self.table.map { [$0.state.rawValue, $0.call.rawValue] }).count == 36)
  }

  @Test(arguments: table)
  func eachCallInEachState(_ line: Line) throws {
    let before = WorkoutSession.example(line.state)
    var session = before
    #expect(session.state == line.state)
    switch line.outcome {
    case .to(let next):
      let transition = try #require(try session.make(line.call, at: .at(60)))
      #expect(transition.from == line.state)
      #expect(transition.to == next)
      #expect(transition.at == .at(60))
      #expect(transition.cause == .user)
      #expect(transition.endReason == (next == .ended ? .cancelled : nil))
      #expect(session.state == next)
      #expect(!session.isFinishing)
    case .toFinishing:
      let transition = try #require(try session.make(line.call, at: .at(60)))
      #expect(transition == Transition(from: line.state, to: .stopped, at: .at(60), cause: .user))
      #expect(session.state == .stopped)
      #expect(session.isFinishing)
    case .finishing:
      #expect(try session.make(line.call, at: .at(60)) == nil)
      #expect(session.state == .stopped)
      #expect(session.isFinishing)
    case .nothing:
      #expect(try session.make(line.call, at: .at(60)) == nil)
      #expect(session == before)
    case .refused(let allowed):
      let state = line.state
      #expect(throws: SessionError.notAllowed(state: state, call: line.call, allowed: before.allowedCalls)) {
        try session.make(line.call, at: .at(60))
      }
      #expect(session == before)
      #expect(before.allowedCalls.filter { call in Self.table.contains { $0.call == call } } == allowed)
    }
  }

  // MARK: - Collection

  @Test func collectionIsEndedBeforeTheWorkoutIsFinished() throws {
    var session = WorkoutSession.example(.stopped)
    #expect(session.collection == .open)
    #expect(!session.allowedCalls.contains(.finish))
    #expect(throws: SessionError.notAllowed(state: .stopped, call: .finish, allowed: session.allowedCalls)) {
      try session.check(.finish)
    }
    var isNew = try session.endCollection()
    #expect(isNew)
    #expect(session.collection == .ended)
    isNew = try session.endCollection()
    #expect(!isNew)
    try session.check(.finish)
    try session.check(.lap)
    session.saved()
    isNew = try session.endCollection()
    #expect(!isNew)
    try session.check(.finish)
    for call in [SessionCall.lap, .marker, .segment, .setMetadata] {
      #expect(throws: SessionError.self, "the workout is saved: \(call)") { try session.check(call) }
    }
    #expect(session.state == .stopped)
    #expect(WorkoutSession(session.record(strap: nil)) == session)
  }

  @Test func anEndEndsCollectionAsWell() throws {
    for state in [WorkoutState.running, .paused, .stopped] {
      var session = WorkoutSession.example(state)
      _ = try session.end(at: .at(60))
      #expect(session.collection == .ended, "\(state)")
    }
  }

  @Test(arguments: [WorkoutState.notStarted, .prepared, .running, .paused])
  func collectionIsNotEndedBeforeTheSessionIsStopped(_ state: WorkoutState) {
    var session = WorkoutSession.example(state)
    #expect(throws: SessionError.notAllowed(state: state, call: .endCollection, allowed: state.allowedCalls)) {
      try session.endCollection()
    }
    #expect(session == .example(state))
  }

  @Test func aWholeWorkout() throws {
    var session = WorkoutSession(id: .example, configuration: WorkoutConfiguration(), at: .at(1))
    var transitions: [Transition] = []
    func take(_ transition: Transition?) { if let transition { transitions.append(transition) } }
    take(try session.prepare(at: .at(2)))
    take(try session.start(at: .at(10)))
    take(try session.pause(cause: .auto, at: .at(20)))
    take(try session.pause(at: .at(21)))
    take(try session.resume(cause: .remote, at: .at(30)))
    take(try session.stop(cause: .system, at: .at(40)))
    take(try session.stop(at: .at(41)))
    take(try session.end(at: .at(42)))
    take(session.finished(cause: .system, at: .at(43)))
    take(try session.end(at: .at(44)))
    #expect(
      transitions == [
        Transition(from: .notStarted, to: .prepared, at: .at(2), cause: .user),
        Transition(from: .prepared, to: .running, at: .at(10), cause: .user),
        Transition(from: .running, to: .paused, at: .at(20), cause: .auto),
        Transition(from: .paused, to: .running, at: .at(30), cause: .remote),
        Transition(from: .running, to: .stopped, at: .at(40), cause: .system),
        Transition(from: .stopped, to: .ended, at: .at(43), cause: .system, endReason: .user),
      ])
    #expect(session.created == .at(1))
    #expect(session.start == .at(10))
    #expect(session.end == .at(40))
    #expect(!session.isUnprepared)
    #expect(session.endReason == .user)
  }

  @Test func aStartWithoutPreparationIsFlagged() throws {
    var session = WorkoutSession.example(.notStarted)
    _ = try session.start(at: .at(5))
    #expect(session.isUnprepared)
    var prepared = WorkoutSession.example(.prepared)
    _ = try prepared.start(at: .at(5))
    #expect(!prepared.isUnprepared)
  }

  @Test(arguments: [WorkoutState.notStarted, .prepared])
  func endedBeforeItsStartItIsCancelledOrWhatTheSystemSays(_ state: WorkoutState) throws {
    var session = WorkoutSession.example(state)
    #expect(try session.end(at: .at(5))?.endReason == .cancelled)
    session = .example(state)
    #expect(try session.end(reason: .prepareExpired, cause: .system, at: .at(5))?.endReason == .prepareExpired)
    #expect(session.endReason == .prepareExpired)
    #expect(session.start == nil && session.end == nil)
  }

  @Test(arguments: [WorkoutState.running, .paused])
  func theReasonOfTheFirstEndCounts(_ state: WorkoutState) throws {
    var session = WorkoutSession.example(state)
    let stopped = try #require(try session.end(reason: .sensorAbsent, cause: .system, at: .at(60)))
    #expect(stopped.to == .stopped && stopped.endReason == nil)
    #expect(session.endReason == .sensorAbsent)
    #expect(try session.end(reason: .user, at: .at(61)) == nil)
    let ended = session.finished(cause: .system, at: .at(62))
    #expect(ended.endReason == .sensorAbsent)
    #expect(session.end == .at(60))
  }

  // MARK: - Dates

  @Test func aStartMayBeInThePast() throws {
    var session = WorkoutSession.example(.prepared)
    let transition = try session.start(date: .at(-100), at: .at(60))
    #expect(transition?.at == .at(-100, isRequested: true))
    #expect(session.start == .at(-100, isRequested: true))
  }

  /// Over the clock by so little that the clocks of two machines may differ as much: it is taken to mean now.
  @Test func upToASecondAheadMeansNow() throws {
    var session = WorkoutSession.example(.prepared)
    let date = WallTime.at(61)
    let transition = try session.start(date: date, at: .at(60))
    let meant = DatedTick(tick: .at(60), date: .at(60), requested: date)
    #expect(transition?.at == meant)
    var other = WorkoutSession.example(.running)
    #expect(try other.stop(date: date, at: .at(60))?.at == meant)
  }

  @Test func moreThanASecondAheadIsRefused() {
    let date = WallTime(nanoseconds: WallTime.at(61).nanoseconds + 1)
    for state in [WorkoutState.notStarted, .prepared] {
      var session = WorkoutSession.example(state)
      #expect(throws: SessionError.dateAhead(date, now: .at(60))) { try session.start(date: date, at: .at(60)) }
      #expect(session == .example(state))
    }
    for state in [WorkoutState.running, .paused] {
      var session = WorkoutSession.example(state)
      #expect(throws: SessionError.dateAhead(date, now: .at(60))) { try session.stop(date: date, at: .at(60)) }
      #expect(session == .example(state))
    }
  }

  @Test func aStopBeforeTheStartIsRefused() throws {
    for state in [WorkoutState.running, .paused] {
      var session = WorkoutSession.example(state)
      #expect(throws: SessionError.endBeforeStart(end: .at(9), start: .at(10))) {
        try session.stop(date: .at(9), at: .at(60))
      }
      #expect(session == .example(state))
      #expect(try session.stop(date: .at(10), at: .at(60))?.at == .at(10, isRequested: true), "at the start is legal")
    }
  }

  @Test func aRedundantStopDoesNotMoveTheEnd() throws {
    var session = WorkoutSession.example(.stopped)
    #expect(try session.stop(date: .at(20), at: .at(60)) == nil)
    #expect(session.end == .at(50))
  }

  /// A client may send any date that the wire can carry.
  @Test func theEarliestDateOfAllIsOnlyALongWorkout() throws {
    let date = try #require(WallTime(rfc3339: "1678-01-01T00:00:00Z"))
    var session = WorkoutSession.example(.prepared)
    _ = try session.start(date: date, at: .at(60))
    let start = try #require(session.start)
    #expect(start.date == date)
    var time = RunningTime()
    time.run(at: start.tick)
    time.halt(at: .at(100))
    time.run(at: .at(200))
    #expect(time.elapsed(at: .at(300)) > .seconds(9_000_000_000))
    _ = try session.stop(date: date, at: .at(70))
  }

  // MARK: - To disk and back

  @Test(arguments: WorkoutState.allCases, [nil, EndReason.pauseExpired])
  func aRecordGivesTheSameSession(_ state: WorkoutState, _ reason: EndReason?) {
    let session = WorkoutSession.example(state, endReason: state == .stopped ? reason : nil)
    #expect(WorkoutSession(session.record(strap: nil)) == session)
    let strap = StrapAddress("F0:F1:F2:F3:F4:F5")
    let record = session.record(strap: strap)
    #expect(record.strap == strap)
    #expect(record.state == state)
    #expect(record.start == session.start && record.end == session.end && record.created == .at(1))
    #expect(WorkoutSession(record).record(strap: strap) == record)
  }

  @Test func aSessionKilledWhileFinishingStillEnds() throws {
    var session = WorkoutSession.example(.running)
    _ = try session.end(reason: .superseded, cause: .system, at: .at(60))
    var recovered = WorkoutSession(session.record(strap: nil))
    #expect(recovered.isFinishing)
    let ended = recovered.finished(cause: .recovered, at: .at(90))
    #expect(ended == Transition(from: .stopped, to: .ended, at: .at(90), cause: .recovered, endReason: .superseded))
  }
}
