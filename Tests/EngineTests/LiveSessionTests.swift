import Measurements
import Testing
import Workout

@testable import Engine

struct LiveSessionTests {
  private func tick(_ milliseconds: Int64) -> Tick { Tick(nanoseconds: milliseconds * 1_000_000) }

  private func sample(_ number: Int64, at milliseconds: Int64, _ heartRate: UInt8 = 100) throws -> HeartRateSample {
    let payload: [UInt8] = [0x06, heartRate]
    return HeartRateSample(
      sequence: number, tick: tick(milliseconds), measurement: try HeartRateMeasurement(payload), payload: payload)
  }

  // MARK: Countdown

  @Test func secondsAreCountedDown() {
    let courses: [(start: Int64, steps: [(at: Int64, remaining: Int, next: Int64)])] = [
      (3000, [(0, 3, 1000), (1, 3, 1000), (999, 3, 1000), (1000, 2, 2000), (2000, 1, 3000), (2999, 1, 3000)]),
      (2500, [(0, 3, 500), (500, 2, 1500), (1500, 1, 2500)]),
      (400, [(0, 1, 400)]),
    ]
    for course in courses {
      let countdown = Countdown(start: tick(course.start))
      for step in course.steps {
        #expect(countdown.remaining(at: tick(step.at)) == step.remaining, "\(course.start), \(step)")
        #expect(countdown.next(after: tick(step.at)) == tick(step.next), "\(course.start), \(step)")
      }
      #expect(countdown.remaining(at: tick(course.start)) == 0)
      #expect(countdown.remaining(at: tick(course.start + 1)) == 0)
    }
  }

  // MARK: Rebuild

  @Test func marksAndSamplesAreMergedByTickAndNumber() throws {
    var rebuild = Rebuild(LiveBuilder())
    rebuild.take([
      DatedMark(.began, at: tick(1000), .event(2)), DatedMark(.paused, at: tick(3000), .event(5)),
      DatedMark(.resumed, at: tick(5000), .event(7)), DatedMark(.ended, at: tick(7000), .event(9)),
    ])
    // Before the start, at its tick but received before it, counted, paused, counted, at the end.
    try rebuild.take([try sample(0, at: 0), try sample(1, at: 1000), try sample(3, at: 1000), try sample(4, at: 2000)])
    #expect(rebuild.after == 4)
    try rebuild.take([try sample(6, at: 4000), try sample(8, at: 6000), try sample(10, at: 7000)])
    try rebuild.finish()
    #expect(rebuild.builder.heartRate.count == 3)
    #expect(rebuild.builder.elapsed(at: tick(7000)) == .seconds(4))
    #expect(rebuild.builder.heartRate.covered(at: tick(7000)) == .seconds(3))
  }

  @Test func aMarkThatAClientDatedGoesBeforeTheSamplesOfItsTick() throws {
    var rebuild = Rebuild(LiveBuilder())
    rebuild.take([
      DatedMark(.began, at: tick(1000), .first), DatedMark(.ended, at: tick(2000), .first),
    ])
    try rebuild.take([try sample(1, at: 1000), try sample(2, at: 2000)])
    try rebuild.finish()
    #expect(rebuild.builder.heartRate.count == 1)
  }

  @Test func whatHappensMeanwhileIsTakenIn() throws {
    var rebuild = Rebuild(LiveBuilder())
    rebuild.append(DatedMark(.paused, at: tick(1), .event(1)))  // before the marks are read it is among them
    rebuild.take([DatedMark(.began, at: tick(0), .event(1))])
    try rebuild.take([try sample(2, at: 1000)])
    rebuild.append(DatedMark(.paused, at: tick(2000), .event(3)))
    try rebuild.take([try sample(4, at: 3000)])
    try rebuild.finish()
    #expect(rebuild.builder.heartRate.count == 1)
    #expect(rebuild.builder.elapsed(at: tick(9000)) == .seconds(2))
  }

  // MARK: What is shown and saved

  @Test func aSessionKnowsWhetherItWantsItsStrap() throws {
    let id = SessionID(randomBytes: [UInt8](repeating: 1, count: 16))
    var session = LiveSession(
      WorkoutSession(id: id, configuration: WorkoutConfiguration(), at: World.start), strap: World.a)
    #expect(!session.wantsStrap)
    #expect(session.finishedWorkout(discarded: nil) == nil)
    _ = try session.machine.prepare(at: World.start)
    #expect(session.wantsStrap)
    _ = try session.machine.end(at: World.start)
    #expect(!session.wantsStrap)
    #expect(session.record.strap == World.a)
  }
}
