import Measurements
import Testing
import Workout

@Suite struct WorkoutTimelineTests {
  private let running = WorkoutTimeline.Bounds(start: .at(10), end: nil)

  private func event(_ number: Int64, _ what: EventRecord.What) -> EventRecord {
    EventRecord(sequence: number, session: .example, at: .at(number), what: what)
  }

  private func lap(_ start: Int64, _ end: Int64) -> EventRecord.What {
    .lap(WorkoutInterval(start: .at(start), end: .at(end)))
  }

  private func activity(_ activity: ActivityType, _ start: Int64) -> EventRecord.What {
    .activityBegan(ActivityStart(activity: activity, location: .outdoor, start: .at(start)))
  }

  // MARK: Laps

  @Test func aLapBeginsWhereTheLastOneEnded() throws {
    var timeline = WorkoutTimeline()
    let first = try timeline.lap(from: nil, to: .at(100), label: "warm up", in: running)
    #expect(first == WorkoutInterval(start: .at(10), end: .at(100), label: "warm up"))
    timeline.take(event(1, .lap(first)))
    #expect(timeline.lastLapEnd == .at(100))
    let second = try timeline.lap(from: nil, to: .at(150), in: running)
    #expect(second == WorkoutInterval(start: .at(100), end: .at(150)))
  }

  @Test func lapsDoNotOverlap() throws {
    var timeline = WorkoutTimeline()
    timeline.take(event(1, lap(100, 200)))
    timeline.take(event(2, lap(50, 80)))
    #expect(timeline.laps.map(\.number) == [2, 1])
    let other = WorkoutInterval(start: .at(100), end: .at(200))
    for (start, end) in [(90, 101), (100, 200), (120, 130), (199, 300), (80, 210)] as [(Int64, Int64)] {
      #expect(throws: TimelineError.lapsOverlap(start: .at(start), end: .at(end), other: other)) {
        try timeline.lap(from: .at(start), to: .at(end), in: running)
      }
    }
    for (start, end) in [(10, 50), (80, 100), (200, 201)] as [(Int64, Int64)] {
      #expect(try timeline.lap(from: .at(start), to: .at(end), in: running).end == .at(end))
    }
    #expect(timeline.laps.count == 2, "asking changes nothing")
  }

  @Test func whatLastsEndsAfterItBegins() {
    let timeline = WorkoutTimeline()
    for end in [Int64(20), 30] {
      let error = TimelineError.endNotAfterStart(end: .at(end), start: .at(30))
      #expect(throws: error) { try timeline.lap(from: .at(30), to: .at(end), in: running) }
      #expect(throws: error) { try timeline.segment(from: .at(30), to: .at(end), in: running) }
    }
  }

  @Test func everythingIsOfTheWorkout() throws {
    let timeline = WorkoutTimeline()
    let ended = WorkoutTimeline.Bounds(start: .at(10), end: .at(50))
    let before = TimelineError.outsideWorkout(.at(9), start: .at(10), end: .at(50))
    let after = TimelineError.outsideWorkout(.at(51), start: .at(10), end: .at(50))
    #expect(throws: before) { try timeline.lap(from: .at(9), to: .at(20), in: ended) }
    #expect(throws: after) { try timeline.lap(from: .at(20), to: .at(51), in: ended) }
    #expect(throws: before) { try timeline.segment(from: .at(9), to: .at(20), in: ended) }
    #expect(throws: after) { try timeline.moment(.at(51), in: ended) }
    #expect(try timeline.moment(.at(50), in: ended) == .at(50))
    #expect(try timeline.moment(.at(10), in: ended) == .at(10))
    #expect(try timeline.lap(from: nil, to: .at(50), in: ended).start == .at(10))
    #expect(throws: TimelineError.outsideWorkout(.at(9), start: .at(10), end: nil)) {
      try timeline.moment(.at(9), in: running)
    }
  }

  @Test func segmentsMayOverlap() throws {
    var timeline = WorkoutTimeline()
    timeline.take(event(1, .segment(try timeline.segment(from: .at(20), to: .at(40), in: running))))
    #expect(try timeline.segment(from: .at(20), to: .at(40), in: running).start == .at(20))
    timeline.take(event(2, lap(30, 35)))
    #expect(try timeline.segment(from: .at(30), to: .at(50), in: running).start == .at(30))
  }

  @Test func thereIsALimit() {
    var timeline = WorkoutTimeline()
    for number in 0..<Int64(WorkoutTimeline.most) {
      timeline.take(event(number, lap(100 + number, 101 + number)))
      timeline.take(event(number, activity(.running, 100 + number)))
    }
    #expect(throws: TimelineError.tooMany) { try timeline.lap(from: nil, to: .at(5_000), in: running) }
    let next = ActivityStart(activity: .cycling, location: .indoor, start: .at(5_000))
    #expect(throws: TimelineError.tooMany) { try timeline.activityStart(next, in: running) }
  }

  // MARK: Activities

  @Test func activitiesNeverOverlapAndMayLeaveGaps() throws {
    var timeline = WorkoutTimeline()
    func start(_ seconds: Int64) -> ActivityStart {
      ActivityStart(activity: .cycling, location: .outdoor, start: .at(seconds))
    }
    #expect(try timeline.activityEnd(.at(20), in: running) == nil, "none is under way")
    timeline.take(event(1, activity(.swimming, 10)))
    #expect(timeline.currentActivity?.began.activity == .swimming)
    #expect(throws: TimelineError.endNotAfterStart(end: .at(10), start: .at(10))) {
      try timeline.activityStart(start(10), in: running)
    }
    #expect(throws: TimelineError.endNotAfterStart(end: .at(10), start: .at(10))) {
      try timeline.activityEnd(.at(10), in: running)
    }
    #expect(try timeline.activityEnd(.at(60), in: running) == .at(60))
    timeline.take(event(2, .activityEnded(.at(60))))
    #expect(timeline.currentActivity == nil)
    #expect(throws: TimelineError.activitiesOverlap(.at(59), end: .at(60))) {
      try timeline.activityStart(start(59), in: running)
    }
    #expect(try timeline.activityStart(start(60), in: running).start == .at(60))
    timeline.take(event(3, activity(.cycling, 70)))
    timeline.take(event(4, activity(.running, 90)))  // which ends the one before it
    #expect(timeline.activities.map(\.end) == [.at(60), .at(90), nil])
    #expect(timeline.activities.map(\.number) == [1, 3, 4])
    #expect(throws: TimelineError.outsideWorkout(.at(9), start: .at(10), end: nil)) {
      try WorkoutTimeline().activityStart(start(9), in: running)
    }
  }

  // MARK: The end

  @Test func anEarlierEndCutsWhatCameAfterIt() {
    var timeline = WorkoutTimeline()
    timeline.take(event(1, lap(10, 40)))
    timeline.take(event(2, lap(40, 60)))
    timeline.take(event(3, lap(60, 80)))
    timeline.take(event(4, activity(.running, 10)))
    timeline.take(event(5, .activityEnded(.at(55))))
    timeline.take(event(6, activity(.cycling, 70)))
    let ended = timeline.ended(at: .at(50))
    #expect(ended.laps.map(\.interval.end) == [.at(40), .at(50)])
    #expect(ended.activities.map(\.end) == [.at(50)])
    let late = timeline.ended(at: .at(100))
    #expect(late.laps == timeline.laps)
    #expect(late.activities.map(\.end) == [.at(55), .at(100)], "the open one ends with the workout")
    #expect(timeline.ended(at: .at(60)).laps.map(\.number) == [1, 2])
  }

  @Test func otherEventsChangeNothing() {
    var timeline = WorkoutTimeline()
    for what in [EventRecord.What.linkLost, .marker(.at(5), label: nil), .types([.heartRate])] {
      timeline.take(event(1, what))
    }
    #expect(timeline == WorkoutTimeline())
  }
}
