import BlueZ
import Testing

/// What the scan hears, and does not.
@Suite struct LinkMachineHearingTests {
  @Test func aStrapThatIsNotHeardIsNamed() {
    var link = Link(.unknown)
    #expect(link.want(true) == [])
    #expect(link.wait == .seconds(10))
    #expect(link.after(.milliseconds(9_999)) == [])
    #expect(link.trouble == nil)
    #expect(link.after(.milliseconds(1)) == [])
    #expect(link.status == .searching)
    #expect(link.trouble == .notAdvertising)
    #expect(link.machine.deadline == nil)
    #expect(link.appears() == [.connect(Link.device)])
  }

  /// Waits for the strap until the fourth wait, of fifteen seconds, has begun.
  private func waiting(_ error: BlueZError?) -> Link {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    while link.wait ?? .zero <= .seconds(5) || link.status != .backingOff {
      if link.status == .connecting, let error {
        _ = link.connectAnswered(error)
      } else {
        _ = link.after(link.wait ?? .zero)
        if link.status == .connecting { _ = link.disconnectAnswered() }
      }
    }
    return link
  }

  @Test func aStrapThatWasAwayAndIsHeardIsNotKeptWaiting() {
    var link = waiting(nil)
    #expect(link.trouble == .silentWhileConnecting)
    #expect(link.device { $0.isHeard = true } == [.connect(Link.device)])
    #expect(link.status == .connecting)
  }

  @Test func aStrapThatRefusesIsHeardAllTheTimeAndKeptWaiting() {
    var link = waiting(.linkFailed("le-connection-abort-by-remote"))
    #expect(link.device { $0.isHeard = true } == [])
    #expect(link.status == .backingOff)
  }

  @Test func aStrapThatIsHeardWhenTheTimeIsNearlyOverGetsMore() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.milliseconds(29_999)) == [])
    #expect(link.device { $0.isHeard = true } == [])
    #expect(link.wait == .seconds(5))
    #expect(link.after(.seconds(4)) == [])
    #expect(link.device { $0.isHeard = false } == [])
    #expect(link.device { $0.isHeard = true } == [], "once only")
    #expect(link.wait == .seconds(1))
    #expect(link.after(.seconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .silentWhileConnecting)
  }

  @Test func aStrapThatIsHeardEarlyGetsNoMore() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.after(.seconds(20)) == [])
    #expect(link.device { $0.isHeard = true } == [])
    #expect(link.wait == .seconds(10))
  }

  @Test func afterAFailureItScansWhileItConnectsAndTheOtherWayRound() {
    var link = Link(.known)
    _ = link.want(true)
    var scans = [link.machine.wantsDiscovery]
    for _ in 0..<4 {
      _ = link.connectAnswered(.radioAborted)
      _ = link.after(link.status == .backingOff ? link.wait ?? .zero : .zero)
      #expect(link.status == .connecting)
      scans.append(link.machine.wantsDiscovery)
    }
    #expect(scans == [false, true, false, true, false])
  }
}
