import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

struct ConnectionTests {
  private static let call = VarlinkCall("io.strapd.Pause")

  /// What a call throws.
  private static func failure(_ body: () throws -> Void) -> ConnectionError? {
    do {
      try body()
      return nil
    } catch {
      return error as? ConnectionError
    }
  }

  @Test func sendsACallAndReadsItsReply() throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    let served = try daemon.accept()
    served.send(#"{"parameters":{"session":"x"}}"#)
    let reply = try connection.call(VarlinkCall("io.strapd.Pause", .object(["session": .string("x")])))
    #expect(reply == VarlinkReply(.object(["session": .string("x")])))
    #expect(try served.call() == #"{"method":"io.strapd.Pause","parameters":{"session":"x"}}"#)
  }

  @Test func readsAnErrorAsAReply() throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    let served = try daemon.accept()
    served.send(#"{"error":"io.strapd.NoSession","parameters":{"call":"pause"}}"#)
    let reply = try connection.call(Self.call)
    #expect(reply.error == "io.strapd.NoSession")
    #expect(try served.call() == #"{"method":"io.strapd.Pause","parameters":{}}"#)
  }

  @Test func putsAReplyTogetherFromItsPieces() throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    let served = try daemon.accept()
    served.send(raw: Array(#"{"parameters":{"n""#.utf8))
    try connection.receive()
    #expect(try connection.nextReply() == nil)
    served.send(raw: Array(#":1}}"#.utf8) + [0] + Array("{".utf8))
    #expect(try connection.call(Self.call).parameters == .object(["n": .integer(1)]))
    #expect(try connection.nextReply() == nil)
  }

  @Test func tellsThatNobodyListens() throws {
    let folder = try TemporaryFolder()
    #expect(
      Self.failure { _ = try Connection(to: folder.file("none")) }
        == ConnectionError(.connect, folder.file("none"), .system(ENOENT)))
    let file = try folder.write("", to: "file")
    #expect(Self.failure { _ = try Connection(to: file) } == ConnectionError(.connect, file, .system(ECONNREFUSED)))
  }

  @Test func refusesAPathThatNoSocketCanHave() {
    let path = "/" + String(repeating: "x", count: 107)
    #expect(Self.failure { _ = try Connection(to: path) } == ConnectionError(.connect, path, .longPath))
    let longest = "/" + String(repeating: "x", count: 106)
    #expect(
      Self.failure { _ = try Connection(to: longest) } == ConnectionError(.connect, longest, .system(ENOENT)))
  }

  @Test func givesUpOnADaemonThatAcceptsNobody() throws {
    let daemon = try FakeDaemon(backlog: 0)
    let patience = Connection.Patience(connect: .milliseconds(20))
    // The kernel lets backlog + 1 connections wait.
    let waiting = try Connection(to: daemon.path, patience)
    #expect(
      Self.failure { _ = try Connection(to: daemon.path, patience) }
        == ConnectionError(.connect, daemon.path, .timedOut(.milliseconds(20))))
    #expect(waiting.path == daemon.path)
  }

  @Test(arguments: [("io.strapd.Pause", 20), ("io.strapd.End", 30)])
  func givesUpOnADaemonThatDoesNotAnswer(_ method: String, _ milliseconds: Int) throws {
    let daemon = try FakeDaemon()
    let patience = Connection.Patience(call: .milliseconds(20), end: .milliseconds(30))
    let connection = try Connection(to: daemon.path, patience)
    #expect(
      Self.failure { _ = try connection.call(VarlinkCall(method)) }
        == ConnectionError(.receive, daemon.path, .timedOut(.milliseconds(milliseconds)), method: method))
  }

  @Test func isPatientByItself() {
    let patience = Connection.Patience()
    #expect(patience.connect == .seconds(5))
    #expect(patience.call == .seconds(30))
    #expect(patience.end == .seconds(60))
  }

  @Test func tellsThatTheDaemonVanishedInTheMiddleOfAReply() throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    let served = try daemon.accept()
    served.send(raw: Array(#"{"parameters""#.utf8))
    try connection.send(Self.call)
    _ = try served.call()
    served.hangUp()
    try connection.receive()
    #expect(
      Self.failure { try connection.receive() }
        == ConnectionError(.receive, daemon.path, .closed, method: "io.strapd.Pause"))
  }

  @Test func tellsThatTheDaemonVanishedBeforeTheCall() throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    try daemon.accept().hangUp()
    #expect(
      Self.failure { try connection.send(Self.call) }
        == ConnectionError(.send, daemon.path, .closed, method: "io.strapd.Pause"))
  }

  @Test(arguments: ["220 smtp.example.org ready", "[1]", "\"text\""])
  func doesNotTakeWhatIsNoReply(_ text: String) throws {
    let daemon = try FakeDaemon()
    let connection = try Connection(to: daemon.path)
    let served = try daemon.accept()
    served.send(text)
    #expect(
      Self.failure { _ = try connection.call(Self.call) }
        == ConnectionError(.receive, daemon.path, .nonsense, method: "io.strapd.Pause"))
    #expect(try served.call() == #"{"method":"io.strapd.Pause","parameters":{}}"#)
  }
}
