import Measurements
import Testing

@testable import Engine

struct SteadinessTests {
  /// Takes values, one a second, and tells after each whether it is believed.
  private func believed(_ values: [UInt16], every span: Duration = .seconds(1)) -> [Bool] {
    var steadiness = Steadiness()
    var tick = Tick(nanoseconds: 0)
    return values.map { value in
      steadiness.take(value, at: tick)
      tick = tick + span
      return steadiness.isSteady
    }
  }

  @Test func aHeartIsBelieved() {
    #expect(believed([60, 61, 65, 72, 80, 100, 120, 118]).allSatisfy { $0 })
    #expect(believed([70]) == [true])
    // Exactly the greatest step.
    #expect(believed([70, 90, 70]) == [true, true, true])
  }

  @Test func jumpsAreNotAndCalmIsBelievedAgain() {
    #expect(believed([70, 91, 92, 92, 93, 94, 95]) == [true, false, false, false, false, false, true])
    // Each jump begins the doubt anew.
    #expect(believed([70, 130, 60, 61, 62, 63, 64, 65]).last == true)
    #expect(believed([70, 130, 60, 61, 62, 63, 64]).last == false)
  }

  @Test func valuesFarApartSayNothingOfEachOther() {
    #expect(believed([60, 180, 60], every: .milliseconds(5001)).allSatisfy { $0 })
    #expect(believed([60, 180], every: .seconds(5)) == [true, false])
  }
}
