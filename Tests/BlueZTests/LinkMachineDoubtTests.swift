import BlueZ
import Testing

/// Steps that last for too long to go well are given their time, and a reason is told for it meanwhile.
@Suite struct LinkMachineDoubtTests {
  private func subscribing() -> Link {
    var link = Link(.resolved)
    #expect(link.want(true) == [.startNotify(Link.measurement)])
    return link
  }

  /// As a strap that wants a bond leaves it.
  @Test func startNotifyIsNotAnswered() {
    var link = subscribing()
    #expect(link.after(.milliseconds(2_999)) == [])
    #expect(link.machine.suspicion == nil)
    #expect(link.after(.milliseconds(1)) == [])
    #expect(link.machine.suspicion == .neverSubscribed)
    #expect(link.status == .subscribing && link.trouble == nil, "it goes on")
    #expect(link.after(.seconds(16)) == [])
    #expect(link.after(.seconds(1)) == [.disconnect(Link.device)])
    #expect(link.trouble == .neverSubscribed)
    #expect(link.machine.suspicion == nil, "what has ended it is known")
  }

  @Test func anAnswerThatComesLate() {
    var link = subscribing()
    _ = link.after(.seconds(4))
    #expect(link.notified(nil) == [])
    #expect(link.machine.suspicion == nil)
    #expect(link.payload() == true)
    #expect(link.status == .streaming && link.machine.suspicion == nil && link.trouble == nil)
    #expect(link.after(.seconds(10)) == [])
    #expect(link.machine.suspicion == nil)
  }

  @Test func nothingComesBehindTheAnswer() {
    var link = subscribing()
    _ = link.after(.seconds(1))
    #expect(link.notified(nil) == [])
    _ = link.after(.milliseconds(4_999))
    #expect(link.machine.suspicion == nil)
    _ = link.after(.milliseconds(1))
    #expect(link.machine.suspicion == .silentAfterSubscribing)
    #expect(link.after(.seconds(4)) == [.stopNotify(Link.measurement), .startNotify(Link.measurement)])
    #expect(link.machine.suspicion == .silentAfterSubscribing)
    #expect(link.payload() == true)
    #expect(link.machine.suspicion == nil)
  }

  @Test func connectIsNotAnswered() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    _ = link.after(.seconds(10))
    #expect(link.machine.suspicion == .silentWhileConnecting && link.status == .connecting)
    #expect(link.connected() == [])
    #expect(link.machine.suspicion == nil)
  }

  @Test func nobodyWantsItAnyMore() {
    var link = subscribing()
    _ = link.after(.seconds(4))
    _ = link.want(false)
    #expect(link.machine.suspicion == nil)
    _ = link.disconnected()
    #expect(link.machine.deadline == nil)
  }
}
