import Testing

@testable import BlueZ

/// Pair, and what comes of it.
@Suite struct LinkMachinePairingTests {
  /// A strap whose link stands, and that is being paired.
  private func pairing() -> Link {
    var link = Link(.connected)
    #expect(link.want(true) == [])
    #expect(link.pair() == [.pair(Link.device)])
    #expect(link.status == .pairing)
    #expect(link.wait == .seconds(70))
    return link
  }

  @Test func paired() {
    var link = pairing()
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.machine.pairing.isAsked, "until it is answered")
    #expect(link.paired(nil) == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(30))
    #expect(link.resolved() == [.startNotify(Link.measurement)])
  }

  @Test func answeredBeforeTheBondIsShown() {
    var link = pairing()
    #expect(link.paired(nil) == [])
    #expect(link.status == .pairing)
    #expect(link.device { $0.isBonded = true } == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
    #expect(link.wait == .seconds(30))
  }

  /// Linux 6.1 says that it has paired when the link is some milliseconds old, and begins after that.
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
    #expect(link.paired(.alreadyPaired) == [])
    #expect(link.machine.pairing == .done)
    #expect(link.status == .resolving)
  }

  @Test func neverAnswered() {
    var link = pairing()
    #expect(link.after(.seconds(70)) == [.cancelPairing(Link.device), .disconnect(Link.device)])
    #expect(link.machine.pairing == .failed(.timedOut))
  }
}
