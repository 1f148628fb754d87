import Control
import TestSupport
import Testing

@testable import strapctl

struct PairChoiceTests {
  private static let left = #"{"address":"F0:F1:F2:F3:F4:F5","name":"Demo HR","rssi":-50,"heartRate":true}"#
  private static let right = #"{"address":"F0:F1:F2:F3:F4:F6","name":"Other HR","rssi":-70,"heartRate":true}"#

  @Test func theOnlyOneIsAskedAbout() throws {
    let question = PairChoiceQuestion([try json(Self.left)])
    #expect(question.list == [])
    #expect(question.prompt == "pair F0:F1:F2:F3:F4:F5  -50 dBm  (Demo HR)? [y/N] ")
    for (typed, answer) in [
      ("y", .strap("F0:F1:F2:F3:F4:F5")), (" YES ", .strap("F0:F1:F2:F3:F4:F5")), ("n", .none), ("", .none),
      ("1", .unclear), ("maybe", .unclear),
    ] as [(String, PairChoiceQuestion.Answer)] {
      #expect(question.answer(to: typed) == answer, "\(typed)")
    }
  }

  @Test func ofSeveralOneIsChosenByItsNumber() throws {
    let question = PairChoiceQuestion([try json(Self.left), try json(Self.right)])
    #expect(
      question.list == [
        "1  F0:F1:F2:F3:F4:F5  -50 dBm  (Demo HR)", "2  F0:F1:F2:F3:F4:F6  -70 dBm  (Other HR)",
      ])
    for (typed, answer) in [
      ("2", .strap("F0:F1:F2:F3:F4:F6")), ("0", .unclear), ("3", .unclear), ("-1", .unclear), ("y", .unclear),
      ("", .none),
    ] as [(String, PairChoiceQuestion.Answer)] {
      #expect(question.answer(to: typed) == answer, "\(typed)")
    }
  }

  // MARK: The real program

  private func start(_ daemon: FakeDaemon, at terminal: Terminal?) throws -> ChildProcess {
    try ChildProcess(
      try BuildFolder.program("strapctl"), ["pair"], environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"],
      terminal: terminal)
  }

  private func report(_ devices: String...) -> String {
    #"{"parameters":{"devices":[\#(devices.joined(separator: ","))],"gone":[]},"continues":true}"#
  }

  @Test func thePersonChooses() throws {
    let daemon = try FakeDaemon()
    let terminal = try Terminal()
    let child = try start(daemon, at: terminal)
    let scan = try daemon.accept()
    #expect(try scan.call() == #"{"method":"io.strapd.Scan","parameters":{},"more":true}"#)
    scan.send(report(Self.right, Self.left))
    try terminal.read(until: "looking for straps")
    try terminal.read(until: "1  F0:F1:F2:F3:F4:F5")
    try terminal.read(until: "number of the strap to pair: ")
    try terminal.type("7\n")
    try terminal.read(until: "a number from 1 to 2; nothing gives up\nnumber of the strap to pair: ")
    try terminal.type("2\n")
    let pair = try daemon.accept()
    #expect(
      try pair.call()
        == #"{"method":"io.strapd.Pair","parameters":{"strap":"F0:F1:F2:F3:F4:F6","interactive":true},"more":true}"#)
    pair.send(#"{"parameters":{"strap":"F0:F1:F2:F3:F4:F6","progress":"paired"}}"#)
    #expect(try child.wait() == .exited(0))
  }

  @Test func thePersonSaysNo() throws {
    let daemon = try FakeDaemon()
    let terminal = try Terminal()
    let child = try start(daemon, at: terminal)
    let scan = try daemon.accept()
    _ = try scan.call()
    scan.send(report(Self.left))
    try terminal.read(until: "? [y/N] ")
    try terminal.type("n\n")
    #expect(try child.wait() == .exited(1))
    #expect(terminal.rest().contains("cancelled"))
  }

  @Test func withoutATerminalTheyAreListed() throws {
    let daemon = try FakeDaemon()
    let child = try start(daemon, at: nil)
    let pair = try daemon.accept()
    #expect(try pair.call() == #"{"method":"io.strapd.Pair","parameters":{},"more":true}"#)
    pair.send(#"{"error":"io.strapd.NoStrap","parameters":{}}"#)
    let scan = try daemon.accept()
    #expect(try scan.call() == #"{"method":"io.strapd.Scan","parameters":{},"more":true}"#)
    scan.send(report(Self.left, Self.right))
    #expect(
      try child.errorText() == """
        strapctl: cannot pair: no strap was named, and without a terminal nobody can be asked which it is. In sight:
          F0:F1:F2:F3:F4:F5  -50 dBm  (Demo HR)
          F0:F1:F2:F3:F4:F6  -70 dBm  (Other HR)
        Name one with 'strapctl pair ADDRESS'

        """)
    #expect(try child.wait() == .exited(1))
  }
}
