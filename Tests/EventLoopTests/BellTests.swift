import EventLoop
import Glibc
import Testing

struct BellTests {
  @Test func severalRingsBeforeTheLoopLooksAreOne() throws {
    let bench = try Bench()
    let bell = try Bell()
    var count = 0
    let watch = try bench.loop.watch(bell) { count += 1 }
    for _ in 0..<3 { bell.ring() }
    #expect(try bench.run { count > 0 })
    try bench.passATurn()
    #expect(count == 1)
    bell.ring()
    #expect(try bench.run { count == 2 })
    watch.cancel()
  }

  @Test func anotherThreadWakesTheLoop() throws {
    let bench = try Bench()
    let bell = try Bell()
    var count = 0
    let watch = try bench.loop.watch(bell) { count += 1 }
    var thread = pthread_t()
    let pointer = Unmanaged.passRetained(bell).toOpaque()
    let started = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Bell>.fromOpaque(pointer).takeRetainedValue().ring() }
        return nil
      }, pointer)
    #expect(started == 0)
    #expect(try bench.run { count == 1 })
    pthread_join(thread, nil)
    watch.cancel()
  }
}
