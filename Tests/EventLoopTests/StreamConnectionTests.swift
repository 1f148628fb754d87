import EventLoop
import Glibc
import Measurements
import Testing

/// What a connection has told, octets run together.
final class Log {
  var received: [UInt8] = []
  /// The other events, by name.
  var events: [String] = []
  var sizes: [Int] = []
  var error: EventLoopError?

  func take(_ event: StreamConnection.Event) {
    switch event {
    case .received(let bytes):
      received += bytes
      sizes.append(bytes.count)
    case .inputEnded: events.append("inputEnded")
    case .outputDrained: events.append("outputDrained")
    case .closed(let error):
      events.append("closed")
      self.error = error
    }
  }
}

/// A loop with a connection in it that logs, and the client's end.
struct Connected {
  let bench: Bench
  let connection: StreamConnection
  let client: Descriptor
  let log = Log()

  init(outputLimit: Int = StreamConnection.defaultOutputLimit, kernelBuffer: Int32? = nil) throws {
    bench = try Bench()
    let (near, far) = try connectedSockets()
    client = far
    if var kernelBuffer {
      try check(setsockopt(near, SOL_SOCKET, SO_SNDBUF, &kernelBuffer, 4), "setsockopt")
    }
    connection = try StreamConnection(bench.loop, adopting: near, outputLimit: outputLimit)
    try connection.start { [log] _, event in log.take(event) }
  }

  /// Runs the loop while the client reads, until it has so many octets or meets the end.
  func readByClient(_ count: Int) throws -> [UInt8] {
    var (bytes, hasEnded): ([UInt8], Bool) = ([], false)
    let watch = try bench.loop.watch(client.number, for: .readable) { [client] _ in
      guard let piece = try? client.receive() else { return }
      bytes += piece
      hasEnded = piece.isEmpty
    }
    #expect(try bench.run { bytes.count >= count || hasEnded })
    watch.cancel()
    return bytes
  }
}

/// Whether a slice begins with a piece; memcmp(3), because 100 MB are much for Swift without optimisation.
func isSame(_ piece: [UInt8], _ slice: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
  guard let expected = UnsafeBufferPointer(rebasing: slice).baseAddress else { return piece.isEmpty }
  return piece.count <= slice.count && memcmp(piece, expected, piece.count) == 0
}

func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
}

struct StreamConnectionTests {
  @Test func thePeerIsTheProcessThatConnected() throws {
    let peer = try Connected().connection.peer
    #expect(peer.user == getuid())
    #expect(peer.group == getgid())
    #expect(peer.process == getpid())
  }

  @Test func whatIsNoSocketIsRefusedAndClosed() throws {
    let loop = try EventLoop()
    let (reader, writer) = try pipeEnds()
    let error = refusal { try StreamConnection(loop, adopting: writer.duplicate()) }
    #expect(error?.operation == .identify)
    #expect(error?.code == ENOTSOCK)
    writer.close()
    #expect(try reader.receive() == [])
  }

  @Test func octetsArriveInOrderAndAtMost64KiBATurn() throws {
    let connected = try Connected()
    let message = pattern(300_000)
    var rest = message[...]
    let sender = try connected.bench.loop.watch(connected.client.number, for: .writable) { _ in
      guard let count = try? connected.client.send(Array(rest)) else { return }
      rest = rest.dropFirst(count)
      if rest.isEmpty { connected.client.close() }
    }
    #expect(try connected.bench.run { connected.log.events == ["inputEnded", "closed"] })
    sender.cancel()
    #expect(connected.log.received == message)
    #expect(connected.log.sizes.allSatisfy { (1...65536).contains($0) })
    #expect(connected.log.error == nil)
    #expect(!connected.connection.isOpen)
  }

  @Test func oneClientDoesNotKeepTheOthersWaiting() throws {
    let bench = try Bench()
    var order: [Int] = []
    var (connections, clients): ([StreamConnection], [Descriptor]) = ([], [])
    for index in 0..<2 {
      let (near, far) = try connectedSockets()
      var size: Int32 = 1 << 20
      setsockopt(far.number, SOL_SOCKET, SO_SNDBUF, &size, 4)
      #expect(try far.send(pattern(200_000)) > 131_072)
      let connection = try StreamConnection(bench.loop, adopting: near)
      try connection.start { _, event in if case .received = event { order.append(index) } }
      connections.append(connection)
      clients.append(far)
    }
    #expect(try bench.run { order.count >= 4 })
    #expect(Set(order[..<2]) == [0, 1])
    #expect(Set(order[2..<4]) == [0, 1])
    withExtendedLifetime((connections, clients)) {}
  }

  @Test func aSlowReaderGetsEverythingAndTheDrainIsToldOnce() throws {
    let connected = try Connected(kernelBuffer: 4096)
    let message = pattern(100_000)
    #expect(connected.connection.write(Array(message[..<60_000])))
    #expect(connected.connection.waitingCount > 0)
    #expect(connected.connection.waitingCount < 60_000)
    #expect(connected.connection.write(Array(message[60_000...])))
    #expect(try connected.readByClient(message.count) == message)
    try connected.bench.passATurn()
    #expect(connected.connection.waitingCount == 0)
    #expect(connected.log.events == ["outputDrained"])
  }

  @Test func whatFitsIsSentAtOnceAndNoDrainIsTold() throws {
    let connected = try Connected()
    #expect(connected.connection.write([]))
    #expect(connected.connection.write([1, 2, 3]))
    #expect(try connected.client.receive() == [1, 2, 3])
    #expect(connected.connection.waitingCount == 0)
    try connected.bench.passATurn()
    #expect(connected.log.events.isEmpty)
  }

  @Test func overTheLimitAMessageIsRefusedWhole() throws {
    let connected = try Connected(outputLimit: 10_000, kernelBuffer: 4096)
    #expect(!connected.connection.write([UInt8](repeating: 9, count: 10_001)))
    #expect(connected.connection.waitingCount == 0)

    var (taken, refused): ([UInt8], Int) = ([], 0)
    for number in 0..<40 {
      let message = [UInt8](repeating: UInt8(number), count: 900)
      if connected.connection.write(message) { taken += message } else { refused += 1 }
      #expect(connected.connection.waitingCount <= 10_000)
    }
    #expect(refused > 0)
    #expect(connected.connection.isOpen)
    #expect(try connected.readByClient(taken.count) == taken)
    #expect(connected.connection.write([1]))
    #expect(try connected.readByClient(1) == [1])
  }

  @Test func aHundredMegabytesGoThrough() throws {
    let connected = try Connected(outputLimit: 1 << 20)
    let (chunk, total) = (pattern(250_000), 100_000_000)
    var (written, read, isWhole) = (0, 0, true)
    func fill() {
      while written < total && connected.connection.write(chunk) { written += chunk.count }
    }
    let watch = try connected.bench.loop.watch(connected.client.number, for: .readable) { _ in
      // At most up to the chunk's end, so that it can be compared in one piece.
      let offset = read % chunk.count
      guard let piece = try? connected.client.receive(atMost: min(65536, chunk.count - offset)) else { return }
      isWhole = isWhole && chunk.withUnsafeBufferPointer { isSame(piece, $0[offset...]) }
      read += piece.count
      if connected.connection.waitingCount == 0 { fill() }
    }
    fill()
    #expect(try connected.bench.run { read == total })
    #expect(isWhole)
    #expect(written == total)
    watch.cancel()
  }

  @Test func aClientThatSendsNoMoreStillGetsItsReply() throws {
    let connected = try Connected()
    try connected.client.send([7])
    shutdown(connected.client.number, Int32(SHUT_WR))
    #expect(try connected.bench.run { connected.log.events == ["inputEnded"] })
    #expect(connected.log.received == [7])
    #expect(connected.connection.write(pattern(500_000)))
    #expect(try connected.readByClient(500_000) == pattern(500_000))
    #expect(connected.connection.isOpen)
    connected.client.close()
    #expect(try connected.bench.run { connected.log.events.last == "closed" })
    #expect(connected.log.events == ["inputEnded", "outputDrained", "closed"])
    #expect(connected.log.error == nil)
  }

  @Test func anEndedInputDoesNotSpinTheLoop() throws {
    let connected = try Connected()
    shutdown(connected.client.number, Int32(SHUT_WR))
    #expect(try connected.bench.run { !connected.log.events.isEmpty })
    #expect(try connected.bench.turnsDuring(.milliseconds(30)) < 5)
  }

  @Test func heldBackInputWaitsAlsoWhenTheClientIsGoneAndDoesNotSpinTheLoop() throws {
    let connected = try Connected()
    connected.connection.takesInput = false
    try connected.client.send([1, 2])
    #expect(try connected.bench.turnsDuring(.milliseconds(30)) < 5)
    connected.client.close()
    #expect(try connected.bench.turnsDuring(.milliseconds(30)) < 8)
    #expect(connected.log.received.isEmpty)
    #expect(connected.log.events.isEmpty)

    connected.connection.takesInput = true
    #expect(try connected.bench.run { connected.log.events.count == 2 })
    #expect(connected.log.received == [1, 2])
    #expect(connected.log.events == ["inputEnded", "closed"])
  }

  @Test func aClientThatIsGoneIsToldOfOnceAndItsLastInputIsNotLost() throws {
    let connected = try Connected()
    // The reply that it has not read turns its end into a reset, and sending more fails.
    #expect(connected.connection.write([1]))
    let request = pattern(150_000)
    #expect(try connected.client.send(request) == request.count)
    connected.client.close()
    #expect(!connected.connection.write([2]))
    #expect(!connected.connection.write([3]))
    #expect(connected.log.events.isEmpty)
    #expect(try connected.bench.run { connected.log.events.contains("closed") })
    try connected.bench.passATurn()
    #expect(connected.log.received == request)
    #expect(connected.log.events.filter { $0 == "closed" }.count == 1)
    #expect(connected.log.events.last == "closed")
    #expect(connected.log.error != nil)
    #expect(!connected.connection.write([4]))
  }

  @Test func heldBackInputOfAClientThatIsGoneOutlivesTheReplyThatCannotBeSent() throws {
    let connected = try Connected(kernelBuffer: 4096)
    connected.connection.takesInput = false
    #expect(connected.connection.write(pattern(100_000)))
    #expect(connected.connection.waitingCount > 0)
    try connected.client.send([1, 2])
    connected.client.close()
    #expect(try connected.bench.turnsDuring(.milliseconds(30)) < 8)
    #expect(connected.connection.waitingCount == 0)
    #expect(connected.connection.isOpen)
    #expect(connected.log.events.isEmpty)

    connected.connection.takesInput = true
    #expect(try connected.bench.run { connected.log.events.contains("closed") })
    #expect(connected.log.received == [1, 2])
    #expect(connected.log.error != nil)
  }

  @Test func aClientThatReadsNoMoreIsGone() throws {
    let connected = try Connected()
    shutdown(connected.client.number, Int32(SHUT_RD))
    #expect(!connected.connection.write([1]))
    #expect(try connected.bench.run { connected.log.events == ["closed"] })
    #expect(connected.log.error?.operation == .sendTo)
    #expect(connected.log.error?.code == EPIPE)
    #expect(connected.log.error?.object == "the client with process id \(getpid())")
  }
}
