import Control
import Testing

@testable import strapctl

struct MonitorFilterTests {
  private static let stream = [
    #"{"kind":"snapshot","sessions":[],"straps":[]}"#, #"{"kind":"monitoring"}"#,
    #"{"kind":"heartRate","heartRate":60,"strap":"F0:F1:F2:F3:F4:F5"}"#,
    #"{"kind":"monitoring","strap":"F0:F1:F2:F3:F4:F5"}"#,
    #"{"kind":"heartRate","heartRate":61,"strap":"F0:F1:F2:F3:F4:F5"}"#,
    #"{"kind":"heartRate","heartRate":62,"strap":"F0:F1:F2:F3:F4:F6"}"#,
    #"{"kind":"transition","to":"running","session":"a"}"#,
    #"{"kind":"transition","to":"running","session":"a","strap":"F0:F1:F2:F3:F4:F5"}"#,
    #"{"kind":"link","link":"backingOff","strap":"F0:F1:F2:F3:F4:F5"}"#,
  ]

  @Test func takesWhatConcernsTheStrapsThatAreMonitored() throws {
    var filter = MonitorFilter(isOn: true)
    let taken = try Self.stream.map { filter.takes(try json($0)) }
    #expect(taken == [false, true, false, true, true, false, false, true, true])
    #expect(filter.straps == ["F0:F1:F2:F3:F4:F5"])
  }

  @Test func takesEverythingWhereItIsOff() throws {
    var filter = MonitorFilter(isOn: false)
    for event in Self.stream { #expect(filter.takes(try json(event))) }
  }
}
