import BlueZ
import Testing

/// Links that outlive whoever made them, and nobody wants any more.
@Suite struct LinkMachineRemnantTests {
  private func gone(_ link: inout Link) -> [LinkAction] {
    link.see {
      $0.host = .bluetoothdAbsent
      $0.device = nil
    }
  }

  private func back(_ link: inout Link, _ change: (inout LinkWorld.Device) -> Void = { _ in }) -> [LinkAction] {
    link.see {
      $0.host = .ready
      $0.device = Link.known.with(change)
    }
  }

  /// Released while there was no bluetoothd to release it with.
  @Test func releasedWithoutBluetoothd() {
    var link = Link.streaming()
    #expect(gone(&link) == [])
    #expect(link.want(false) == [])
    #expect(link.machine.isAtRest)
    #expect(back(&link) { $0.isConnected = true } == [.disconnect(Link.device)])
    #expect(link.resolved() == [], "it is asked once")
    #expect(link.disconnected() == [])
    #expect(link.connected() == [], "the next one is somebody else's")
  }

  @Test func bluetoothdDiesWhileReleasing() {
    var link = Link.streaming()
    #expect(link.want(false) == [.stopNotify(Link.measurement)])
    #expect(gone(&link) == [])
    #expect(link.machine.isAtRest)
    #expect(back(&link) { $0.isConnected = true } == [.disconnect(Link.device)])
  }

  /// It dies before it has taken the Disconnect, and does so twice.
  @Test func bluetoothdDiesBeforeTheDisconnect() {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.want(false) == [.disconnect(Link.device)])
    for _ in 0..<2 {
      #expect(gone(&link) == [])
      #expect(back(&link) { $0.isConnected = true } == [.disconnect(Link.device)])
    }
  }

  /// The tree of a bluetoothd that has just started may show the link later than the strap.
  @Test(arguments: [(10, true), (11, false)])
  func shownLater(seconds: Int, isOurs: Bool) {
    var link = Link.streaming()
    #expect(gone(&link) == [])
    #expect(link.want(false) == [])
    #expect(link.after(.seconds(3600)) == [])
    #expect(back(&link) == [])
    #expect(link.after(.seconds(seconds)) == [])
    #expect(link.connected() == (isOurs ? [.disconnect(Link.device)] : []))
  }

  @Test func anotherClientListens() {
    var link = Link.streaming()
    #expect(gone(&link) == [])
    #expect(link.want(false) == [])
    let seen = back(&link) {
      $0.isConnected = true
      $0.measurement = Link.measurement
      $0.isNotifying = true
    }
    #expect(seen == [])
    // Left to it before bluetoothd died.
    var left = Link(.resolved)
    #expect(left.notifying(true) == [])
    #expect(left.want(true) == [.startNotify(Link.measurement)])
    #expect(left.notified(nil) == [])
    #expect(left.want(false) == [.stopNotify(Link.measurement)])
    #expect(left.after(.seconds(2)) == [])
    #expect(gone(&left) == [])
    #expect(back(&left) { $0.isConnected = true } == [])
  }

  @Test func wantedAgainItIsAdopted() {
    var link = Link.streaming()
    #expect(gone(&link) == [])
    #expect(link.want(false) == [])
    #expect(link.want(true) == [])
    #expect(back(&link) { $0.isConnected = true } == [])
    #expect(link.status == .resolving)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  /// The daemon died with a link that nobody wants in its next life.
  @Test func ofADaemonThatDied() {
    var link = Link(.unknown, host: .bluetoothdAbsent)
    link.mayHaveLeftLink()
    #expect(back(&link) { $0.isConnected = true } == [.disconnect(Link.device)])
    var stranger = Link(.unknown, host: .bluetoothdAbsent)
    #expect(back(&stranger) { $0.isConnected = true } == [], "never ours")
    var wanted = Link(.unknown, host: .bluetoothdAbsent)
    wanted.mayHaveLeftLink()
    #expect(wanted.want(true) == [])
    #expect(back(&wanted) { $0.isConnected = true } == [])
    #expect(wanted.status == .resolving)
  }

  /// Connect has succeeded and been answered, its Disconnect does nothing, and the tree is still to show the link.
  @Test func releasedWhileCancelling() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.seconds(30)) == [.disconnect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.want(false) == [])
    #expect(link.machine.isAtRest)
    #expect(link.connected() == [.disconnect(Link.device)])
  }

  /// Nobody wants the strap, and another client listens on the link by the adapter that is left.
  @Test func leftToOthersWithItsAdapter() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connected() == [])
    #expect(link.notifying(true) == [])
    #expect(link.want(false) == [])
    let old = link.world
    var machine = link.machine
    #expect(machine.turned(from: old, to: LinkWorld(host: .ready, device: nil), at: link.now) == [])
  }
}
