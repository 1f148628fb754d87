import BlueZ
import Bus
import Testing

/// A strap that hangs up when notifications are switched on before their descriptor was read.
@Suite struct LinkMachineDescriptorTests {
  private static let configuration: ObjectPath =
    "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char000f/desc0011"
  private static let readThenNotify: [LinkAction] = [.readDescriptor(configuration), .startNotify(Link.measurement)]

  /// Connected, with its services known; nobody wants it yet.
  private static func resolved() -> Link {
    var link = Link(.connected)
    #expect(link.resolved(with: configuration) == [])
    return link
  }

  @Test func isNotReadWithoutNeed() {
    var link = Self.resolved()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.payload() == true)
  }

  @Test func isReadFirstWhereTheKindIsKnownForIt() {
    var link = Self.resolved()
    link.readsDescriptorFirst()
    #expect(link.want(true) == Self.readThenNotify)
    #expect(link.payload() == true)
    // Lost from streaming: bluetoothd must not renew by itself what needs reading before.
    #expect(link.disconnected() == [.stopNotify(Link.measurement), .connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.payload() == false)
    #expect(link.resolved() == Self.readThenNotify)
    #expect(link.payload() == true)
  }

  @Test func isReadFirstAfterATryThatEndedInADisconnect() {
    var link = Self.resolved()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.disconnected() == [.stopNotify(Link.measurement), .connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.resolved() == Self.readThenNotify)
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
  }

  @Test(arguments: [BlueZError.notConnected, .other("ATT error: 0x0e")])
  func isReadFirstAfterATryThatWasRefused(_ error: BlueZError) {
    var link = Self.resolved()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(error) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == Self.readThenNotify)
  }

  /// The services come and the strap goes, over and over, because bluetoothd writes as soon as it knows them.
  @Test func isReadFirstAfterARenewalThatEndedInADisconnect() {
    var link = Self.resolved()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.payload() == true)
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.disconnected() == [.stopNotify(Link.measurement)])
    #expect(link.status == .backingOff)
    #expect(link.after(.seconds(1)) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == Self.readThenNotify)
  }

  /// Ended by us, because it was silent: the same on the next link.
  @Test func isNotRenewedByBluetoothdAfterADisconnectOfOurs() {
    var link = Self.resolved()
    link.readsDescriptorFirst()
    #expect(link.want(true) == Self.readThenNotify)
    #expect(link.payload() == true)
    #expect(link.after(.seconds(15)) == [.stopNotify(Link.measurement), .disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == Self.readThenNotify)
  }

  /// bluetoothd shows no descriptor: then there is nothing to be read.
  @Test func isNotThere() {
    var link = Link(.resolved)
    link.readsDescriptorFirst()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }
}
