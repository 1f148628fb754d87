import Control
import Testing

@Suite struct VarlinkCallTests {
  static let calls: [(text: String, call: VarlinkCall)] = [
    (#"{"method":"io.strapd.GetStatus"}"#, VarlinkCall("io.strapd.GetStatus")),
    (#"{"method":"a.B","parameters":{}}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","parameters":null,"more":null,"oneway":null,"upgrade":null}"#, VarlinkCall("a.B")),
    (
      #"{"parameters":{"session":"x","date":null},"method":"a.B"}"#,
      VarlinkCall("a.B", .object(["session": .string("x"), "date": .null]))
    ),
    (#"{"method":"a.B","more":true}"#, VarlinkCall("a.B", more: true)),
    (#"{"method":"a.B","oneway":true}"#, VarlinkCall("a.B", oneway: true)),
    (#"{"method":"a.B","more":false,"oneway":false,"upgrade":false}"#, VarlinkCall("a.B")),
    (#"{"method":""}"#, VarlinkCall("")),
    // What later versions or other vendors add.
    (#"{"method":"a.B","fds":2,"com.example.trace":{"id":7},"More":true}"#, VarlinkCall("a.B")),
  ]

  @Test(arguments: calls)
  func reads(_ text: String, _ call: VarlinkCall) throws {
    #expect(try VarlinkCall(Array(text.utf8)) == call)
  }

  @Test func readsUpgrade() throws {
    #expect(try VarlinkCall(Array(#"{"method":"a.B","upgrade":true}"#.utf8)).upgrade)
  }

  @Test(arguments: calls)
  func everyPrefixIsRefused(_ text: String, _: VarlinkCall) {
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      #expect(throws: VarlinkCallError.self) { try VarlinkCall(bytes[..<length]) }
    }
  }

  static let noCalls: [String] = [
    "{}", "[]", "1", "null", #""a.B""#, #"[{"method":"a.B"}]"#, #"{"method":null}"#, #"{"method":1}"#,
    #"{"method":["a.B"]}"#, #"{"Method":"a.B"}"#, #"{"error":"a.B"}"#,
    #"{"method":"a.B","parameters":[]}"#, #"{"method":"a.B","parameters":"x"}"#, #"{"method":"a.B","parameters":1}"#,
    #"{"method":"a.B","more":1}"#, #"{"method":"a.B","oneway":"true"}"#, #"{"method":"a.B","upgrade":{}}"#,
  ]

  @Test(arguments: noCalls)
  func refusesWhatIsNoCall(_ text: String) {
    #expect(throws: VarlinkCallError.noCall) { try VarlinkCall(Array(text.utf8)) }
  }

  @Test func refusesWhatIsNotJSON() {
    do throws(VarlinkCallError) {
      Issue.record("read as \(try VarlinkCall(Array("GET / HTTP/1.1".utf8)))")
    } catch {
      guard case .notJSON = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  // MARK: What a client sends

  static let sent: [(call: VarlinkCall, text: String)] = [
    (VarlinkCall("io.strapd.GetStatus"), #"{"method":"io.strapd.GetStatus","parameters":{}}"#),
    (
      VarlinkCall("io.strapd.Watch", .object(["a": .integer(1)]), more: true),
      #"{"method":"io.strapd.Watch","parameters":{"a":1},"more":true}"#
    ),
    (VarlinkCall("io.strapd.Stop", oneway: true), #"{"method":"io.strapd.Stop","parameters":{},"oneway":true}"#),
  ]

  @Test(arguments: sent)
  func message(of call: VarlinkCall, text: String) throws {
    #expect(call.message == Array(text.utf8) + [0])
    #expect(try VarlinkCall(call.message.dropLast()) == call)
  }

  @Test(arguments: [
    ("io.strapd.GetStatus", "io.strapd", "GetStatus"), ("a.B", "a", "B"), (".B", "", "B"), ("a.", "a", ""),
    ("a..B", "a.", "B"),
  ])
  func parts(of method: String, interface: String, name: String) {
    let parts = VarlinkCall(method).parts
    #expect(parts?.interface == interface[...])
    #expect(parts?.name == name[...])
  }

  @Test(arguments: ["", "GetStatus", "io/strapd"])
  func noParts(of method: String) {
    #expect(VarlinkCall(method).parts == nil)
  }
}

@Suite struct VarlinkReplyTests {
  static let replies: [(reply: VarlinkReply, text: String)] = [
    (VarlinkReply(), #"{"parameters":{}}"#),
    (VarlinkReply(.object(["a": .real(1)])), #"{"parameters":{"a":1.0}}"#),
    (
      VarlinkReply(.object(["parameter": .string("x")]), error: "org.varlink.service.InvalidParameter"),
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"x"}}"#
    ),
    (VarlinkReply(.object(["a": .null]), continues: true), #"{"parameters":{"a":null},"continues":true}"#),
  ]

  @Test(arguments: replies)
  func wire(_ reply: VarlinkReply, _ text: String) {
    #expect(reply.message == Array(text.utf8) + [0])
    #expect(VarlinkReply(Array(text.utf8)) == reply)
  }

  @Test(arguments: replies)
  func everyPrefixIsNone(_: VarlinkReply, _ text: String) {
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count { #expect(VarlinkReply(bytes[..<length]) == nil) }
  }

  @Test(arguments: [
    ("{}", VarlinkReply()), (#"{"parameters":null,"error":null,"continues":null}"#, VarlinkReply()),
    (#"{"error":"a.B"}"#, VarlinkReply(error: "a.B")), (#"{"continues":false,"x":1}"#, VarlinkReply()),
  ])
  func reads(_ text: String, _ reply: VarlinkReply) {
    #expect(VarlinkReply(Array(text.utf8)) == reply)
  }

  /// An error that is no text must not pass for success.
  @Test(arguments: [
    "[]", "1", "null", #""x""#, #"{"error":5}"#, #"{"error":{"name":"a.B"}}"#, #"{"parameters":[]}"#,
    #"{"parameters":"x"}"#, #"{"continues":1}"#, #"{"continues":"true"}"#,
  ])
  func refuses(_ text: String) {
    #expect(VarlinkReply(Array(text.utf8)) == nil)
  }
}
