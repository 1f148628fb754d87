import Measurements
import Testing
import Workout

@testable import Store

@Suite struct LastAliveTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func openingIsNoSignOfLife() throws {
    try directory.open(at: .at(1)).close()
    #expect(try directory.open(at: .at(2)).lastAlive == nil)
  }

  @Test func theNewestSignCounts() throws {
    var store = try directory.open()
    try store.commit([.session(.example()), .alive(.at(10))], through: 0)
    try store.close()
    store = try directory.open(at: .at(11))
    #expect(store.lastAlive == .at(10), "an alive mark")

    try store.commit([.sample(try .example(20), session: .number(1))], through: 20)
    try store.close()
    store = try directory.open(at: .at(21))
    #expect(store.lastAlive == .at(20), "a sample, dated by the clocks of its boot")

    try store.commit(
      [.event(EventRecord(sequence: 21, session: .number(1), at: .at(30), what: .linkLost))], through: 21)
    try store.close()
    store = try directory.open(at: .at(31))
    #expect(store.lastAlive == .at(30), "an event")

    try store.commit([.alive(.at(40))], through: 21)
    #expect(store.lastAlive == .at(30), "it is of the life before")
    try store.close()
    #expect(try directory.open(at: .at(41)).lastAlive == .at(40), "an alive mark again")
  }

  @Test func afterARebootItIsOnTheNewAxis() throws {
    let store = try directory.open()
    try store.commit([.session(.example()), .alive(.at(60))], through: 0)
    try store.commit([.sample(try .example(90), session: .number(1))], through: 90)
    try store.close()
    // The new boot's tick 15 is 200 s after the old boot's tick 0.
    let now = Moment(tick: .at(15), wall: .boot + .seconds(200))
    let next = try directory.open(bootID: "boot B", at: now)
    #expect(next.lastAlive == DatedTick(tick: .at(-95), date: .boot + .seconds(90)))
    #expect(try next.samples(of: .number(1), after: 0, limit: 1).map(\.tick) == [.at(-95)])
  }
}
