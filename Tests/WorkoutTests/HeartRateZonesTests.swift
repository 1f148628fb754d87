import Testing
import Workout

@Suite struct HeartRateZonesTests {
  typealias Zone = HeartRateZones.Zone

  private func zones(_ list: [(UInt16?, UInt16?)]) throws -> HeartRateZones {
    try HeartRateZones(list.map { Zone(lower: $0.0, upper: $0.1) })
  }

  @Test func theFirstIsOpenBelowAndTheLastAbove() throws {
    let five = try zones([(nil, 120), (120, 140), (140, 160), (160, 180), (180, nil)])
    #expect(five.count == 5)
    #expect(five.bounds == [120, 140, 160, 180])
    #expect(five.zones.map(\.lower) == [nil, 120, 140, 160, 180])
    #expect(five.zones.map(\.upper) == [120, 140, 160, 180, nil])
    let expected: [(UInt16, Int)] = [
      (1, 1), (119, 1), (120, 2), (139, 2), (140, 3), (179, 4), (180, 5), (300, 5), (65_535, 5),
    ]
    for (heartRate, zone) in expected { #expect(five.zone(of: heartRate) == zone, "\(heartRate)") }
  }

  @Test func threeToNineAreAllowed() throws {
    for count in 1...11 {
      let bounds = (0..<count - 1).map { UInt16(100 + $0 * 10) }
      if (3...9).contains(count) {
        #expect(try HeartRateZones(bounds: bounds).count == count)
      } else {
        #expect(throws: HeartRateZonesError.count(count)) { try HeartRateZones(bounds: bounds) }
      }
    }
    #expect(throws: HeartRateZonesError.count(0)) { try HeartRateZones([Zone]()) }
  }

  static let refused: [(list: [(UInt16?, UInt16?)], error: HeartRateZonesError, text: String)] = [
    ([(1, 120), (120, 140), (140, nil)], .firstNotOpen, "zone 1 has a lower bound"),
    ([(nil, 120), (120, 140), (140, 200)], .lastNotOpen, "the last zone has an upper bound"),
    ([(nil, nil), (120, 140), (140, nil)], .open(zone: 1), "zone 1 is open where another zone follows"),
    ([(nil, 120), (nil, 140), (140, nil)], .open(zone: 2), "zone 2 is open where another zone follows"),
    (
      [(nil, 120), (125, 140), (140, nil)], .hole(zone: 1, upper: 120, next: 125),
      "zone 1 ends at 120, and zone 2 begins at 125"
    ),
    (
      [(nil, 120), (120, 140), (135, nil)], .overlap(zone: 2, upper: 140, next: 135),
      "zone 2 ends at 140, and zone 3 begins before that, at 135"
    ),
    (
      [(nil, 140), (140, 140), (140, nil)], .notRising(zone: 3, bound: 140),
      "zone 3 begins at 140, which is not above the one before it"
    ),
    ([(nil, 19), (19, 140), (140, nil)], .outOfRange(zone: 2, bound: 19), "zone 2 begins at 19 beats a minute"),
    ([(nil, 120), (120, 301), (301, nil)], .outOfRange(zone: 3, bound: 301), "zone 3 begins at 301 beats a minute"),
  ]

  @Test(arguments: refused.indices)
  func whatIsRefused(_ index: Int) {
    let (list, error, text) = Self.refused[index]
    #expect(throws: error) { try zones(list) }
    #expect(error.description == text)
  }

  @Test func theErrorSaysWhatIsAllowed() {
    #expect(
      HeartRateZonesError.allowed
        == "3 to 9 zones, each beginning where the one before it ends, the first open below, the last open above, "
        + "bounds rising from 20 to 300")
  }

  @Test func theTextIsTheBounds() throws {
    let zones = try HeartRateZones(bounds: [120, 140, 160])
    #expect(zones.text == "120 140 160")
    #expect(HeartRateZones(text: "120 140 160") == zones)
    #expect(HeartRateZones(text: "120, 140,160") == zones)
    for text in ["", "120", "160 140 120", "120 140 x", "120 140 -160", "120 140 70000"] {
      #expect(HeartRateZones(text: text) == nil, "\(text)")
    }
  }
}
