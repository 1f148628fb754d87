import Measurements
import Testing
import Workout

@testable import Store

@Suite struct ImportTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
  }

  private func rows(_ table: String) throws -> Int {
    Int(try directory.raw().rows("SELECT count(*) FROM \(table)")[0][0]) ?? -1
  }

  private func bringIn(_ number: UInt8, _ format: String, samples: Int64) throws {
    let origin = WorkoutOrigin(format: format, date: .boot, details: "{}")
    try store.commit(
      [.session(.example(number, state: .ended)), .importBegan(.number(number), origin)], through: 0)
    for index in 0..<samples {
      try store.commit(
        [.sample(try .example(Int64(number) * 1000 + index), session: .number(number))], through: 0)
    }
  }

  @Test func anImportTakesThePlaceOfAnother() throws {
    try bringIn(1, "fit", samples: 3)
    try store.commit([.workout(.example(1)), .importFinished(.number(1))], through: 0)
    var place = try store.importPlace(.number(1))
    #expect(place.workout?.id == .number(1) && place.format == "fit" && place.isTaken && !place.isEdited)
    try store.commit(
      [
        .clientData(try ClientData(metadata: "{}", blob: nil), session: .number(1)),
        .discarded(.number(1), Discard(date: .boot, isSure: true)), .discarded(.number(1), nil),
      ], through: 0)
    try bringIn(2, "json", samples: 5)
    #expect(try store.importPlace(.number(2)) == ImportPlace(id: .number(2)), "nobody sees it yet")
    try store.commit(
      [.workout(.example(2)), .importFinished(.number(2)), .importReplaced(.number(1), by: .number(2))], through: 0)
    place = try store.importPlace(.number(1))
    #expect(place.workout?.id == .number(1) && place.format == "json")
    #expect(try store.workouts(before: nil, limit: 9).map(\.id) == [.number(1)])
    #expect(try store.session(.number(2)) == nil && (try store.workout(.number(2))) == nil)
    #expect(try store.samples(of: .number(1), after: 0, limit: 9).count == 5)
    #expect(try store.clientData(of: .number(1)).metadata == "{}")
    #expect(try directory.raw().rows("SELECT is_restored FROM workout") == [["1"]])
    while try store.purge(at: nil, retention: nil) == .cleared {}
    #expect(try rows("session") == 1 && (try rows("sample")) == 5 && (try rows("imported")) == 1)
    #expect(try directory.raw().rows("PRAGMA foreign_key_check") == [])
  }

  /// All of it or nothing, as any commit.
  @Test func whatCannotBeWrittenLeavesTheOldOne() throws {
    try bringIn(1, "fit", samples: 3)
    try store.commit([.workout(.example(1)), .importFinished(.number(1))], through: 0)
    try bringIn(2, "json", samples: 5)
    #expect(throws: StoreError.self) {
      try store.commit(
        [
          .workout(.example(2)), .importFinished(.number(2)), .importReplaced(.number(1), by: .number(2)),
          .sample(try .example(1), session: .number(77)),
        ], through: 0)
    }
    #expect(try store.importPlace(.number(1)).format == "fit")
    #expect(try store.samples(of: .number(1), after: 0, limit: 9).count == 3)
    #expect(try store.workouts(before: nil, limit: 9).map(\.id) == [.number(1)])
  }
}
