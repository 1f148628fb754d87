import Bus
import Measurements
import Testing

@testable import Logind

@Suite struct DisplayLockTests {
  /// The questions about one user, and logind's answers to the last of them, in virtual time.
  struct Stage {
    var lock = DisplayLock(user: 1000)
    var serials = Serials()
    var now = Moment(tick: Tick(nanoseconds: 0), wall: WallTime(nanoseconds: 0))
    var sent: [BusMessage] = []

    mutating func ask() { sent += lock.ask(&serials, at: now) }

    mutating func reply(_ value: BusValue) { answer(.reply(to: sent.last?.serial ?? 0), [value]) }

    mutating func refuse(_ name: InterfaceName) {
      answer(.error(to: sent.last?.serial ?? 0, BusError(name: name, text: "no")))
    }

    mutating func advance(_ span: Duration) {
      now.tick = now.tick + span
      sent += lock.deadlinePassed(&serials, at: now)
    }

    @discardableResult
    mutating func answer(_ kind: BusMessage.Kind, _ body: [BusValue] = []) -> Bool {
      guard let more = lock.take(BusMessage(kind, body: body), &serials, at: now) else { return false }
      sent += more
      return true
    }

    /// What was asked: the method, or the property.
    var asked: [String] {
      sent.map { message in
        guard case .call(let call) = message.kind else { return "?" }
        return call.member == "Get"
          ? "\(call.path) \(message.body[1].asString ?? "?")" : "\(call.member) \(message.body[0])"
      }
    }

    mutating func toTheSession() {
      ask()
      reply(.objectPath("/org/freedesktop/login1/user/_1000"))
      reply(.variant(.structure([.string("c2"), .objectPath("/org/freedesktop/login1/session/c2")])))
    }
  }

  @Test(arguments: [(true, DisplayLock.Answer.locked), (false, .notLocked)])
  func threeQuestions(_ isLocked: Bool, _ answer: DisplayLock.Answer) {
    var stage = Stage()
    #expect(stage.lock.answer == .unknown)
    stage.toTheSession()
    stage.reply(.variant(.boolean(isLocked)))
    #expect(
      stage.asked == [
        "GetUser uint32(1000)", "/org/freedesktop/login1/user/_1000 Display",
        "/org/freedesktop/login1/session/c2 LockedHint",
      ])
    #expect(stage.sent.allSatisfy { $0.destination == LogindCall.service })
    #expect(stage.lock.answer == answer)
    #expect(stage.lock.deadline == nil)
  }

  @Test func withoutAGraphicalSessionItIsNotLocked() {
    var stage = Stage()
    stage.ask()
    stage.reply(.objectPath("/org/freedesktop/login1/user/_1000"))
    stage.reply(.variant(.structure([.string(""), .objectPath("/")])))
    #expect(stage.lock.answer == .notLocked)
  }

  @Test(
    arguments: [
      ("org.freedesktop.login1.NoSuchUser", .notLocked), ("org.freedesktop.login1.NoSuchSession", .notLocked),
      ("org.freedesktop.DBus.Error.UnknownObject", .notLocked),
      ("org.freedesktop.DBus.Error.ServiceUnknown", .notLocked), ("org.freedesktop.DBus.Error.NoReply", .notLocked),
      ("org.freedesktop.DBus.Error.AccessDenied", .locked), ("org.freedesktop.DBus.Error.Timeout", .locked),
      ("org.example.Other", .locked),
    ] as [(InterfaceName, DisplayLock.Answer)])
  func errors(_ name: InterfaceName, _ answer: DisplayLock.Answer) {
    for answered in 0..<3 {
      var stage = Stage()
      stage.ask()
      if answered > 0 { stage.reply(.objectPath("/org/freedesktop/login1/user/_1000")) }
      if answered > 1 { stage.reply(.variant(.structure([.string("c2"), .objectPath("/a")]))) }
      stage.refuse(name)
      #expect(stage.lock.answer == answer)
      #expect(stage.lock.deadline == nil)
    }
  }

  /// What is none of the answers that there are says nothing, and what is not known counts as locked.
  @Test(arguments: [
    BusValue.string("/x"), .variant(.string("yes")), .variant(.structure([.string("c2")])), .objectPath("/x"),
    .variant(.structure([.objectPath("/a"), .string("c2")])), .boolean(false),
  ])
  func oddAnswers(_ value: BusValue) {
    for answered in 0..<3 {
      var stage = Stage()
      stage.ask()
      if answered > 0 { stage.reply(.objectPath("/org/freedesktop/login1/user/_1000")) }
      if answered > 1 { stage.reply(.variant(.structure([.string("c2"), .objectPath("/a")]))) }
      if answered == 0, value == .objectPath("/x") { continue }  // the right one
      stage.reply(value)
      #expect(stage.lock.answer == .locked)
    }
  }

  @Test func logindThatDoesNotAnswer() {
    var stage = Stage()
    stage.toTheSession()
    stage.advance(.milliseconds(1999))
    #expect(stage.lock.answer == .unknown)
    stage.advance(.milliseconds(1))
    #expect(stage.lock.answer == .locked)
    let late = stage.sent.last?.serial ?? 0
    let isTaken = stage.answer(.reply(to: late), [.variant(.boolean(false))])
    #expect(!isTaken, "an answer to nothing that is asked any more")
  }

  /// What is asked while a question is under way is asked again behind it: the answer may be an older one.
  @Test func aChangeMeanwhile() {
    var stage = Stage()
    stage.toTheSession()
    stage.ask()
    stage.ask()
    #expect(stage.sent.count == 3)
    stage.reply(.variant(.boolean(true)))
    #expect(stage.lock.answer == .locked)
    #expect(stage.asked.count == 4)
    #expect(stage.asked.last == "GetUser uint32(1000)")
  }

  @Test func anotherAnswerIsNotTaken() {
    var stage = Stage()
    stage.ask()
    let taken = [
      stage.answer(.reply(to: 99), [.objectPath("/x")]),
      stage.answer(.error(to: 99, BusError(name: "org.example.Other", text: ""))),
    ]
    #expect(taken == [false, false])
    #expect(stage.lock.answer == .unknown)
  }

  @Test func whatIsNotOfScreensIsPassedOver() {
    let changed: (String) -> BusMessage = { name in
      BusMessage(
        .signal(
          path: "/org/freedesktop/login1/session/c2", interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged"),
        body: [.string("x"), .properties([name: .boolean(true)]), .strings([])])
    }
    #expect(LogindCall.isOfLogind(changed("IdleHint")))
    #expect(!LogindCall.maySayLocked(changed("IdleHint")))
    #expect(LogindCall.maySayLocked(changed("LockedHint")))
    #expect(LogindCall.maySayLocked(changed("Display")))
    let came = BusMessage(
      .signal(path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", member: "SessionNew"))
    #expect(LogindCall.isOfLogind(came) && LogindCall.maySayLocked(came))
    let bluez = BusMessage(
      .signal(path: "/org/bluez/hci0", interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"))
    #expect(!LogindCall.isOfLogind(bluez))
    for (name, isOfLogind) in [("org.freedesktop.login1", true), ("org.bluez", false)] {
      let message = BusMessage(
        .signal(path: BusDaemon.path, interface: BusDaemon.interface, member: "NameOwnerChanged"),
        body: [.string(name), .string(""), .string(":1.5")])
      #expect(LogindCall.isOfLogind(message) == isOfLogind)
    }
  }
}
