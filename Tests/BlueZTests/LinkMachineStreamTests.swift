import BlueZ
import Testing

/// Streaming, and back to it.
@Suite struct LinkMachineStreamTests {
  @Test func linkLost() {
    var link = Link.streaming()
    // Again at once.
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.status == .connecting)
    #expect(link.trouble == .linkLost)
    #expect(link.machine.reconnects == 1)
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.notified(nil) == [])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
    // The back-off has begun anew.
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.machine.reconnects == 2)
  }

  /// Out of range: Connect waits until the limit, again and again, with 30 s between at most.
  @Test func outOfRange() {
    var link = Link.streaming()
    #expect(link.disconnected() == [.connect(Link.device)])
    for full in [Duration.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30), .seconds(30)] {
      #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
      #expect(link.connectAnswered(.cancelled) == [])
      #expect(link.disconnectAnswered() == [])
      #expect(link.wait?.isBackOff(full) == true)
      #expect(link.after(full) == [.connect(Link.device)])
    }
    #expect(link.connected() == [])
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
  }

  @Test func deviceObjectGone() {
    var link = Link.streaming()
    #expect(link.disappears() == [])
    #expect(link.status == .searching)
    #expect(link.machine.wantsDiscovery)
    #expect(link.trouble == .linkLost)
    #expect(link.machine.reconnects == 1)
    #expect(link.appears() == [.connect(Link.device)])
  }

  @Test func silentWhileConnected() {
    var link = Link.streaming()
    #expect(link.wait == .seconds(15))
    #expect(link.after(.seconds(10)) == [])
    #expect(link.payload() == true)
    // The deadline stays where it was, and is moved when it passes: one timer a quarter minute, not one a beat.
    #expect(link.wait == .seconds(5))
    #expect(link.after(.seconds(5)) == [])
    #expect(link.wait == .seconds(10))
    #expect(link.after(.milliseconds(9_999)) == [])
    #expect(link.status == .streaming)
    #expect(link.after(.milliseconds(1)) == [.disconnect(Link.device)])
    #expect(link.status == .connecting)
    #expect(link.trouble == .wentSilent)
    #expect(link.machine.reconnects == 1)
    // bluetoothd answers before the tree shows the end, and nothing may be begun on the link that ends.
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.notified(nil) == [])
    #expect(
      link.after(.seconds(20))
        == [.stopNotify(Link.measurement), .startNotify(Link.measurement), .disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  /// `Connected` that stays true for ever after the machine has slept.
  @Test func connectedForEver() {
    var link = Link.streaming()
    #expect(link.after(.seconds(15)) == [.disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.after(.seconds(10)) == [.startNotify(Link.measurement)])
    #expect(link.notified(nil) == [])
    #expect(
      link.after(.seconds(20))
        == [.stopNotify(Link.measurement), .startNotify(Link.measurement), .disconnect(Link.device)])
    #expect(link.disconnectAnswered() == [])
    #expect(link.after(.seconds(10)) == [])
    #expect(link.status == .backingOff)
    // And then it beats again.
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
    #expect(link.wait == .seconds(15))
  }

  /// What was delivered counts, though the link has just been given up.
  @Test func payloadOnALinkThatIsBeingEnded() {
    var link = Link.streaming()
    #expect(link.after(.seconds(15)) == [.disconnect(Link.device)])
    #expect(link.payload() == true)
    #expect(link.status == .connecting)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.payload() == false)
  }

  @Test func manyBeats() {
    var link = Link.streaming()
    for _ in 0..<1000 {
      #expect(link.after(.seconds(1)) == [])
      #expect(link.payload() == true)
    }
    #expect(link.status == .streaming)
    #expect(link.machine.reconnects == 0)
  }

  /// Changes that are none for the link.
  @Test func otherChanges() {
    var link = Link.streaming()
    #expect(link.device { $0.isResolved = false } == [])
    #expect(link.notifying(false) == [])
    #expect(link.notifying(true) == [])
    #expect(link.device { $0.isResolved = true } == [])
    #expect(link.status == .streaming)
    #expect(link.payload() == true)
  }

  // MARK: Late answers

  @Test func lateAnswers() {
    var link = Link.streaming()
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connectAnswered(.linkFailed("x")) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.notified(.inProgress) == [])
    #expect(link.notified(nil) == [])
    #expect(link.status == .streaming)
    #expect(link.trouble == nil)
    #expect(link.payload() == true)
  }

  @Test func lateAnswersInABackOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.notReady) == [.connect(Link.device)])
    #expect(link.connectAnswered(.notReady) == [])
    #expect(link.status == .backingOff)
    let wait = link.wait
    #expect(link.connectAnswered(.linkFailed("x")) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.notified(.notConnected) == [])
    #expect(link.status == .backingOff)
    #expect(link.wait == wait)
    #expect(link.trouble == .connectFailed(.notReady))
  }

  @Test func lateDisconnectWhileConnecting() {
    var link = Link.streaming()
    #expect(link.after(.seconds(15)) == [.disconnect(Link.device)])
    #expect(link.disconnected() == [.connect(Link.device)])
    // The answer to the Disconnect that has been overtaken by its effect.
    #expect(link.disconnectAnswered() == [])
    #expect(link.status == .connecting)
    // The Connect that is pending now is still the only one.
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
  }

  /// Woken too early, by a timer that was not taken back.
  @Test func earlyDeadline() {
    let link = Link.streaming()
    let before = link.machine
    var machine = before
    #expect(machine.deadlinePassed(link.world, at: link.now) == [])
    #expect(machine == before)
    var standing = Link(.known)
    #expect(standing.after(.seconds(100)) == [])
  }
}
