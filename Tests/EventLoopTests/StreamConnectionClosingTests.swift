import EventLoop
import Glibc
import Measurements
import Testing

struct StreamConnectionClosingTests {
  @Test func closingByHandTellsNothingMore() throws {
    let connected = try Connected()
    try connected.client.send([1])
    connected.connection.close()
    connected.connection.close()
    #expect(!connected.connection.isOpen)
    #expect(!connected.connection.write([1]))
    try connected.bench.passATurn()
    #expect(connected.log.received.isEmpty)
    #expect(connected.log.events.isEmpty)
    #expect(throws: SystemCallFailed.self) { try connected.client.send([2]) }
  }

  @Test func closingAndLettingGoInsideItsOwnAction() throws {
    for letsGo in [false, true] {
      let bench = try Bench()
      let (near, client) = try connectedSockets()
      var calls = 0
      var held: StreamConnection? = try StreamConnection(bench.loop, adopting: near)
      try held?.start { connection, _ in
        calls += 1
        if letsGo { held = nil } else { connection.close() }
      }
      try client.send([1])
      #expect(try bench.run { calls > 0 })
      #expect(try client.waitUntilReadable())
      try bench.passATurn()
      #expect(calls == 1)
      held?.close()
    }
  }

  @Test func closingAnotherConnectionThatIsReadyToo() throws {
    let bench = try Bench()
    var (connections, clients): ([StreamConnection], [Descriptor]) = ([], [])
    var calls = 0
    for _ in 0..<3 {
      let (near, client) = try connectedSockets()
      try client.send([1])
      let connection = try StreamConnection(bench.loop, adopting: near)
      try connection.start { this, _ in
        calls += 1
        for other in connections where other !== this { other.close() }
      }
      connections.append(connection)
      clients.append(client)
    }
    #expect(try bench.run { calls > 0 })
    try bench.passATurn()
    #expect(calls == 1)
    #expect(connections.filter(\.isOpen).count == 1)
  }

  @Test func lettingGoClosesAndFreesTheAction() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    weak var captured: Log?
    do {
      let log = Log()
      captured = log
      let connection = try StreamConnection(bench.loop, adopting: near)
      try connection.start { _, event in log.take(event) }
    }
    #expect(captured == nil)
    #expect(try client.receive() == [])
  }

  @Test func closingAfterFlushingSendsWhatWaitsThoughNobodyHoldsIt() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    let message = pattern(1_000_000)
    weak var connection: StreamConnection?
    do {
      let held = try StreamConnection(bench.loop, adopting: near)
      connection = held
      try held.start { _, _ in Issue.record("an event after closing") }
      #expect(held.write(message))
      held.closeAfterFlushing()
      #expect(!held.isOpen)
      #expect(!held.write([1]))
    }
    #expect(connection != nil)
    var (received, hasEnded): ([UInt8], Bool) = ([], false)
    let watch = try bench.loop.watch(client.number, for: .readable) { _ in
      guard let piece = try? client.receive() else { return }
      received += piece
      hasEnded = piece.isEmpty
    }
    #expect(try bench.run { hasEnded })
    #expect(received == message)
    #expect(connection == nil)
    watch.cancel()
  }

  @Test func closingAfterFlushingWithNothingWaitingClosesAtOnce() throws {
    let connected = try Connected()
    #expect(connected.connection.write([1]))
    connected.connection.closeAfterFlushing()
    #expect(try connected.client.receive() == [1])
    #expect(try connected.client.receive() == [])
  }

  @Test func closingAfterFlushingWorksBeforeTheStart() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    let connection = try StreamConnection(bench.loop, adopting: near)
    let message = pattern(1_000_000)
    #expect(connection.write(message))
    connection.closeAfterFlushing()
    var (count, hasEnded) = (0, false)
    let watch = try bench.loop.watch(client.number, for: .readable) { _ in
      guard let piece = try? client.receive() else { return }
      count += piece.count
      hasEnded = piece.isEmpty
    }
    #expect(try bench.run { hasEnded })
    #expect(count == message.count)
    watch.cancel()
  }

  @Test func aReaderThatIsStuckIsWaitedForOnlySoLong() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    weak var connection: StreamConnection?
    do {
      let held = try StreamConnection(bench.loop, adopting: near)
      connection = held
      #expect(held.write(pattern(1_000_000)))
      held.closeAfterFlushing(atMost: .milliseconds(20))
    }
    #expect(try bench.run { connection == nil })
    var count = 0
    while let piece = try client.receive(), !piece.isEmpty { count += piece.count }
    #expect((1..<1_000_000).contains(count))
  }

  @Test func aClientThatLeavesIsNotWaitedFor() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    weak var connection: StreamConnection?
    do {
      let held = try StreamConnection(bench.loop, adopting: near)
      connection = held
      #expect(held.write(pattern(1_000_000)))
      held.closeAfterFlushing(atMost: .seconds(3600))
    }
    client.close()
    #expect(try bench.run { connection == nil })
  }

  @Test func theEndOfTheLoopClosesWhatLingers() throws {
    let bench = try Bench()
    let (near, client) = try connectedSockets()
    weak var connection: StreamConnection?
    do {
      let held = try StreamConnection(bench.loop, adopting: near)
      connection = held
      #expect(held.write(pattern(1_000_000)))
      held.closeAfterFlushing(atMost: .seconds(3600))
    }
    #expect(connection != nil)
    #expect(try bench.run { true })
    #expect(connection == nil)
    withExtendedLifetime(client) {}
  }
}
