import Measurements
import Testing

@testable import strap_sim

@Suite struct StrapTests {
  private var strap = Strap(.standard, at: Tick(nanoseconds: 0))

  private mutating func packet(second: Int64) -> String {
    Hex.text(strap.packet(at: Tick(nanoseconds: second * 1_000_000_000)))
  }

  @Test mutating func aPacketADeclarationMakes() {
    strap.beat(.steady(60), hertz: nil, at: Tick(nanoseconds: 0))
    #expect(packet(second: 1) == "163c0004")
    #expect(packet(second: 2) == "163c0004")
    strap.beat(.steady(120), hertz: nil, at: Tick(nanoseconds: 2_000_000_000))
    #expect(packet(second: 3) == "167800020002")
  }

  @Test mutating func contact() {
    strap.beat(.steady(0), hertz: nil, at: Tick(nanoseconds: 0))
    #expect(packet(second: 1) == "0600")
    strap.contact = .notDetected
    #expect(packet(second: 2) == "0400")
    strap.contact = .unknown
    #expect(packet(second: 3) == "0000")
  }

  @Test mutating func aRateAbove255TakesTwoOctets() {
    strap.beat(.steady(300), hertz: nil, at: Tick(nanoseconds: 0))
    #expect(packet(second: 1) == "172c01cc00cd00cd00cd00cd00")
  }

  @Test mutating func energyComesWithEveryTenthPacket() {
    strap.beat(.steady(0), hertz: nil, at: Tick(nanoseconds: 0))
    strap.energyKilojoules = 0x1234
    let packets = (1...21).map { packet(second: $0) }
    #expect(packets.enumerated().filter { $1 == "0e003412" }.map(\.offset) == [0, 10, 20])
    #expect(packets.filter { $0 == "0600" }.count == 18)
  }

  @Test mutating func theNextPacketIsAPeriodLater() {
    #expect(strap.nextPacket == Tick(nanoseconds: 1_000_000_000))
    _ = packet(second: 1)
    #expect(strap.nextPacket == Tick(nanoseconds: 2_000_000_000))
    strap.beat(.auto, hertz: 4, at: Tick(nanoseconds: 1_000_000_000))
    #expect(strap.nextPacket == Tick(nanoseconds: 1_250_000_000))
    // Late by far: what was missed is not made up for.
    _ = packet(second: 60)
    #expect(strap.nextPacket == Tick(nanoseconds: 60_250_000_000))
    strap.mute()
    #expect(strap.nextPacket == nil)
  }

  /// The daemon's own decoder reads what is made here.
  @Test mutating func theDecoderAgrees() throws {
    strap.energyKilojoules = 7
    for second in 1...60 as ClosedRange<Int64> {
      let now = Tick(nanoseconds: second * 1_000_000_000)
      let measurement = try HeartRateMeasurement(strap.packet(at: now))
      #expect(measurement.heartRate == UInt16(strap.rhythm.rate(at: now)))
      #expect(measurement.contact == .detected)
      #expect(measurement.energyKilojoules == (second % 10 == 1 ? 7 : nil))
      #expect(!measurement.rrIntervals.isEmpty)
      #expect(measurement.warnings == [])
    }
  }
}
