import Testing

@testable import BlueZ

/// Pair, and what comes of it.
@Suite struct LinkMachinePairingTests {
  /// A strap whose link stands, and that is being paired.
  private func pairing() -> Link {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.pair() == [])
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(1))
    #expect(link.after(.seconds(1)) == [.pair(Link.device)])
    #expect(link.status == .pairing)
    #expect(link.wait == .seconds(70))
    return link
  }

  /// Linux 6.1 says that it has paired when the link is some milliseconds old, and begins after that.
  @Test func settles() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.pair() == [])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.machine.pairing.isUnderWay)
    #expect(link.wait == .seconds(1))
    #expect(link.after(.milliseconds(999)) == [])
    #expect(link.resolved() == [.pair(Link.device)])
    // The link ends too soon.
    link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.pair() == [])
    #expect(link.after(.milliseconds(900)) == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.machine.pairing == .wanted)
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.wait == .seconds(1))
    #expect(link.abandonPairing() == [])
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func paired() {
    var link = pairing()
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.machine.pairing == .done, "whether or not it is answered")
    #expect(link.paired(nil) == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(10), "then its services are doubted")
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func answeredBeforeTheBondIsShown() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.status == .pairing)
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(10), "then its services are doubted")
  }

  @Test func answeredBeforeItHasBegun() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.wait == .seconds(2))
    #expect(link.after(.milliseconds(1_999)) == [])
    #expect(link.after(.milliseconds(1)) == [.pair(Link.device)])
    #expect(link.wait == .seconds(68))
    #expect(link.paired(.pairingFailed("no")) == [.disconnect(Link.device)])
    #expect(link.machine.pairing == .failed(.pairingFailed("no")))
    #expect(link.trouble == .pairFailed(.pairingFailed("no")))
  }

  @Test func neverBonded() {
    var link = pairing()
    var pairs = 0
    while link.status == .pairing {
      if link.paired(nil) != [] { break }
      let actions = link.after(link.wait ?? .zero)
      pairs += actions == [.pair(Link.device)] ? 1 : 0
    }
    #expect(pairs == 34, "every two seconds, seventy seconds long")
    #expect(link.machine.pairing == .failed(.timedOut))
    #expect(link.trouble == .pairFailed(.timedOut))
  }

  @Test func abandonedBeforeItHasBegun() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.abandonPairing() == [.disconnect(Link.device)])
    #expect(link.machine.pairing == .none)
  }

  @Test func lostBeforeItHasBegun() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.machine.pairing == .failed(.notConnected))
  }

  @Test func pairedAlready() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.after(.seconds(2)) == [.pair(Link.device)])
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.paired(.alreadyPaired) == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
  }

  @Test func aPersonDoesNotWaitForABackOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    while link.wait ?? .zero <= .seconds(5) || link.status != .backingOff {
      if link.status == .connecting { _ = link.connectAnswered(.linkFailed("no")) }
      if link.status == .backingOff, link.wait ?? .zero <= .seconds(5) { _ = link.after(link.wait ?? .zero) }
    }
    #expect(link.pair() == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("no")) == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("no")) == [])
    #expect(link.wait?.isBackOff(.seconds(1)) == true)
  }

  @Test func neverAnswered() {
    var link = pairing()
    #expect(link.after(.seconds(70)) == [.cancelPairing(Link.device), .disconnect(Link.device)])
    #expect(link.machine.pairing == .failed(.timedOut))
  }

  /// bluetoothd has paired for this link alone, since it had begun before it knew of our agent.
  @Test func pairedWithoutABond() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.after(.seconds(2)) == [.pair(Link.device)])
    #expect(link.paired(.alreadyPaired) == [.disconnect(Link.device)])
    #expect(link.machine.pairing == .wanted)
    #expect(link.machine.pairing.isUnderWay)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.connect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.pair(Link.device)])
    #expect(link.device { $0.isBonded = true } == [.startNotify(Link.measurement)])
    #expect(link.paired(nil) == [])
    #expect(link.machine.pairing == .done)
  }

  // MARK: Without being asked

  /// Connects, and loses the link after a second before anything has come.
  private func hangsUp(_ link: inout Link) -> [LinkAction] {
    while link.status == .backingOff { _ = link.after(link.wait ?? .zero) }
    #expect(link.connectAnswered(nil) == [])
    let actions = link.connected() + link.after(.seconds(1))
    _ = link.disconnected()
    return actions
  }

  @Test func hangsUpEachTime() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(hangsUp(&link) == [])
    #expect(link.trouble == .linkLost)
    #expect(hangsUp(&link) == [])
    #expect(link.trouble == .endsEarly)
    #expect(hangsUp(&link) == [])
    #expect(link.status == .backingOff)
    #expect(link.device { $0.isHeard = true } == [], "it is not away, and gets its rest")
  }

  @Test func hangsUpUntilItIsPaired() {
    var link = Link(.known)
    link.pairsWhenNeeded()
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(hangsUp(&link) == [])
    #expect(hangsUp(&link) == [])
    for _ in 0..<20 {
      #expect(hangsUp(&link) == [.pair(Link.device)], "it may take the pairing the next time")
      #expect(link.trouble == .pairFailed(.notConnected))
    }
  }

  @Test func losesItsBond() {
    var link = Link(.known)
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(hangsUp(&link) == [])
    #expect(link.trouble == .linkLost)
    #expect(hangsUp(&link) == [])
    #expect(link.trouble == .bondLost)
    #expect(link.device { $0.isBonded = false } == [])
    #expect(hangsUp(&link) == [])
    #expect(link.trouble == .linkLost, "without a bond it is another story")
  }

  /// A subscription would be renewed on the next link, and bluetoothd would begin to pair by itself there.
  @Test func neverSubscribed() {
    var link = Link(.resolved)
    link.pairsWhenNeeded()
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    #expect(link.after(.seconds(10)) == [.disconnect(Link.device)])
    #expect(link.machine.pairing.isUnderWay)
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [.stopNotify(Link.measurement), .connect(Link.device)])
    #expect(link.connectAnswered(nil) == [])
    #expect(link.connected() == [])
    #expect(link.resolved() == [.pair(Link.device)])
  }
}
