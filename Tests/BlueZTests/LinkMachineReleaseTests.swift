import BlueZ
import Testing

/// No longer wanted.
@Suite struct LinkMachineReleaseTests {
  @Test func nobodyElse() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.status == .releasing)
    #expect(!link.machine.isAtRest)
    #expect(link.wait == .seconds(2))
    #expect(link.payload() == false)
    #expect(link.notifying(false) == [.disconnect(Link.device)])
    #expect(link.status == .standing)
    #expect(link.machine.isAtRest)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.status == .standing)
    #expect(link.want(false) == [])
  }

  @Test func anotherClientListens() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    // `Notifying` stays, since it is not ours alone; the link is not ours to end.
    #expect(link.after(.milliseconds(1999)) == [])
    #expect(link.after(.milliseconds(1)) == [])
    #expect(link.status == .standing)
    #expect(link.machine.isAtRest)
    #expect(link.after(.seconds(60)) == [])
  }

  /// It was not seen that `Notifying` fell: it had never been true for us.
  @Test func notNotifyingYet() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.after(.seconds(2)) == [.disconnect(Link.device)])
    #expect(link.status == .standing)
  }

  /// A StartNotify that is not answered ends with the link, and its subscription is put down after that.
  @Test func notSubscribedYet() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.status == .releasing)
    #expect(link.notified(.notConnected) == [])
    #expect(link.disconnected() == [])
    #expect(link.status == .standing)
    // Where bluetoothd says nothing of it.
    var silent = Link(.resolved)
    #expect(silent.want(true) == [.startNotify(Link.measurement)])
    #expect(silent.want(false) == [.disconnect(Link.device)])
    #expect(silent.disconnected() == [.stopNotify(Link.measurement)])
    #expect(silent.status == .standing)
    var stuck = Link(.resolved)
    #expect(stuck.want(true) == [.startNotify(Link.measurement)])
    #expect(stuck.want(false) == [.disconnect(Link.device)])
    #expect(stuck.after(.seconds(10)) == [.stopNotify(Link.measurement)])
    #expect(stuck.status == .standing)
  }

  /// A Connect of ours that is unanswered on a link that stands, and the link ends before bluetoothd has taken it.
  @Test func connectLeftBehind() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.notifying(true) == [])
    // Others listen.
    #expect(link.want(false) == [])
    #expect(link.status == .standing)
    #expect(link.disconnected() == [.disconnect(Link.device)])
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.connected() == [])
    #expect(link.disconnected() == [])
  }

  /// The same, and the link ends while our own notifications are being switched off.
  @Test func connectLeftBehindWhileReleasing() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.disconnected() == [.disconnect(Link.device)])
    #expect(link.machine.isAtRest)
  }

  /// Connect was answered, and the tree is still to show the link: it would stay up.
  @Test func beforeTheLinkIsShown() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.machine.isAtRest)
    #expect(link.connected() == [])
    #expect(link.disconnected() == [])
  }

  @Test func linkLostWhileReleasing() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.disconnected() == [])
    #expect(link.status == .standing)
    var other = Link.streaming()
    #expect(other.want(false) == [.stopNotify(Link.measurement)])
    #expect(other.disappears() == [])
    #expect(other.status == .standing)
  }

  @Test func beforeTheSubscription() {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.status == .standing)
    // A link that another client listens on.
    var other = Link(.connected)
    #expect(other.notifying(true) == [])
    #expect(other.want(true) == [])
    #expect(other.want(false) == [])
    #expect(other.status == .standing)
  }

  @Test func whileConnecting() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.status == .standing)
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .standing)
    #expect(link.trouble == nil)
  }

  /// A Connect that was made and never answered is not left behind, whatever else is off.
  @Test func whileTheAdapterIsOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.host(.adapterOff) == [])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.status == .standing)
  }

  /// bluetoothd would renew the subscription whoever connects the strap.
  @Test func whileTheLinkIsLost() {
    var link = Link.streaming()
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.want(false) == [.stopNotify(Link.measurement), .disconnect(Link.device)])
    #expect(link.status == .standing)
    var waiting = Link.streaming()
    #expect(waiting.disconnected() == [.connect(Link.device)])
    #expect(waiting.connectAnswered(.linkFailed("x")) == [])
    #expect(waiting.status == .backingOff)
    #expect(waiting.want(false) == [.stopNotify(Link.measurement)])
    #expect(waiting.status == .standing)
    #expect(!waiting.machine.wantsDiscovery)
  }

  @Test func whereNothingIsToBeUndone() {
    for (host, _) in LinkMachineHostTests.hosts {
      var link = Link(.unknown, host: host)
      #expect(link.want(true) == [])
      #expect(link.want(false) == [])
      #expect(link.status == .standing)
    }
    var searching = Link(.unknown)
    #expect(searching.want(true) == [])
    #expect(searching.want(false) == [])
    #expect(searching.status == .standing)
    #expect(searching.appears() == [])
    var backingOff = Link(.known)
    #expect(backingOff.want(true) == [.connect(Link.device)])
    #expect(backingOff.connectAnswered(.notReady) == [.connect(Link.device)])
    #expect(backingOff.connectAnswered(.notReady) == [])
    #expect(backingOff.want(false) == [])
    #expect(backingOff.status == .standing)
    #expect(backingOff.after(.seconds(60)) == [])
  }

  @Test func standingDoesNothing() {
    var link = Link(.unknown)
    #expect(link.appears() == [])
    #expect(link.connected() == [])
    #expect(link.resolved() == [])
    #expect(link.notifying(true) == [])
    #expect(link.payload() == false)
    #expect(link.disconnected() == [])
    #expect(link.host(.bluetoothdAbsent) == [])
    #expect(link.status == .standing)
  }

  // MARK: Wanted again

  @Test func wantedAgainWhileReleasing() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.status == .subscribing)
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.machine.reconnects == 0)
  }

  @Test func wantedAgainBeforeTheLinkHasEnded() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.notifying(false) == [.disconnect(Link.device)])
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    // "Device is disconnecting."
    #expect(link.notified(.notConnected) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
  }

  /// The Connect of before is still unanswered: it is cancelled first.
  @Test func wantedAgainBeforeConnectIsAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.want(false) == [.disconnect(Link.device)])
    #expect(link.want(true) == [.disconnect(Link.device)])
    #expect(link.status == .connecting)
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
  }

  @Test func wantedAgainIsAFreshStart() {
    var link = Link.streaming()
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("x")) == [])
    #expect(link.machine.reconnects == 1)
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.trouble == nil)
    #expect(link.machine.reconnects == 0)
    #expect(link.connectAnswered(.linkFailed("x")) == [.connect(Link.device)])
  }
}
