import Control
import Measurements
import Testing

@testable import Engine

struct SubscriptionsTests {
  private let client = ClientID(number: 1)

  private var status: WatchSnapshot {
    WatchSnapshot(
      StatusSnapshot(
        sequence: 41, durableThrough: 40, date: World.start.wall, bluetooth: "ready", advice: nil, adapters: [],
        straps: [], sessions: [], watchers: 0, oddSignals: 0, held: nil))
  }

  private func connected() -> Subscriptions {
    var subscriptions = Subscriptions()
    subscriptions.connected(client, Caller())
    return subscriptions
  }

  private func calls(_ effects: [SubscriptionsEffect]) -> [ControlCall] {
    effects.compactMap { if case .perform(_, let call) = $0 { call } else { nil } }
  }

  private func isClosed(_ effects: [SubscriptionsEffect]) -> Bool {
    effects.contains { if case .close = $0 { true } else { false } }
  }

  /// Who is told of an event with this number.
  private func told(_ sequence: Int64, _ subscriptions: inout Subscriptions) -> [ClientID] {
    let event = EncodedEvent(
      Event(sequence: sequence, date: World.start.wall, what: .pauseOrResumeRequest), held: false, durableThrough: 40)
    return subscriptions.tell(event, 40, at: World.start).compactMap {
      if case .write(let client, _) = $0 { client } else { nil }
    }
  }

  @Test func oneCallAtATime() {
    var subscriptions = connected()
    let two = VarlinkCall("io.strapd.GetStatus").message + VarlinkCall("io.strapd.Pause").message
    var effects = subscriptions.received(two, from: client)
    #expect(calls(effects) == [.getStatus])
    effects = subscriptions.received([], from: client)
    #expect(calls(effects).isEmpty)
    effects = subscriptions.answer(client, VarlinkReply())
    #expect(calls(effects) == [.pause(SessionTarget())])
  }

  @Test func aWatcherIsToldWhatItsSnapshotDoesNotHave() {
    var subscriptions = connected()
    #expect(told(42, &subscriptions).isEmpty)
    let effects = subscriptions.received(VarlinkCall("io.strapd.Watch", more: true).message, from: client)
    #expect(calls(effects) == [.watch(nil)])
    _ = subscriptions.watch(client, EventSelection(), from: status)
    #expect(subscriptions.watchers.count == 1)
    #expect(told(41, &subscriptions).isEmpty)
    #expect(told(42, &subscriptions) == [client])
    subscriptions.gone(client)
    #expect(told(43, &subscriptions).isEmpty)
    #expect(subscriptions.isEmpty)
  }

  @Test func whoHasFinishedSendingIsAnsweredAndClosed() {
    var subscriptions = connected()
    _ = subscriptions.received(VarlinkCall("io.strapd.GetStatus").message, from: client)
    var effects = subscriptions.finishedSending(client)
    #expect(!isClosed(effects))
    effects = subscriptions.answer(client, VarlinkReply())
    #expect(isClosed(effects))
    #expect(subscriptions.isEmpty)
  }

  @Test func aWatcherThatHasFinishedSendingGoesOnWatching() {
    var subscriptions = connected()
    _ = subscriptions.received(VarlinkCall("io.strapd.Watch", more: true).message, from: client)
    _ = subscriptions.watch(client, EventSelection(), from: status)
    let effects = subscriptions.finishedSending(client)
    #expect(!isClosed(effects))
    #expect(told(42, &subscriptions) == [client])
  }

  @Test func whoSendsAheadWithoutEndIsHeldAndLetGoAgain() {
    var subscriptions = connected()
    _ = subscriptions.received(VarlinkCall("io.strapd.End").message, from: client)
    var held: [Bool] = []
    func note(_ effects: [SubscriptionsEffect]) {
      for case .holdReading(_, let isHeld) in effects { held.append(isHeld) }
    }
    let call = VarlinkCall("org.varlink.service.GetInfo").message
    let piece = [UInt8]((0..<500).map { _ in call }.joined())
    for _ in 0..<200 where held.isEmpty { note(subscriptions.received(piece, from: client)) }
    #expect(held == [true])
    note(subscriptions.answer(client, VarlinkReply()))
    #expect(held == [true, false])
  }

  @Test func aClientThatDoesNotTakeItsAnswersGetsNoFurtherOnes() {
    var subscriptions = connected()
    let call = VarlinkCall("io.strapd.GetStatus").message
    var effects = subscriptions.received([UInt8]((0..<5000).map { _ in call }.joined()), from: client)
    let large = VarlinkReply(.object(["x": .string(String(repeating: "x", count: 10_000))]))
    var answered = 0
    while !calls(effects).isEmpty {
      effects = subscriptions.answer(client, large)
      answered += 1
    }
    #expect(answered == 27)
    guard case .tellWhenDrained = effects.last else {
      Issue.record("\(effects)")
      return
    }
    effects = subscriptions.drained(client)
    #expect(calls(effects) == [.getStatus])
  }

  @Test func anAnswerForAClientThatHasGoneIsDropped() {
    var subscriptions = connected()
    _ = subscriptions.received(VarlinkCall("io.strapd.End").message, from: client)
    subscriptions.gone(client)
    let effects = subscriptions.answer(client, VarlinkReply())
    #expect(effects.isEmpty)
  }
}
