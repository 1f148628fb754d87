import Control
import Testing

@Suite struct ConversationTests {
  static let getStatus = #"{"method":"io.strapd.GetStatus"}"#
  static let pause = #"{"method":"io.strapd.Pause"}"#
  static let watch = #"{"method":"io.strapd.Watch","more":true}"#

  // MARK: Calls and answers

  @Test func oneCall() {
    var conversation = Conversation()
    #expect(conversation.next() == nil)
    conversation.received("{\"method\":\"io.strapd.Get".utf8)
    #expect(conversation.next() == nil)
    #expect(conversation.isIdle)
    conversation.received("Status\"}\0".utf8)
    #expect(conversation.next() == .perform(.getStatus))
    #expect(!conversation.isIdle)
    #expect(conversation.next() == nil)
    let reply = VarlinkReply(.object(["a": .integer(1)]))
    #expect(conversation.answer(reply) == Array(#"{"parameters":{"a":1}}"#.utf8) + [0])
    #expect(conversation.isIdle)
    #expect(conversation.next() == nil)
  }

  @Test func callsSentAheadAreAnsweredInOrder() {
    var conversation = Conversation()
    send([Self.getStatus, Self.pause, #"{"method":"io.strapd.Fly"}"#, Self.getStatus], to: &conversation)
    #expect(conversation.next() == .perform(.getStatus))
    #expect(conversation.next() == nil)
    #expect(text(conversation.answer(VarlinkReply())) == #"{"parameters":{}}"#)
    #expect(conversation.next() == .perform(.pause(SessionTarget())))
    #expect(conversation.next() == nil)
    #expect(
      text(conversation.answer(ControlError.noSession(call: .pause).reply))
        == #"{"error":"io.strapd.NoSession","parameters":{"call":"pause"}}"#)
    #expect(
      conversation.next()
        == writes(#"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"io.strapd.Fly"}}"#))
    #expect(conversation.next() == .perform(.getStatus))
  }

  @Test func answerWithoutACallIsNone() {
    var conversation = Conversation()
    #expect(conversation.answer(VarlinkReply()) == [])
    #expect(conversation.isIdle)
    send([Self.getStatus], to: &conversation)
    #expect(conversation.next() == .perform(.getStatus))
    #expect(conversation.answer(VarlinkReply()) != [])
    #expect(conversation.answer(VarlinkReply()) == [])
  }

  // MARK: oneway

  @Test func onewayIsPerformedAndNotAnswered() {
    var conversation = Conversation()
    send([#"{"method":"io.strapd.Pause","oneway":true}"#, Self.getStatus], to: &conversation)
    #expect(conversation.next() == .perform(.pause(SessionTarget())))
    #expect(conversation.answer(VarlinkReply()) == [])
    #expect(conversation.next() == .perform(.getStatus))
    #expect(conversation.answer(VarlinkReply()) != [])
  }

  @Test func errorsOfOnewayCallsAreSilent() {
    var conversation = Conversation()
    send(
      [
        #"{"method":"io.strapd.Fly","oneway":true}"#, #"{"method":"a.B","oneway":true}"#,
        #"{"method":"io.strapd.Pause","oneway":true,"parameters":{"x":1}}"#,
        #"{"method":"io.strapd.Watch","oneway":true}"#, #"{"method":"org.varlink.service.GetInfo","oneway":true}"#,
        #"{"method":"io.strapd.Pause","oneway":true,"upgrade":true}"#, Self.getStatus,
      ], to: &conversation)
    #expect(conversation.next() == .perform(.getStatus))
  }

  /// Events are replies, and oneway forbids them.
  @Test(arguments: ["Watch", "Scan", "Backup", "Verify"])
  func onewayWatchHasNoEffect(_ method: String) {
    var conversation = Conversation()
    send([#"{"method":"io.strapd.\#(method)","more":true,"oneway":true}"#, Self.getStatus], to: &conversation)
    #expect(conversation.next() == .perform(.getStatus))
    #expect(!conversation.isWatching)
  }

  /// A step that called itself for each call would use up the stack.
  @Test(arguments: [
    (#"{"method":"io.strapd.End","oneway":true}"#, true), (#"{"method":"","oneway":true}"#, false),
  ])
  func manyOnewayCallsInOnePiece(_ call: String, _ isPerformed: Bool) {
    let sent = 200_000
    var conversation = Conversation()
    let one = Array(call.utf8) + [0]
    var stream: [UInt8] = []
    stream.reserveCapacity(sent * one.count)
    for _ in 0..<sent { stream += one }
    conversation.received(stream)
    #expect(!conversation.wantsMore)
    var count = 0
    while let step = conversation.next() {
      guard step == .perform(.end(SessionTarget())), conversation.answer(VarlinkReply()).isEmpty else {
        Issue.record("\(step)")
        return
      }
      count += 1
    }
    #expect(count == (isPerformed ? sent : 0))
    #expect(conversation.wantsMore)
    #expect(conversation.isIdle)
  }

  // MARK: Watch

  @Test func watchWithoutMore() {
    var conversation = Conversation()
    send([#"{"method":"io.strapd.Watch"}"#, Self.getStatus], to: &conversation)
    #expect(conversation.next() == writes(#"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#))
    #expect(!conversation.isWatching)
    #expect(conversation.next() == .perform(.getStatus))
  }

  @Test func callsBehindWatchAreNeverReached() {
    var conversation = Conversation()
    send([Self.watch, Self.pause], to: &conversation)
    #expect(conversation.next() == .perform(.watch(nil)))
    conversation.startWatching()
    #expect(conversation.isWatching)
    #expect(!conversation.isIdle)
    #expect(conversation.next() == nil)
    send([Self.pause, "no JSON at all", Self.watch], to: &conversation)
    #expect(conversation.next() == nil)
    #expect(conversation.answer(VarlinkReply()) == [])
    #expect(conversation.isWatching)
    #expect(conversation.wantsMore)
  }

  @Test func watchThatIsRefused() {
    var conversation = Conversation()
    send([Self.watch, Self.pause], to: &conversation)
    #expect(conversation.next() == .perform(.watch(nil)))
    #expect(conversation.answer(ControlError.shuttingDown.reply) != [])
    #expect(!conversation.isWatching)
    #expect(conversation.next() == .perform(.pause(SessionTarget())))
  }

  @Test func startWatchingTakesACall() {
    var conversation = Conversation()
    conversation.startWatching()
    #expect(!conversation.isWatching)
  }

  @Test func watcherThatSendsTooLongAMessage() {
    var conversation = Conversation()
    send([Self.watch], to: &conversation)
    #expect(conversation.next() == .perform(.watch(nil)))
    conversation.startWatching()
    conversation.received(repeatElement(0x61, count: MessageReader.largestMessage + 1))
    #expect(conversation.next() == .close("a message of more than 1048576 octets"))
  }

  // MARK: What is refused

  @Test(arguments: [
    ("org.example.Fly", "org.example"), ("org.varlink.Fly", "org.varlink"), ("io.strapd.sub.Fly", "io.strapd.sub"),
    ("io.Strapd.GetStatus", "io.Strapd"), ("GetStatus", "GetStatus"), ("", ""), (".GetStatus", ""),
  ])
  func unknownInterface(_ method: String, _ interface: String) {
    var conversation = Conversation()
    send([#"{"method":"\#(method)"}"#, Self.getStatus], to: &conversation)
    #expect(
      conversation.next()
        == writes(#"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"\#(interface)"}}"#))
    #expect(conversation.next() == .perform(.getStatus))
  }

  @Test(arguments: ["io.strapd.Fly", "io.strapd.", "org.varlink.service.Fly", "org.varlink.service."])
  func unknownMethod(_ method: String) {
    var conversation = Conversation()
    send([#"{"method":"\#(method)"}"#, Self.getStatus], to: &conversation)
    #expect(
      conversation.next()
        == writes(#"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"\#(method)"}}"#))
    #expect(conversation.next() == .perform(.getStatus))
  }

  /// A reply without an error would tell the client that the connection is another protocol's now.
  @Test(arguments: ["io.strapd.GetStatus", "org.varlink.service.GetInfo"])
  func upgrade(_ method: String) {
    var conversation = Conversation()
    send([#"{"method":"\#(method)","upgrade":true}"#, Self.getStatus], to: &conversation)
    #expect(
      conversation.next()
        == writes(#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"upgrade"}}"#))
    #expect(conversation.next() == .perform(.getStatus))
  }

  /// It is JSON, and where it ends is known: what follows is answered.
  @Test(arguments: [
    #"{"method":"io.strapd.GetStatus","parameters":{"a\u0000":1}}"#,
    #"{"method":"io.strapd.SetMetadata","parameters":{"metadata":{"k\u0000":"a"}}}"#,
    #"{"method":"io.strapd.SetMetadata","parameters":{"metadata":{"i":9223372036854775808}}}"#,
    #"{"method":"io.strapd.SetMetadata","parameters":{"metadata":{"i":1e999}}}"#,
    #"{"method":"io.strapd.Watch","parameters":{"a":"# + String(repeating: "[", count: 3000)
      + String(repeating: "]", count: 3000) + "}}",
  ])
  func whatAsksTooMuchIsAWrongParameter(_ message: String) {
    var conversation = Conversation()
    send([message, Self.pause], to: &conversation)
    guard case .write(let bytes) = conversation.next() else {
      Issue.record("not answered")
      return
    }
    #expect(VarlinkReply(bytes.dropLast())?.error == "org.varlink.service.InvalidParameter")
    #expect(conversation.next() == .perform(.pause(SessionTarget())))
  }

  @Test(arguments: [
    "", "x", "{", #"{"method":"io.strapd.GetStatus""#, "GET / HTTP/1.1\r\n\r\n", #"{"method":"a.B","method":"a.B"}"#,
    "[]", "{}", #"{"method":7}"#, #"{"method":"io.strapd.End","parameters":[]}"#,
  ])
  func whatIsNoCallCloses(_ message: String) {
    var conversation = Conversation()
    send([Self.pause, message, Self.pause], to: &conversation)
    #expect(conversation.next() == .perform(.pause(SessionTarget())))
    _ = conversation.answer(VarlinkReply())
    guard case .close(let reason) = conversation.next() else {
      Issue.record("not closed")
      return
    }
    #expect(!reason.isEmpty)
    // Nothing that came with it or comes later is looked at.
    #expect(conversation.next() == nil)
    send([Self.pause], to: &conversation)
    #expect(conversation.next() == nil)
    #expect(!conversation.isIdle)
    #expect(conversation.answer(VarlinkReply()) == [])
    conversation.startWatching()
    #expect(!conversation.isWatching)
  }

  @Test func octetsThatAreNotUTF8Close() {
    var conversation = Conversation()
    conversation.received([0x7B, 0xFF, 0xFE, 0x7D, 0])
    guard case .close = conversation.next() else {
      Issue.record("not closed")
      return
    }
  }

  @Test func tooLongAMessageCloses() {
    var conversation = Conversation()
    send([Self.getStatus], to: &conversation)
    conversation.received(repeatElement(0x20, count: MessageReader.largestMessage + 1))
    #expect(conversation.next() == .perform(.getStatus))
    _ = conversation.answer(VarlinkReply())
    #expect(conversation.next() == .close("a message of more than 1048576 octets"))
    #expect(conversation.next() == nil)
  }

  // MARK: A client that sends ahead without end

  @Test func backPressure() {
    var conversation = Conversation()
    let call = Array(Self.getStatus.utf8) + [0]
    var sent = 0
    while conversation.wantsMore {
      conversation.received(call)
      sent += 1
    }
    // Twice the longest message, and less than one call more.
    #expect(sent == 2 * MessageReader.largestMessage / call.count + 1)
    #expect(conversation.next() == .perform(.getStatus))
    #expect(conversation.wantsMore)
    // While one is being answered, the others wait and count.
    conversation.received(call)
    #expect(!conversation.wantsMore)
    var answered = 0
    repeat {
      #expect(!conversation.answer(VarlinkReply()).isEmpty)
      answered += 1
    } while conversation.next() == .perform(.getStatus)
    #expect(answered == sent + 1)
    #expect(conversation.wantsMore)
  }

  private func send(_ messages: [String], to conversation: inout Conversation) {
    conversation.received(messages.flatMap { Array($0.utf8) + [0] })
  }

  private func writes(_ text: String) -> Conversation.Step {
    .write(Array(text.utf8) + [0])
  }

  private func text(_ message: [UInt8]) -> String {
    String(decoding: message.dropLast(), as: UTF8.self)
  }
}
