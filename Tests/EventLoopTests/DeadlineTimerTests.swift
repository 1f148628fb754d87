import Measurements
import Testing

@testable import EventLoop

struct DeadlineTimerTests {
  @Test func firesOnceAndNeverEarly() throws {
    let bench = try Bench()
    var lateness: [Duration] = []
    var deadline = bench.loop.now.tick + .milliseconds(3)
    var timer: DeadlineTimer?
    timer = try bench.loop.timer {
      #expect(timer?.deadline == nil)
      lateness.append(bench.loop.now.tick - deadline)
      // Odd nanoseconds, which sd-event's microseconds cannot hold.
      deadline = bench.loop.now.tick + .nanoseconds(1_000_001 + lateness.count * 37)
      if lateness.count < 20 { timer?.arm(at: deadline) }
    }
    timer?.arm(at: deadline)
    #expect(timer?.deadline == deadline)
    #expect(try bench.run { lateness.count == 20 })
    #expect(lateness.allSatisfy { $0 >= .zero })
    print("timer lateness in microseconds: \(lateness.map { $0.wholeNanoseconds / 1000 })")
    try bench.passATurn()
    #expect(lateness.count == 20)
    timer?.cancel()
  }

  @Test func deadlinesAreRoundedUpToTheMicrosecondsOfSdEvent() {
    let rounded: [(Int64, UInt64)] = [
      (.min, 0), (-1, 0), (0, 0), (1, 1), (999, 1), (1000, 1), (1001, 2), (1_500_000_000_000, 1_500_000_000),
      (.max, 9_223_372_036_854_776),
    ]
    for (nanoseconds, microseconds) in rounded {
      #expect(Tick(nanoseconds: nanoseconds).wholeMicrosecondsRoundedUp == microseconds)
    }
  }

  @Test func deadlinesFireInTheirOrder() throws {
    let bench = try Bench()
    var fired: [Int] = []
    let start = bench.loop.now.tick
    let timers = try (0..<5).map { index in try bench.loop.timer { fired.append(index) } }
    for (index, place) in [3, 1, 4, 0, 2].enumerated() {
      // Far enough apart that each has a wake-up of its own: of those that are due together the order is sd-event's.
      timers[index].arm(at: start + .milliseconds(place * 60))
    }
    #expect(try bench.run { fired.count == 5 })
    #expect(fired == [3, 1, 4, 0, 2])
  }

  @Test(arguments: [Int64.min, -5, 0, 1, 999, 1000])
  func aDeadlineOfThePastFiresAtOnce(nanoseconds: Int64) throws {
    let bench = try Bench()
    var count = 0
    let timer = try bench.loop.timer { count += 1 }
    timer.arm(at: Tick(nanoseconds: nanoseconds))
    #expect(try bench.run { count > 0 })
    #expect(count == 1)
  }

  @Test func theFarFutureCanBeArmed() throws {
    let bench = try Bench()
    let timer = try bench.loop.timer { Issue.record("fired in the year 2262") }
    timer.arm(at: Tick(nanoseconds: .max))
    try bench.passATurn()
    #expect(timer.deadline == Tick(nanoseconds: .max))
  }

  @Test func disarmingMovingAndCancelling() throws {
    let bench = try Bench()
    var fired: [String] = []
    let disarmed = try bench.loop.timer { fired.append("disarmed") }
    let moved = try bench.loop.timer { fired.append("moved") }
    let cancelled = try bench.loop.timer { fired.append("cancelled") }
    for timer in [disarmed, moved, cancelled] { timer.arm(at: Tick(nanoseconds: 0)) }
    disarmed.arm(at: nil)
    cancelled.cancel()
    moved.arm(at: bench.loop.now.tick + .milliseconds(2))
    #expect(disarmed.deadline == nil)
    #expect(cancelled.deadline == nil)
    #expect(try bench.run { !fired.isEmpty })
    #expect(fired == ["moved"])

    disarmed.arm(at: Tick(nanoseconds: 0))
    #expect(try bench.run { fired.count == 2 })
    #expect(fired.last == "disarmed")
    cancelled.arm(at: Tick(nanoseconds: 0))
    try bench.passATurn()
    #expect(fired.count == 2)
  }

  @Test func armingAgainAtTheSameTickInsideTheActionFiresAgain() throws {
    let bench = try Bench()
    let deadline = bench.loop.now.tick
    var count = 0
    var timer: DeadlineTimer?
    timer = try bench.loop.timer {
      count += 1
      if count < 3 { timer?.arm(at: deadline) }
    }
    timer?.arm(at: deadline)
    #expect(try bench.run { count == 3 })
    timer?.cancel()
  }

  @Test func cancellingAndLettingGoInsideTheAction() throws {
    let bench = try Bench()
    var count = 0
    var timer: DeadlineTimer?
    timer = try bench.loop.timer {
      count += 1
      timer?.cancel()
      timer = nil
    }
    timer?.arm(at: Tick(nanoseconds: 0))
    #expect(try bench.run { count > 0 })
    try bench.passATurn()
    #expect(count == 1)
  }

  @Test func lettingGoDisarms() throws {
    let bench = try Bench()
    do {
      let timer = try bench.loop.timer { Issue.record("a timer that nobody holds fired") }
      timer.arm(at: Tick(nanoseconds: 0))
    }
    try bench.passATurn()
  }
}
