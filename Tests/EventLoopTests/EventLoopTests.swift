import EventLoop
import Glibc
import Measurements
import Testing

struct EventLoopTests {
  @Test func stopGivesItsCodeBackAndTheFirstCounts() throws {
    let loop = try EventLoop()
    loop.beforeWaiting {
      loop.stop(7)
      loop.stop(8)
    }
    #expect(try loop.run() == 7)
    #expect(try loop.run() == 7)
  }

  @Test func actionsBeforeWaitingRunInOrderAndOnceATurn() throws {
    let bench = try Bench()
    let pipes = try (0..<3).map { _ in try pipeEnds() }
    var log: [String] = []
    bench.loop.beforeWaiting { log.append("first") }
    bench.loop.beforeWaiting { log.append("second") }
    let watches = try pipes.enumerated().map { index, pipe in
      try bench.loop.watch(pipe.reader.number, for: .readable) { _ in
        log.append("pipe \(index)")
        #expect(throws: Never.self) { try pipe.reader.receive() }
      }
    }
    for pipe in pipes { try pipe.writer.send([1]) }
    #expect(try bench.run { log.count >= 5 })

    #expect(log.prefix(2) == ["first", "second"])
    #expect(Set(log[2..<5]) == ["pipe 0", "pipe 1", "pipe 2"])
    #expect(log[5...] == ["first", "second"])
    withExtendedLifetime(watches) {}
  }

  @Test func aSteadyStreamOfInputDoesNotPutOffTheEndOfATurn() throws {
    let bench = try Bench()
    let pipes = try (0..<2).map { _ in try pipeEnds() }
    var dispatched = 0
    var dispatchedInTurn: [Int] = []
    bench.loop.beforeWaiting {
      dispatchedInTurn.append(dispatched)
      dispatched = 0
    }
    // Never read from, so that both are ready at every look.
    let watches = try pipes.map { pipe in
      try pipe.writer.send([1])
      return try bench.loop.watch(pipe.reader.number, for: .readable) { _ in dispatched += 1 }
    }
    #expect(try bench.run { dispatchedInTurn.count >= 6 })
    #expect(dispatchedInTurn.dropFirst().allSatisfy { $0 == 2 })
    withExtendedLifetime(watches) {}
  }

  @Test func theTurnInWhichStopWasCalledIsFinished() throws {
    let loop = try EventLoop()
    let (first, second) = (try pipeEnds(), try pipeEnds())
    var log: [String] = []
    let watches = try [first, second].map { pipe in
      try pipe.writer.send([1])
      return try loop.watch(pipe.reader.number, for: .readable) { _ in
        log.append("input")
        loop.stop(0)
      }
    }
    loop.beforeWaiting { log.append("end of turn") }
    #expect(try loop.run() == 0)
    #expect(log == ["end of turn", "input", "input", "end of turn"])
    withExtendedLifetime(watches) {}
  }

  @Test func nowGoesForwardAndStandsStillWithinAnAction() throws {
    let bench = try Bench()
    let (reader, writer) = try pipeEnds()
    var moments: [Moment] = []
    var stoodStill = true
    let watch = try bench.loop.watch(reader.number, for: .readable) { _ in
      let moment = bench.loop.now
      var status = stat()
      for _ in 0..<100 { stat("/", &status) }
      stoodStill = stoodStill && bench.loop.now == moment
      moments.append(moment)
    }
    try writer.send([1])
    #expect(try bench.run { moments.count == 50 })
    #expect(stoodStill)
    #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.tick < $1.tick })
    watch.cancel()
  }

  @Test func bothClocksAreTheKernels() throws {
    var (boot, wall) = (timespec(), timespec())
    clock_gettime(CLOCK_BOOTTIME, &boot)
    clock_gettime(CLOCK_REALTIME, &wall)
    let now = try EventLoop().now
    #expect(now.tick.nanoseconds >= boot.tv_sec * 1_000_000_000 + boot.tv_nsec)
    #expect(abs(now.wall.nanoseconds / 1_000_000_000 - Int64(wall.tv_sec)) < 60)
  }

  @Test func runningInsideAnActionIsRefused() throws {
    let bench = try Bench()
    var refusal: EventLoopError?
    let timer = try bench.loop.timer {
      do throws(EventLoopError) { _ = try bench.loop.run() } catch { refusal = error }
      bench.loop.stop(0)
    }
    timer.arm(at: Tick(nanoseconds: 0))
    _ = try bench.run { refusal != nil }
    #expect(refusal?.operation == .waitIn)
    #expect(refusal?.code == EBUSY)
  }
}
