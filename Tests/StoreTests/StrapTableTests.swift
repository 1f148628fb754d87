import Measurements
import Testing
import Workout

@testable import Store

@Suite struct StrapTableTests {
  let directory: TemporaryDirectory
  let store: Store
  static let a = StrapAddress("F0:F1:F2:F3:F4:F5")!
  static let b = StrapAddress("00:11:22:33:44:55")!

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
  }

  static var full: StrapRecord {
    var strap = StrapRecord(a)
    strap.name = StrapName("Anna's ♥")
    strap.athlete = AthleteName("Anna")
    strap.deviceName = "Demo HR"
    strap.manufacturer = "Maker"
    strap.model = "M1"
    strap.firmware = "2.1"
    strap.serial = "0007"
    strap.battery = BatteryLevel(percent: 9)
    strap.lowBattery = LowBattery(told: 10)
    strap.lastSeen = .boot + .seconds(5)
    strap.awaitsTakingOff = true
    strap.dryRun = StrapRecord.DryRun(start: .boot + .seconds(2), lastGood: .boot + .seconds(4))
    return strap
  }

  @Test func comesBackAsItWasWritten() throws {
    try store.commit([.strap(Self.full), .strap(StrapRecord(Self.b))], through: 0)
    #expect(try store.straps() == [StrapRecord(Self.b), Self.full], "by address")
    try store.close()
    #expect(try directory.open().straps() == [StrapRecord(Self.b), Self.full])
  }

  @Test func theLastRecordOfAStrapCounts() throws {
    try store.commit([.strap(Self.full)], through: 0)
    try store.commit([.strap(StrapRecord(Self.a))], through: 0)
    #expect(try store.straps() == [StrapRecord(Self.a)], "what is nil is taken away")
    try store.commit([.strap(StrapRecord(Self.a)), .strap(Self.full)], through: 0)
    #expect(try store.straps() == [Self.full])
  }

  @Test func aForgottenStrapIsGone() throws {
    try store.commit([.strap(Self.full), .strap(StrapRecord(Self.b))], through: 0)
    try store.commit([.strapForgotten(Self.a)], through: 0)
    #expect(try store.straps() == [StrapRecord(Self.b)])
    try store.commit([.strapForgotten(Self.a)], through: 0)
    try store.commit([.strapForgotten(Self.b), .strap(StrapRecord(Self.b))], through: 0)
    #expect(try store.straps() == [StrapRecord(Self.b)], "in the order of the records")
  }

  @Test func rowsAreReadableForOthers() throws {
    try store.commit([.strap(Self.full), .strap(StrapRecord(Self.b))], through: 0)
    #expect(
      try directory.raw().rows(
        """
        SELECT address, name, athlete, device_name, manufacturer, model, firmware, serial, battery_percent,
          battery_told, last_seen_date FROM strap ORDER BY address
        """)
        == [
          ["00:11:22:33:44:55", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL"],
          [
            "F0:F1:F2:F3:F4:F5", "Anna's ♥", "Anna", "Demo HR", "Maker", "M1", "2.1", "0007", "9", "10",
            "1796025605000000000",
          ],
        ])
  }

  @Test func aLevelThatDoesNotExistIsRefused() throws {
    try store.commit([.strap(Self.full)], through: 0)
    let error = storeError { try directory.raw().execute("UPDATE strap SET battery_percent = 101") }
    #expect(error?.text.contains("CHECK") == true)
  }

  /// By another program, or by a bit that has flipped: the others are known all the same.
  @Test(arguments: [
    "UPDATE strap SET name = 'F0:F1'", "UPDATE strap SET athlete = ''",
    "UPDATE strap SET address = 'x' WHERE name IS NOT NULL",
  ])
  func whatCannotBeIsLeftOut(_ change: String) throws {
    let other = StrapRecord(try #require(StrapAddress("F0:F1:F2:F3:F4:F6")))
    try store.commit([.strap(Self.full), .strap(other)], through: 0)
    try directory.raw().execute(change + (change.contains("WHERE") ? "" : " WHERE name IS NOT NULL"))
    #expect(try store.straps() == [other])
  }
}
