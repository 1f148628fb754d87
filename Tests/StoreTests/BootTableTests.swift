import Measurements
import Testing
import Workout

@testable import Store

@Suite struct BootTableTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func rows() throws -> [[String]] {
    try directory.raw().rows("SELECT number, boot_id, tick, wall, alive_tick, alive_wall FROM boot ORDER BY number")
  }

  @Test func aBootIsEnteredOnceWithItsNewestClocks() throws {
    try directory.open(bootID: "boot A", at: .at(1)).close()
    #expect(try rows() == [["1", "boot A", "1000000000", "1796025601000000000", "NULL", "NULL"]])
    let store = try directory.open(bootID: "boot A", at: .at(2))
    #expect(try rows() == [["1", "boot A", "2000000000", "1796025602000000000", "NULL", "NULL"]])
    try store.commit([.alive(.at(3))], through: 0)
    try store.close()
    let alive = ["1", "boot A", "3000000000", "1796025603000000000", "3000000000", "1796025603000000000"]
    #expect(try rows() == [alive])
    try directory.open(bootID: "boot B", at: .at(4)).close()
    #expect(try rows() == [alive, ["2", "boot B", "4000000000", "1796025604000000000", "NULL", "NULL"]])
  }

  /// A clock that was set right during the old boot: only the newest pair of clocks leads to the right offset.
  @Test func theNewestClocksLead() throws {
    let store = try directory.open(bootID: "boot A", at: Moment(tick: .at(1), wall: WallTime(nanoseconds: 0)))
    try store.commit([.session(.example()), .sample(try .example(5), session: .number(1))], through: 5)
    try store.commit([.alive(.at(60))], through: 5)
    try store.close()
    let next = try directory.open(bootID: "boot B", at: Moment(tick: .at(0), wall: .boot + .seconds(300)))
    #expect(try next.samples(of: .number(1), after: 0, limit: 1).map(\.tick) == [.at(-295)])
  }

  private func clocks() throws -> [[String]] {
    try directory.raw().rows("SELECT tick, is_synchronised, sure_tick FROM boot ORDER BY number")
  }

  private func moment(_ seconds: Int64, off: Int64 = 0, isSure: Bool) -> Moment {
    Moment(tick: .at(seconds), wall: .boot + .seconds(seconds + off), isSynchronised: isSure)
  }

  @Test func whetherTheClockWasRight() throws {
    var store = try directory.open(at: moment(1, isSure: false))
    #expect(store.bootReport == BootReport(id: "boot A", interruption: .restart, isClockSure: false, step: nil))
    #expect(try clocks() == [["1000000000", "0", "NULL"]])
    try store.commit([.clockSynchronised(moment(5, isSure: true))], through: 0)
    #expect(try clocks() == [["5000000000", "1", "5000000000"]])
    try store.close()
    store = try directory.open(at: moment(9, isSure: false))
    #expect(store.bootReport.isClockSure, "what was once set right stays so until it is set otherwise")
    try store.commit([.clockStepped(.seconds(60), moment(12, off: 60, isSure: false))], through: 0)
    #expect(try clocks() == [["12000000000", "0", "9000000000"]])
    #expect(try directory.raw().rows("SELECT fixed_tick FROM boot") == [["5000000000"]])
    try store.close()
    #expect(try !directory.open(at: moment(13, off: 60, isSure: false)).bootReport.isClockSure)
  }

  /// A step that nobody has lived to write down is found again each time, until it is written.
  @Test func aStepWhileTheDaemonWasAway() throws {
    try directory.open(at: moment(1, isSure: true)).close()
    for _ in 0..<2 {
      let store = try directory.open(at: moment(100, off: -3600, isSure: false))
      #expect(store.bootReport.step == .seconds(-3600))
      #expect(!store.bootReport.isClockSure)
      try store.close()
    }
    let store = try directory.open(at: moment(110, off: -3600, isSure: false))
    try store.commit([.clockStepped(.seconds(-3600), moment(110, off: -3600, isSure: false))], through: 0)
    try store.close()
    #expect(try directory.open(at: moment(120, off: -3600, isSure: false)).bootReport.step == nil)
    #expect(
      try directory.raw().rows("SELECT boot, tick, nanoseconds FROM clock_step") == [
        ["1", "110000000000", "-3600000000000"]
      ])
  }

  @Test func theBootsOfASession() throws {
    var store = try directory.open(bootID: "A", at: moment(1, isSure: true))
    try store.commit([.session(.example()), .alive(moment(60, isSure: true))], through: 0)
    try store.close()
    store = try directory.open(bootID: "B", at: moment(5, off: 1000, isSure: false))
    #expect(store.bootReport.interruption == .provisionalReboot)
    #expect(try store.anchors(of: .number(1)).map(\.boot) == ["A"])
    let event = EventRecord(
      sequence: 4, session: .number(1), at: DatedTick(at: moment(6, off: 1000, isSure: false)), what: .linkLost)
    try store.commit([.event(event)], through: 0)
    #expect(
      try store.anchors(of: .number(1)) == [
        Anchor(boot: "A", clocks: moment(60, isSure: true)),
        Anchor(boot: "B", clocks: moment(5, off: 1000, isSure: false)),
      ])
    try store.close()
    store = try directory.open(bootID: "C", at: moment(5, off: 2000, isSure: true))
    #expect(store.bootReport.interruption == .provisionalReboot, "the last life's clock was not right")
  }
}
