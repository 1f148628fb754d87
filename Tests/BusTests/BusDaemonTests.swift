import Bus
import Testing

@Suite struct BusDaemonTests {
  static let calls: [(BusMessage, MemberName, [BusValue])] = [
    (BusDaemon.hello(serial: 1), "Hello", []),
    (BusDaemon.addMatch("type='signal'", serial: 2), "AddMatch", [.string("type='signal'")]),
    (BusDaemon.getNameOwner("org.bluez", serial: 3), "GetNameOwner", [.string("org.bluez")]),
    (BusDaemon.requestName("org.bluez", serial: 4), "RequestName", [.string("org.bluez"), .uint32(4)]),
    (BusDaemon.releaseName("org.bluez", serial: 5), "ReleaseName", [.string("org.bluez")]),
  ]

  @Test(arguments: zip(calls, 1...5))
  func call(expected: (BusMessage, MemberName, [BusValue]), serial: Int) {
    let (message, member, body) = expected
    #expect(message.kind == .call(BusCall("/org/freedesktop/DBus", "org.freedesktop.DBus", member)))
    #expect(message.destination == "org.freedesktop.DBus")
    #expect(message.serial == UInt32(serial))
    #expect(message.body == body)
  }
}
