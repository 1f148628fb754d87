import Bus
import Measurements
import Testing

@testable import Logind

@Suite struct InhibitorTests {
  /// A lock and what it has asked for, in virtual time.
  struct Stage {
    var lock: Inhibitor
    var serials = Serials()
    var now = Moment(tick: Tick(nanoseconds: 0), wall: WallTime(nanoseconds: 0))
    var actions: [Inhibitor.Action] = []

    init(_ operation: InhibitedOperation) {
      lock = Inhibitor(operation)
    }

    mutating func want(_ wanted: Bool) { actions += lock.want(wanted, &serials, at: now) }
    mutating func advance(_ span: Duration) {
      now.tick = now.tick + span
      actions += lock.deadlinePassed(&serials, at: now)
    }

    /// - Returns: whether the lock took it for its own.
    @discardableResult
    mutating func answer(_ kind: BusMessage.Kind, _ body: [BusValue] = []) -> Bool {
      guard let taken = lock.take(BusMessage(kind, body: body), &serials, at: now) else { return false }
      actions += taken
      return true
    }

    /// What was asked, as "operation mode".
    var asked: [String] {
      actions.compactMap { action in
        guard case .send(let message) = action else { return nil }
        return [message.body[0], message.body[3]].compactMap(\.asString).joined(separator: " ")
      }
    }

    var closed: [BusFileDescriptor] {
      actions.compactMap { if case .close(let descriptor) = $0 { descriptor } else { nil } }
    }
  }

  private static let descriptor = BusFileDescriptor(raw: 7)
  private static let denied = BusError(name: "org.freedesktop.DBus.Error.AccessDenied", text: "no")

  @Test func theCall() {
    let message = LogindCall.inhibit(.sleep, .block, why: "x", serial: 9)
    #expect(
      message
        == BusMessage(
          .call(
            BusCall(
              "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit", withoutActivation: true)),
          serial: 9, destination: "org.freedesktop.login1",
          body: [.string("sleep"), .string("strapd"), .string("x"), .string("block")]))
  }

  @Test(arguments: InhibitedOperation.allCases)
  func heldWhileWanted(_ operation: InhibitedOperation) {
    var stage = Stage(operation)
    stage.want(true)
    stage.want(true)
    #expect(stage.asked == ["\(operation) block"])
    #expect(stage.lock.mode == nil)
    stage.answer(.reply(to: 1), [.unixFD(Self.descriptor)])
    #expect(stage.lock.mode == .block)
    #expect(stage.lock.deadline == nil)
    #expect(stage.closed == [])
    stage.want(false)
    #expect(stage.closed == [Self.descriptor])
    #expect(stage.lock.mode == nil)
    stage.want(true)
    #expect(stage.asked.count == 2)
  }

  @Test func sleepFallsBackToADelay() {
    var stage = Stage(.sleep)
    stage.want(true)
    stage.answer(.error(to: 1, Self.denied))
    #expect(stage.asked == ["sleep block", "sleep delay"])
    stage.answer(.reply(to: 2), [.unixFD(Self.descriptor)])
    #expect(stage.lock.mode == .delay)
    #expect(stage.lock.trouble == nil)
  }

  @Test func idleHasNoWeakerForm() {
    var stage = Stage(.idle)
    stage.want(true)
    stage.answer(.error(to: 1, Self.denied))
    #expect(stage.asked == ["idle block"])
    #expect(stage.lock.trouble == .refused)
    stage.advance(.seconds(299))
    #expect(stage.asked.count == 1)
    stage.advance(.seconds(1))
    #expect(stage.asked.count == 2)
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.ServiceUnknown", InhibitorTrouble.noLogind),
    ("org.freedesktop.DBus.Error.NameHasNoOwner", .noLogind), ("org.freedesktop.DBus.Error.NoReply", .noLogind),
    ("org.freedesktop.DBus.Error.AccessDenied", .refused),
    ("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", .refused),
    ("org.freedesktop.DBus.Error.TimedOut", .noAnswer),
    ("org.freedesktop.login1.Strange", .failed("org.freedesktop.login1.Strange: why")),
  ])
  func errors(_ name: String, _ trouble: InhibitorTrouble) throws {
    var stage = Stage(.idle)
    stage.want(true)
    stage.answer(.error(to: 1, BusError(name: try #require(InterfaceName(name)), text: "why")))
    #expect(stage.lock.trouble == trouble)
    #expect(stage.lock.mode == nil)
    // Wherever it comes from, it is asked for again while it is wanted, and not for ever when it is not.
    stage.advance(.seconds(300))
    #expect(stage.asked.count == 2)
    stage.want(false)
    stage.answer(.error(to: 2, Self.denied))
    #expect(stage.lock.trouble == nil)
    #expect(stage.lock.deadline == nil)
  }

  @Test func polkitdTakesItsTime() {
    var stage = Stage(.sleep)
    stage.want(true)
    stage.advance(.seconds(89))
    #expect(stage.lock.trouble == nil)
    stage.answer(.reply(to: 1), [.unixFD(Self.descriptor)])
    #expect(stage.lock.mode == .block)
  }

  @Test func noAnswerAndALateOne() {
    var stage = Stage(.sleep)
    stage.want(true)
    stage.advance(.seconds(90))
    #expect(stage.lock.trouble == .noAnswer)
    // Whoever routes the messages closes what nobody took.
    let late = stage.answer(.reply(to: 1), [.unixFD(Self.descriptor)])
    #expect(!late)
    stage.advance(.seconds(30))
    #expect(stage.asked == ["sleep block", "sleep block"])
  }

  @Test func grantedWhenItIsNotWantedAnyMore() {
    var stage = Stage(.sleep)
    stage.want(true)
    stage.want(false)
    stage.answer(.reply(to: 1), [.unixFD(Self.descriptor)])
    #expect(stage.closed == [Self.descriptor])
    #expect(stage.lock.mode == nil)
  }

  @Test func wantedAgainBeforeTheAnswer() {
    var stage = Stage(.sleep)
    stage.want(true)
    stage.want(false)
    stage.want(true)
    #expect(stage.asked.count == 2)
    let first = stage.answer(.reply(to: 1), [.unixFD(Self.descriptor)])
    #expect(!first, "the second one's is waited for")
    stage.answer(.reply(to: 2), [.unixFD(BusFileDescriptor(raw: 8))])
    #expect(stage.lock.mode == .block)
  }

  @Test func theBusGoesAndComes() {
    var stage = Stage(.idle)
    stage.want(true)
    stage.lock.busLost(at: stage.now)
    #expect(stage.lock.trouble == .noLogind)
    stage.actions += stage.lock.busConnected(&stage.serials, at: stage.now)
    #expect(stage.asked.count == 2)
    stage.answer(.reply(to: 2), [.unixFD(Self.descriptor)])
    // The lock is the descriptor, and no bus is needed to hold it.
    stage.lock.busLost(at: stage.now)
    #expect(stage.lock.mode == .block)
    #expect(stage.lock.busConnected(&stage.serials, at: stage.now) == [])
  }

  @Test func anAnswerWithoutALock() {
    var stage = Stage(.idle)
    stage.want(true)
    stage.answer(.reply(to: 1), [.string("x")])
    #expect(stage.lock.trouble == .failed("the answer holds no lock"))
  }

  @Test func othersMessagesAreNotItsOwn() {
    var stage = Stage(.idle)
    stage.want(true)
    let taken = [
      stage.answer(.reply(to: 2)), stage.answer(.error(to: 2, Self.denied)),
      stage.answer(.signal(path: "/", interface: "a.B", member: "C")),
    ]
    #expect(taken == [false, false, false])
  }
}
