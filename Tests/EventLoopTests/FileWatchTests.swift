import EventLoop
import Glibc
import Testing

struct FileWatchTests {
  @Test func tellsWhatADescriptorIsReadyFor() throws {
    let bench = try Bench()
    let (near, far) = try connectedSockets()
    defer { close(near) }
    var seen: [Readiness] = []
    let watch = try bench.loop.watch(near, for: [.readable, .writable]) { seen.append($0) }
    #expect(try bench.run { seen.count == 1 })
    #expect(seen == [.writable])

    watch.change(to: .readable)
    try far.send([1])
    #expect(try bench.run { seen.count == 2 })
    #expect(seen.last == .readable)
    #expect(watch.interest == .readable)

    watch.change(to: [])
    far.close()
    #expect(try bench.run { seen.count == 3 })
    #expect(seen.last?.contains(.hangUp) == true)
    watch.cancel()
  }

  @Test func cancellingInsideTheActionEndsIt() throws {
    let bench = try Bench()
    let (reader, writer) = try pipeEnds()
    var count = 0
    var watch: FileWatch?
    watch = try bench.loop.watch(reader.number, for: .readable) { _ in
      count += 1
      watch?.cancel()
      watch = nil
    }
    try writer.send([1])
    #expect(try bench.run { count > 0 })
    #expect(count == 1)
    try bench.passATurn()
    #expect(count == 1)
  }

  @Test func aCancelledWatchWakesNobody() throws {
    let bench = try Bench()
    let (reader, writer) = try pipeEnds()
    let watch = try bench.loop.watch(reader.number, for: .readable) { _ in Issue.record("a cancelled watch was called")
    }
    watch.cancel()
    watch.cancel()
    try writer.send([1])
    #expect(try bench.turnsDuring(.milliseconds(30)) < 5)
    watch.change(to: .writable)
    #expect(try bench.turnsDuring(.milliseconds(1)) < 5)
  }

  @Test func aCancelledSourceThatWasReadyIsNotDispatched() throws {
    let bench = try Bench()
    let pipes = [try pipeEnds(), try pipeEnds()]
    var watches: [FileWatch] = []
    var count = 0
    for pipe in pipes {
      try pipe.writer.send([1])
      watches.append(
        try bench.loop.watch(pipe.reader.number, for: .readable) { _ in
          count += 1
          watches.removeAll()
        })
    }
    #expect(try bench.run { count > 0 })
    try bench.passATurn()
    #expect(count == 1)
  }

  @Test func lettingGoEndsTheWaitAndOfTheAction() throws {
    let bench = try Bench()
    let (reader, writer) = try pipeEnds()
    weak var captured: Descriptor?
    do {
      let object = Descriptor(-1)
      captured = object
      let watch = try bench.loop.watch(reader.number, for: .readable) { _ in
        withExtendedLifetime(object) {}
        Issue.record("a watch that nobody holds was called")
      }
      withExtendedLifetime(watch) {}
    }
    #expect(captured == nil)
    try writer.send([1])
    try bench.passATurn()
  }

  @Test func aDescriptorThatCannotBeWatchedIsAnError() throws {
    let loop = try EventLoop()
    #expect(refusal { try loop.watch(-1, for: .readable) { _ in } }?.code == EBADF)
    let folder = Descriptor(try check(open("/", O_RDONLY), "open"))
    let error = refusal { try loop.watch(folder.number, for: .readable) { _ in } }
    #expect(error?.operation == .watch)
    #expect(error?.code == EPERM)
    #expect(error?.description == "cannot watch descriptor \(folder.number): Operation not permitted (errno 1)")
  }
}
