import Measurements
import Testing

@testable import Engine

struct DeadlineTableTests {
  private func tick(_ seconds: Int64) -> Tick { Tick(nanoseconds: seconds * 1_000_000_000) }

  @Test func theEarliestComesFirst() {
    var table = DeadlineTable()
    #expect(table.next == nil)
    table.set(.alive, tick(3))
    table.set(.flush, tick(1))
    table.set(.shutdown, tick(2))
    #expect(table.next == tick(1))
    #expect(table.takeDue(at: Tick(nanoseconds: 999_999_999)) == nil)
    #expect(table.takeDue(at: tick(2)) == .flush)
    #expect(table.takeDue(at: tick(2)) == .shutdown)
    #expect(table.takeDue(at: tick(2)) == nil)
    #expect(table.next == tick(3))
  }

  @Test func movingAndRemoving() {
    var table = DeadlineTable()
    table.set(.alive, tick(3))
    table.set(.flush, tick(4))
    table.set(.alive, tick(5))
    #expect(table.next == tick(4))
    table.set(.flush, nil)
    #expect(table.next == tick(5))
    #expect(table[.alive] == tick(5))
    table.set(.alive, nil)
    #expect(table.next == nil)
    table.set(.alive, nil)
    #expect(table.takeDue(at: tick(100)) == nil)
  }

  /// Against a plain sorted list.
  @Test(arguments: UInt64(1)...20)
  func asASortedListWould(seed: UInt64) {
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let keys: [Deadline] = [.alive, .flush, .shutdown, .roster(.busRetry), .roster(.treeRetry), .roster(.powerRetry)]
    var table = DeadlineTable()
    var list: [Deadline: Tick] = [:]
    for _ in 0..<500 {
      let key = keys[Int(random(UInt64(keys.count)))]
      let time = random(3) == 0 ? nil : tick(Int64(random(50)))
      table.set(key, time)
      list[key] = time
      #expect(table.next == list.values.min())
      let now = tick(Int64(random(50)))
      while let due = table.takeDue(at: now) {
        #expect(list[due] == list.values.min())
        list[due] = nil
      }
      #expect(list.values.allSatisfy { $0 > now })
    }
  }
}
