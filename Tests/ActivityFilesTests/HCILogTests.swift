import Measurements
import Testing

@testable import ActivityFiles

@Suite struct HCILogTests {
  static let value: [UInt8] = [0x16, 72, 0x55, 0x03]
  static let other: [UInt8] = [0xD0, 0x39, 0x72, 0x01, 0x02, 0x03]

  /// A connection with discovery of Heart Rate Measurement at 0x10.
  static func log(_ dataLink: LogWriter.DataLink = .monitor) -> LogWriter {
    var log = LogWriter(dataLink)
    log.connect(0x40)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    return log
  }

  @Test(arguments: [0x01, 0x0A, 0x29] as [UInt8]) func everyConnectionCompleteHasTheAddress(subevent: UInt8) throws {
    var log = LogWriter()
    log.connect(0x40, subevent: subevent)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    log.notify(0x40, 0x10, Self.value)
    #expect(try read(log.bytes).map(\.device.address) == [StrapAddress("F0:F1:F2:F3:F4:F5")])
  }

  @Test func reconnectionsGoOnInTheSameWorkoutWithALossBetween() throws {
    var log = Self.log()
    for _ in 0..<3 { log.notify(0x40, 0x10, Self.value) }
    log.time += 500_000
    log.disconnect(0x40)
    log.time += 60_000_000
    // Another handle, and no discovery: the host remembers it.
    log.connect(0x41)
    for _ in 0..<3 { log.notify(0x41, 0x10, Self.value) }
    log.disconnect(0x41)
    let workouts = try read(log.bytes)
    #expect(workouts.map(\.samples.count) == [6])
    #expect(workouts.map(\.lossSeconds) == [[2.5]])
  }

  @Test func aHandleMayBeAnotherStrapsNext() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, Self.value)
    log.disconnect(0x40)
    log.connect(0x40, Self.other)
    log.discover(0x40, [(handle: 0x22, number: 0x2A37)])
    log.notify(0x40, 0x22, [0x06, 99])
    // What was the first one's handle is not this one's.
    log.notify(0x40, 0x10, Self.value)
    let workouts = try read(log.bytes)
    #expect(workouts.map(\.heartRates) == [[72], [99]])
    #expect(workouts.map { $0.device.address?.description } == ["F0:F1:F2:F3:F4:F5", "D0:39:72:01:02:03"])
  }

  @Test func aConnectionWithoutAnEndIsLostWhenItsHandleIsUsedAgain() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, Self.value)
    log.time += 1_000_000
    log.connect(0x40)
    log.notify(0x40, 0x10, Self.value)
    #expect(try read(log.bytes).map(\.lossSeconds) == [[1]])
  }

  @Test func twoStrapsAtOnceAreTwoWorkouts() throws {
    var log = Self.log()
    log.connect(0x41, Self.other)
    log.discover(0x41, [(handle: 0x22, number: 0x2A37)])
    for rate in UInt8(60)..<70 {
      log.notify(0x40, 0x10, [0x06, rate], after: 0.5)
      log.notify(0x41, 0x22, [0x06, rate + 100], after: 0.5)
    }
    #expect(try read(log.bytes).map(\.heartRates) == [Array(60..<70), Array(160..<170)])
  }

  @Test func twoControllersHaveTheirOwnHandles() throws {
    var log = Self.log()
    log.controller = 1
    log.connect(0x40, Self.other)
    log.discover(0x40, [(handle: 0x22, number: 0x2A37)])
    log.notify(0x40, 0x22, [0x06, 99])
    log.controller = 0
    log.notify(0x40, 0x10, [0x06, 60])
    #expect(try read(log.bytes).map(\.heartRates) == [[99], [60]])
  }

  @Test func aSilenceOfMoreThanTenMinutesPartsWorkouts() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, [0x06, 60])
    log.notify(0x40, 0x10, [0x06, 61], after: 600)
    log.notify(0x40, 0x10, [0x06, 62], after: 600.000001)
    let workouts = try read(log.bytes)
    #expect(workouts.map(\.heartRates) == [[60, 61], [62]])
    #expect(workouts[1].workout.start.date - workouts[0].workout.start.date == .microseconds(1_200_000_001))
  }

  @Test func aClockThatIsSetBackTakesNothingAway() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, [0x06, 60])
    log.notify(0x40, 0x10, [0x06, 61])
    log.time -= 3_600_000_000
    log.notify(0x40, 0x10, [0x06, 62], after: 0)
    log.notify(0x40, 0x10, [0x06, 63])
    var reader = BtsnoopReader()
    try reader.take(log.bytes)
    let workouts = try reader.finish()
    #expect(workouts.map(\.heartRates) == [[60, 61, 62, 63]])
    #expect(workouts[0].samples.map(\.tick.nanoseconds) == [0, 1_000_000_000, 1_000_000_000, 2_000_000_000])
    #expect(reader.warnings == ["the clock was set back once while it was recorded"])
  }

  @Test func packetsThatTheWriterLostAreALoss() throws {
    var log = Self.log()
    log.drops = 7
    log.notify(0x40, 0x10, Self.value)
    log.time += 2_000_000
    log.drops = 9
    log.event(0x13, [])
    log.notify(0x40, 0x10, Self.value)
    log.notify(0x40, 0x10, Self.value)
    var reader = BtsnoopReader()
    try reader.take(log.bytes)
    #expect(try reader.finish().map(\.lossSeconds) == [[2]])
    #expect(
      reader.warnings == ["packets were lost while it was recorded, 2 times: heart rates may be missing there"])
  }

  @Test func whatIsUnderWayWhenPacketsAreLostIsDropped() throws {
    var log = Self.log()
    let pdu: [UInt8] = [0x1B, 0x10, 0, 0x06, 60]
    log.acl(0x40, LogWriter.little(pdu.count) + [4, 0] + pdu.prefix(3))
    log.drops = 1
    log.acl(0x40, Array(pdu.dropFirst(3)), boundary: 1)
    #expect(try read(log.bytes).isEmpty)
  }

  @Test func aPacketThatWasNotWrittenWholeIsDropped() throws {
    var log = Self.log()
    log.acl(0x40, [5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 60], cut: 1)
    log.acl(0x40, [5, 0, 4, 0, 0x1B, 0x10, 0], cut: 0)
    log.acl(0x40, [0x06, 61], boundary: 1, cut: 2)
    log.acl(0x40, [0x06, 62], boundary: 1)
    log.notify(0x40, 0x10, [0x06, 63])
    #expect(try read(log.bytes).map(\.heartRates) == [[63]])
  }

  @Test func aResetEndsItsControllersConnections() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, Self.value)
    log.event(0x0E, [1, 0x03, 0x0C, 0])
    log.connect(0x41)
    log.notify(0x41, 0x10, Self.value)
    #expect(try read(log.bytes).map(\.lossSeconds) == [[0]])
  }

  @Test func aClosedControllerLosesItsConnections() throws {
    var log = Self.log()
    log.notify(0x40, 0x10, Self.value)
    log.record(flags: 1 << 16 | 9, [])
    log.notify(0x40, 0x10, Self.value)
    log.record(flags: 9, [])
    log.connect(0x40)
    log.notify(0x40, 0x10, Self.value)
    #expect(try read(log.bytes).map(\.lossSeconds) == [[1]])
  }

  @Test func classicConnectionsAreNotLookedAt() throws {
    var log = LogWriter()
    log.event(0x03, [0, 0x40, 0] + LogWriter.address.reversed() + [1, 0])
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    log.notify(0x40, 0x10, Self.value)
    #expect(try read(log.bytes).isEmpty)
  }

  @Test func whatThisMachineSendsIsNotReceived() throws {
    var log = Self.log()
    log.att(0x40, [0x1B, 0x10, 0] + Self.value, isReceived: false)
    #expect(try read(log.bytes).isEmpty)
  }

  @Test func moreConnectionsThanThereCanBeAreAnError() {
    var log = LogWriter()
    for handle in 0..<1024 { log.acl(handle, [1]) }
    #expect(throws: Never.self) { try read(log.bytes) }
    log.acl(1024, [1])
    let offset = 16 + 1024 * 29
    #expect(
      throws: ActivityFileError(.btsnoop, at: offset, "tells of more than 1024 connections at once")
    ) { try read(log.bytes) }
  }

  /// Thousands of peers come and go, and none of them is kept for ever.
  @Test func peersThatAreNoStrapsAreForgotten() throws {
    var log = LogWriter(.uart)
    for peer in 0..<3000 {
      log.connect(0x40, [0xC0, 0, 0, 0] + LogWriter.little(peer))
      log.discover(0x40, [(handle: 0x10, number: 0x2A19)])
      log.notify(0x40, 0x10, [50])
      log.disconnect(0x40)
    }
    log.connect(0x40)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    log.notify(0x40, 0x10, Self.value)
    #expect(try read(log.bytes).map(\.heartRates) == [[72]])
  }
}
