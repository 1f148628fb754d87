import BlueZ
import Testing

/// From wanted to connected.
@Suite struct LinkMachineConnectTests {
  @Test func normal() {
    var link = Link(.unknown)
    #expect(link.status == .standing)
    #expect(link.machine.isAtRest)
    #expect(link.machine.deadline == nil)
    #expect(link.want(true) == [])
    #expect(link.status == .searching)
    #expect(link.machine.wantsDiscovery)
    #expect(!link.machine.isAtRest)
    #expect(link.appears() == [.connect(Link.device)])
    #expect(link.status == .connecting)
    #expect(!link.machine.wantsDiscovery)
    #expect(link.wait == .seconds(10))
    #expect(link.connected() == [])
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(10), "then it is doubted")
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.status == .subscribing)
    #expect(link.wait == .seconds(3))
    #expect(link.notifying(true) == [])
    #expect(link.notified(nil) == [])
    #expect(link.status == .subscribing)
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
    #expect(link.machine.reconnects == 0)
    // Wanted twice is wanted once.
    #expect(link.want(true) == [])
    #expect(link.status == .streaming)
  }

  @Test func answeredBeforeItShows() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.status == .resolving)
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func connectedAndResolvedInOneChange() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    let actions = link.device {
      $0.isConnected = true
      $0.isResolved = true
      $0.measurement = Link.measurement
    }
    #expect(actions == [.startNotify(Link.measurement)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.status == .subscribing)
  }

  @Test func foundConnected() {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.status == .resolving)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func foundResolved() {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.status == .subscribing)
  }

  // MARK: Connect fails

  /// Each kind of error, with the name that the wait is for.
  static let failures: [BlueZError] = BlueZErrorTests.words.map(\.error).filter {
    ![.inProgress, .alreadyConnected, .objectGone].contains($0)
  }

  @Test(arguments: failures)
  func connectFails(_ error: BlueZError) {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    // The first time again at once, then with the back-off.
    #expect(link.connectAnswered(error) == [.connect(Link.device)])
    #expect(link.trouble == .connectFailed(error))
    for full in [Duration.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30), .seconds(30)] {
      #expect(link.connectAnswered(error) == [])
      #expect(link.status == .backingOff)
      #expect(link.machine.wantsDiscovery)
      #expect(link.wait?.isBackOff(full) == true)
      #expect(link.after(full) == [.connect(Link.device)])
      #expect(link.status == .connecting)
    }
    #expect(link.machine.reconnects == 0)
  }

  /// Somebody's attempt is under way, perhaps our own of an earlier life: Disconnect ends it.
  @Test func inProgress() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.inProgress) == [.disconnect(Link.device)])
    #expect(link.status == .connecting)
    #expect(link.trouble == .connectFailed(.inProgress))
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
    #expect(link.connectAnswered(.inProgress) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .backingOff)
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  @Test func alreadyConnected() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.alreadyConnected) == [])
    #expect(link.status == .resolving)
    // That is no trouble.
    #expect(link.trouble == nil)
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func objectGone() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.objectGone) == [.readTree, .connect(Link.device)])
    #expect(link.connectAnswered(.objectGone) == [.readTree])
    #expect(link.status == .backingOff)
    #expect(link.disappears() == [])
    #expect(link.machine.wantsDiscovery)
    #expect(link.after(.seconds(1)) == [])
    #expect(link.status == .searching)
    #expect(link.appears() == [.connect(Link.device)])
  }

  @Test func goneBeforeTheAnswer() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.disappears() == [])
    #expect(link.status == .searching)
    #expect(link.connectAnswered(.objectGone) == [])
    #expect(link.status == .searching)
    #expect(link.appears() == [.connect(Link.device)])
  }

  // MARK: Connect is never answered

  @Test func neverAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.milliseconds(29_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.disconnect(Link.device)])
    #expect(link.status == .connecting)
    #expect(link.trouble == .silentWhileConnecting)
    #expect(link.wait == .seconds(10))
    // bluetoothd answers both, the older call first.
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
    #expect(link.trouble == .silentWhileConnecting)
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .backingOff)
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
    #expect(link.after(.seconds(1)) == [.connect(Link.device)])
  }

  /// A bluetoothd that answers nothing at all: never a second Connect beside the first.
  @Test func nothingIsAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    for _ in 0..<50 {
      let actions = link.after(.seconds(10))
      #expect(actions.allSatisfy { $0 == .disconnect(Link.device) })
    }
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.after(.seconds(40)).first == .connect(Link.device))
  }

  /// The link was made in the moment that it was given up.
  @Test func answeredTooLate() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
  }

  // MARK: Meanwhile

  @Test func connectedBySomebodyElseDuringABackOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("x")) == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("x")) == [])
    #expect(link.status == .backingOff)
    #expect(link.connected() == [])
    #expect(link.status == .resolving)
  }

  /// A second adapter finds the strap stronger while the first is connecting it.
  @Test func anotherAdaptersObject() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.device { $0.path = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5" } == [])
    // What is given up is what was asked for.
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [.connect("/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5")])
  }

  @Test func lostWhileConnecting() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    // bluetoothd answers Connect before it shows the loss.
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.trouble == .linkLost)
    #expect(link.connected() == [])
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnected() == [])
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  @Test func neverResolves() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.after(.milliseconds(29_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .neverResolved)
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
  }

  /// Connect says yes, and no connection ever shows.
  @Test func answeredAndNeverConnected() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.trouble == .neverResolved)
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
  }

  @Test func noHeartRate() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.device { $0.isResolved = true } == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.wait == .seconds(2))
    #expect(link.after(.seconds(2)) == [.disconnect(Link.device)])
    #expect(link.trouble == .noHeartRate)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.device { $0.isResolved = true } == [])
    #expect(link.after(.seconds(2)) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  /// The object of the measurement is announced after that all services are resolved.
  @Test func heartRateComesLate() {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.device { $0.isResolved = true } == [])
    #expect(link.after(.seconds(1)) == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  /// Disconnect is answered, and the link stands all the same.
  @Test func linkThatDoesNotEnd() {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .connecting)
    #expect(link.after(.seconds(10)) == [])
    #expect(link.status == .resolving)
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.after(.seconds(10)) == [])
    #expect(link.status == .backingOff)
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  /// The link comes and goes, and Connect is still unanswered: bluetoothd may be at it for as long as it likes.
  @Test func linkLostBeforeConnectIsAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.disconnected() == [.disconnect(Link.device)])
    #expect(link.trouble == .linkLost)
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
  }

  /// The same on a link that another program has, which is left alone for as long as it stands.
  @Test func linkOfOthersLostBeforeConnectIsAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.notified(.notifyAcquired) == [.startNotify(Link.measurement)])
    #expect(link.notified(.notifyAcquired) == [])
    #expect(link.status == .backingOff)
    #expect(link.disconnected() == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .backingOff)
  }
}
