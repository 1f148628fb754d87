import Bus
import Testing

@testable import Logind

struct TimedateCallTests {
  @Test func theQuestion() {
    let message = TimedateCall.isSynchronised(serial: 7)
    #expect(message.destination == "org.freedesktop.timedate1")
    #expect(
      message.kind == .call(BusCall("/org/freedesktop/timedate1", "org.freedesktop.DBus.Properties", "Get")),
      "it may start timedated, which ends by itself")
    #expect(message.body == [.string("org.freedesktop.timedate1"), .string("NTPSynchronized")])
    #expect(message.serial == 7)
  }

  @Test(arguments: [
    ([BusValue.variant(.boolean(true))], true), ([.variant(.boolean(false))], false), ([.boolean(true)], nil),
    ([], nil),
    ([.variant(.string("yes"))], nil),
  ]) func theAnswer(_ body: [BusValue], _ expected: Bool?) {
    #expect(TimedateCall.isSynchronised(BusMessage(.reply(to: 7), body: body)) == expected)
  }
}
