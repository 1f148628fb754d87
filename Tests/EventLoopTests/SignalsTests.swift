import EventLoop
import Glibc
import Testing

// Signals are sent to this thread alone: the other threads of the test process block none and would die of them.
@Suite(.serialized) struct SignalsTests {
  @Test func signalsArriveInTheLoop() throws {
    let bench = try Bench()
    var seen: Set<Signal> = []
    try bench.loop.onSignals([.terminate, .interrupt, .hangUp]) { seen.insert($0) }
    for number in [SIGTERM, SIGINT, SIGHUP] { try check(pthread_kill(pthread_self(), number), "pthread_kill") }
    #expect(try bench.run { seen.count == 3 })
    #expect(seen == Set(Signal.allCases))
  }

  @Test func aSignalSentWhileTheLoopRunsWakesIt() throws {
    let bench = try Bench()
    var count = 0
    try bench.loop.onSignals([.hangUp]) { _ in
      count += 1
      if count < 3 { pthread_kill(pthread_self(), SIGHUP) }
    }
    pthread_kill(pthread_self(), SIGHUP)
    #expect(try bench.run { count == 3 })
  }

  @Test func theSameSignalTwiceIsRefused() throws {
    let loop = try EventLoop()
    try loop.onSignals([.hangUp]) { _ in }
    let error = refusal { try loop.onSignals([.hangUp]) { _ in } }
    #expect(error?.operation == .takeOver)
    #expect(error?.object == "SIGHUP")
    #expect(error?.code == EBUSY)
  }

  @Test func brokenPipesAreErrorsAndNotTheEnd() throws {
    let loop = try EventLoop()
    let (reader, writer) = try pipeEnds()
    reader.close()
    let result = write(writer.number, [1], 1)
    #expect(result == -1)
    #expect(errno == EPIPE)
    withExtendedLifetime(loop) {}
  }
}
