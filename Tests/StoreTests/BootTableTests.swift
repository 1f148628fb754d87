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
    try directory.raw().rows("SELECT * FROM boot ORDER BY number")
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
}
