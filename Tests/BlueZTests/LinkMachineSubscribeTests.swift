import BlueZ
import Testing

/// From connected to streaming.
@Suite struct LinkMachineSubscribeTests {
  static let errors: [BlueZError] = BlueZErrorTests.words.map(\.error).filter {
    ![.inProgress, .alreadyNotifying, .notifyAcquired].contains($0)
  }

  @Test(arguments: errors)
  func startNotifyFails(_ error: BlueZError) {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(error) == [.disconnect(Link.device)])
    #expect(link.trouble == .subscribeFailed(error))
    #expect(link.status == .connecting)
    // It is not ours until StartNotify has been asked for again.
    #expect(link.payload() == false)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.payload() == false)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.notified(error) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  /// bluetoothd renews the subscription by itself, or has done so.
  @Test(arguments: [BlueZError.inProgress, .alreadyNotifying])
  func renewedAlready(_ error: BlueZError) {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(error) == [])
    #expect(link.status == .subscribing)
    #expect(link.trouble == nil)
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
  }

  /// What bluetoothd renews by itself says nothing where nothing comes of it: the next link gets a subscription of its
  /// own, and only the link that is gone a StopNotify.
  @Test func renewedInVain() {
    var link = Link.streaming()
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.notified(.alreadyNotifying) == [])
    #expect(link.after(.milliseconds(4_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .silentAfterSubscribing)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.after(.seconds(1)) == [.stopNotify(Link.measurement), .connect(Link.device)])
    #expect(link.notifying(false) == [])
    #expect(link.connected() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    // A strap that wants a bond leaves it unanswered.
    #expect(link.after(.seconds(3)) == [])
    #expect(link.machine.suspicion == .neverSubscribed)
    #expect(link.after(.seconds(16)) == [])
    #expect(link.after(.seconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .neverSubscribed)
  }

  /// Whoever holds the notifications uses the link as well.
  @Test func notifyAcquired() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(.notifyAcquired) == [.startNotify(Link.measurement)])
    #expect(link.trouble == .subscribeFailed(.notifyAcquired))
    for full in [Duration.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30), .seconds(30)] {
      #expect(link.notified(.notifyAcquired) == [])
      #expect(link.status == .backingOff)
      #expect(link.wait?.isBackOff(full) == true)
      #expect(link.after(full) == [.startNotify(Link.measurement)])
    }
    #expect(link.notified(.notifyAcquired) == [])
    // Given up by the other one, which shows.
    #expect(link.notifying(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
  }

  @Test func silent() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.notifying(true) == [])
    #expect(link.after(.milliseconds(9_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.stopNotify(Link.measurement), .startNotify(Link.measurement)])
    #expect(link.status == .subscribing)
    #expect(link.notified(nil) == [])
    #expect(link.after(.milliseconds(9_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .silentAfterSubscribing)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.stopNotify(Link.measurement), .connect(Link.device)])
    // The same again, now with back-off: a dry strap.
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(
      link.after(.seconds(20))
        == [.stopNotify(Link.measurement), .startNotify(Link.measurement), .disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.status == .backingOff)
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
    #expect(link.trouble == .silentAfterSubscribing)
  }

  @Test func secondTryHelps() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.after(.seconds(10)) == [.stopNotify(Link.measurement), .startNotify(Link.measurement)])
    #expect(link.after(.seconds(9)) == [])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.wait == .seconds(15))
  }

  /// A StartNotify that needs encryption is answered after a minute, if at all.
  @Test func startNotifyAnsweredTooLate() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.after(.seconds(20)) == [.disconnect(Link.device)], "a second one beside it would be no better")
    #expect(link.notified(.notPaired) == [])
    #expect(link.trouble == .neverSubscribed)
    #expect(link.status == .connecting)
  }

  @Test func answerForAnotherCharacteristic() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(.notConnected, "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5/service000e/char0099") == [])
    #expect(link.status == .subscribing)
  }

  @Test func lostWhileSubscribing() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.trouble == .linkLost)
    #expect(link.machine.reconnects == 0)
    #expect(link.notified(.notConnected) == [])
    #expect(link.status == .connecting)
  }

  @Test func goneWhileSubscribing() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.disappears() == [])
    #expect(link.status == .searching)
    #expect(link.appears() == [.connect(Link.device)])
  }

  /// The strap's services are read anew, and 0x2A37 is another object now.
  @Test func anotherCharacteristic() {
    var link = Link.streaming()
    let moved = Objects.location
    // If it moves back meanwhile, bluetoothd may yet take what was asked of the old one.
    #expect(link.device { $0.measurement = moved } == [.stopNotify(Link.measurement), .startNotify(moved)])
    #expect(link.status == .subscribing)
    #expect(link.payload(Link.measurement) == false)
    #expect(link.payload(moved) == true)
    #expect(link.status == .streaming)
  }

  // MARK: Whose payloads

  @Test func payloadsWithoutASubscription() {
    var link = Link(.resolved)
    #expect(link.payload() == false)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.payload(Objects.location) == false)
    #expect(link.status == .subscribing)
    var connecting = Link(.connected)
    #expect(connecting.want(true) == [])
    #expect(connecting.device { $0.measurement = Link.measurement } == [])
    // Somebody else's subscription.
    #expect(connecting.payload() == false)
    #expect(connecting.status == .resolving)
  }

  /// bluetoothd renews a living client's subscription, and values come before ServicesResolved.
  @Test func payloadsBeforeResolvedAfterAReconnect() {
    var link = Link.streaming()
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.payload() == false)
    #expect(link.connected() == [])
    #expect(link.status == .resolving)
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
    #expect(link.resolved() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.status == .streaming)
    #expect(link.machine.reconnects == 1)
  }

  @Test func payloadsOfAnObjectThatWentAndCameBack() {
    var link = Link.streaming()
    #expect(link.disappears() == [])
    #expect(link.appears() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.device { $0.measurement = Link.measurement } == [])
    // With the object our subscription went.
    #expect(link.payload() == false)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  /// Measurements that another client's subscription brings are no proof of ours.
  @Test func refusedAfterAPayload() {
    var link = Link(.resolved)
    #expect(link.notifying(true) == [])
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.notified(.notPaired) == [.disconnect(Link.device)])
    #expect(link.trouble == .subscribeFailed(.notPaired))
    #expect(link.payload() == false)
    #expect(link.machine.reconnects == 1)
  }

  /// Refused when the link had gone already: what comes on the next one is not ours before it is asked for again.
  @Test func refusedAfterTheLinkWasLost() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.notified(.notConnected) == [])
    #expect(link.connected() == [])
    #expect(link.notifying(true) == [])
    #expect(link.payload() == false)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.payload() == true)
  }
}
