import Testing

@testable import ActivityFiles

@Suite struct AttributeTableTests {
  @Test func theNewestDiscoveryCounts() {
    var table = AttributeTable()
    #expect(table.isEmpty)
    #expect(table.kind(0x10) == .unknown)
    table.learn(0x10, 0x2A37)
    table.learn(0x12, nil)
    table.learn(0x18, 0x2A19)
    #expect([0x10, 0x12, 0x18].map(table.kind) == [.heartRateMeasurement, .other, .assigned(0x2A19)])
    #expect(table.knowsHeartRate)
    table.learn(0x10, 0x2A5B)
    #expect(!table.knowsHeartRate)
    #expect(!table.isEmpty)
  }

  @Test func ofTheServicesOnlyHeartRateMayHoldIt() {
    var table = AttributeTable()
    table.learn(0x0E...0x15, service: 0x180D)
    table.learn(0x16...0x19, service: 0x180F)
    #expect([0x10, 0x18, 0x30].map(table.kind) == [.unknown, .other, .unknown])
    // After an update of the strap, say.
    table.learn(0x0E...0x30, service: nil)
    #expect([0x10, 0x18, 0x30].map(table.kind) == [.other, .other, .other])
  }

  @Test func aPeerCannotFillTheMemory() {
    var table = AttributeTable()
    for handle in UInt16(1)...4000 { table.learn(handle, nil) }
    #expect(table.kind(2048) == .other)
    #expect(table.kind(2049) == .unknown)
    table.learn(2048, 0x2A37)
    #expect(table.kind(2048) == .heartRateMeasurement)
    for service in UInt16(0)..<200 { table.learn(service * 100 + 5000...service * 100 + 5050, service: 0x180F) }
    #expect(table.kind(5000 + 127 * 100) == .other)
    #expect(table.kind(5000 + 128 * 100) == .unknown)
  }
}
