import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real program pairing, with the test as its daemon and as the person at its terminal.
struct StrapctlPairTests {
  private static let strap = #""strap":"F0:F1:F2:F3:F4:F5""#

  private struct Stage {
    let daemon: FakeDaemon
    let terminal: Terminal?
    let child: ChildProcess
    let served: FakeConversation

    func tell(_ progress: String, _ rest: String = "", continues: Bool = true) {
      let end = continues ? #","continues":true}"# : "}"
      served.send(#"{"parameters":{\#(StrapctlPairTests.strap),"progress":"\#(progress)"\#(rest)}"# + end)
    }

    func fail(_ why: String) {
      served.send(#"{"error":"io.strapd.PairingFailed","parameters":{\#(StrapctlPairTests.strap),"text":"\#(why)"}}"#)
    }

    /// The person's answer, as it comes on a second connection.
    func answer() throws -> (call: String, on: FakeConversation) {
      let second = try daemon.accept()
      return (try second.call(), second)
    }

    /// What is on the screen at the end, and the exit status.
    func end() throws -> (screen: String, end: ChildProcess.End) {
      let end = try child.wait()
      return (terminal?.rest() ?? "", end)
    }
  }

  /// Starts strapctl and takes its call of Pair.
  private static func start(
    _ words: String, at terminal: Terminal? = nil, expecting parameters: String
  ) throws -> Stage {
    let daemon = try FakeDaemon()
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), words.split(separator: " ").map(String.init),
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"], terminal: terminal)
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.Pair","parameters":\#(parameters),"more":true}"#)
    return Stage(daemon: daemon, terminal: terminal, child: child, served: served)
  }

  private static func startAtTerminal(_ words: String = "pair left") throws -> (Stage, Terminal) {
    let terminal = try Terminal()
    return (try start(words, at: terminal, expecting: #"{"strap":"left","interactive":true}"#), terminal)
  }

  // MARK: Without a person

  @Test func tellsHowFarItHasCome() throws {
    let stage = try Self.start("pair", expecting: "{}")
    stage.tell("searching")
    #expect(try stage.child.line() == "looking for the strap F0:F1:F2:F3:F4:F5: wear it, and wet its electrodes")
    stage.tell("connecting")
    #expect(try stage.child.line() == "connecting to the strap F0:F1:F2:F3:F4:F5")
    stage.tell("pairing")
    #expect(try stage.child.line() == "pairing")
    stage.tell("dancing")
    #expect(try stage.child.line() == #"{"strap":"F0:F1:F2:F3:F4:F5","progress":"dancing"}"#)
    stage.tell("paired", continues: false)
    #expect(try stage.child.outputText() == "the strap F0:F1:F2:F3:F4:F5 is paired\n")
    #expect(try stage.child.errorText() == "")
    #expect(try stage.child.wait() == .exited(0))
  }

  @Test func tellsThatItIsPairedAlready() throws {
    let stage = try Self.start("pair", expecting: "{}")
    stage.tell("paired", continues: false)
    #expect(
      try stage.child.outputText() == """
        the strap F0:F1:F2:F3:F4:F5 is paired already. If it ends every connection, it has lost the pairing: \
        'strapctl pair --again' makes a new one

        """)
    #expect(try stage.child.wait() == .exited(0))
  }

  @Test func printsTheReportsThemselves() throws {
    let stage = try Self.start(
      "pair f0:f1:f2:f3:f4:f5 --again --json", expecting: #"{"strap":"F0:F1:F2:F3:F4:F5","again":true}"#)
    stage.tell("pairing")
    stage.tell("paired", continues: false)
    #expect(
      try stage.child.outputText() == """
        {"strap":"F0:F1:F2:F3:F4:F5","progress":"pairing"}
        {"strap":"F0:F1:F2:F3:F4:F5","progress":"paired"}

        """)
    #expect(try stage.child.wait() == .exited(0))
  }

  @Test func tellsWhyItFailed() throws {
    let stage = try Self.start("pair --strap left", expecting: #"{"strap":"left"}"#)
    stage.tell("pairing")
    stage.fail("no answer in time")
    #expect(try stage.child.outputText() == "pairing\n")
    #expect(
      try stage.child.errorText() == """
        strapctl: the strap F0:F1:F2:F3:F4:F5 could not be paired: no answer in time. Wear the strap, bring it near, and \
        try again; 'strapctl status' says what Bluetooth does

        """)
    #expect(try stage.child.wait() == .exited(1))
    let forPrograms = try Self.start("--json pair", expecting: "{}")
    forPrograms.fail("no answer in time")
    #expect(
      try forPrograms.child.errorText()
        == #"{"error":"io.strapd.PairingFailed","parameters":{\#(Self.strap),"text":"no answer in time"}}"# + "\n")
    #expect(try forPrograms.child.wait() == .exited(1))
  }

  @Test func asksNobodyWhereThatIsSaid() throws {
    let stage = try Self.start("pair --no-input", at: try Terminal(), expecting: "{}")
    stage.tell("paired", continues: false)
    #expect(try stage.child.wait() == .exited(0))
  }

  /// A prompt that goes into a file is seen by nobody.
  @Test func asksNobodyWhoDoesNotSeeThePrompt() throws {
    let (daemon, terminal, folder) = (try FakeDaemon(), try Terminal(), try TemporaryFolder())
    let shell = try ChildProcess(
      "sh", ["-c", "exec '\(try BuildFolder.program("strapctl"))' pair 2>'\(folder.file("errors"))'"],
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"], terminal: terminal)
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.Pair","parameters":{},"more":true}"#)
    served.hangUp()
    #expect(try shell.wait() == .exited(2))
  }

  /// Who does not see the end has not brought it about.
  @Test func failsWhereNobodyReads() throws {
    let daemon = try FakeDaemon()
    let shell = try ChildProcess(
      "sh", ["-c", "{ '\(try BuildFolder.program("strapctl"))' pair; echo \"status $?\" >&2; } | true"],
      environment: ["STRAPD_SOCKET": daemon.path, "LC_ALL": "C"])
    let served = try daemon.accept()
    _ = try served.call()
    #expect(try shell.errorText() == "status 1\n")
  }

  // MARK: With a person

  // What is asked, the prompt, what is typed, and the answer.
  private static let questions: [(String, prompt: String, typed: String, answer: String)] = [
    (#"enterPasskey"#, "number that the strap shows: ", "004711", #","accept":true,"passkey":4711"#),
    (#"enterPasskey"#, "number that the strap shows: ", " 999 999 ", #","accept":true,"passkey":999999"#),
    (#"enterPinCode"#, "PIN of the strap: ", "0000", #","accept":true,"pinCode":"0000""#),
    (#"enterPinCode"#, "PIN of the strap: ", " a b ", #","accept":true,"pinCode":"a b""#),
    (#"confirmPasskey"#, "does the strap show 004711? [y/N] ", "y", #","accept":true"#),
    (#"confirmPasskey"#, "does the strap show 004711? [y/N] ", "Yes", #","accept":true"#),
    (#"confirmPasskey"#, "does the strap show 004711? [y/N] ", "n", #","accept":false"#),
    (#"confirmPasskey"#, "does the strap show 004711? [y/N] ", "", #","accept":false"#),
  ]

  @Test(arguments: questions)
  func asksThePerson(_ progress: String, _ prompt: String, _ typed: String, _ answer: String) throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("pairing")
    stage.tell(progress, progress == "confirmPasskey" ? #","passkey":"004711""# : "")
    #expect(try terminal.read(until: prompt) == "pairing\n" + prompt)
    try terminal.type(typed + "\n")
    let (call, second) = try stage.answer()
    #expect(call == #"{"method":"io.strapd.AnswerPairing","parameters":{\#(Self.strap)\#(answer)}}"#)
    second.send(#"{"parameters":{\#(Self.strap)}}"#)
    stage.tell("pairing")
    stage.tell("paired", continues: false)
    let (screen, end) = try stage.end()
    #expect(screen == typed + "\npairing\nthe strap F0:F1:F2:F3:F4:F5 is paired\n")
    #expect(end == .exited(0))
  }

  @Test func showsWhatIsTypedOnTheStrap() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("showPasskey", #","passkey":"000042""#)
    try terminal.read(until: "type 000042 on the strap\n")
    stage.tell("showPinCode", #","pinCode":"1x""#)
    try terminal.read(until: "type 1x on the strap\n")
    stage.tell("paired", continues: false)
    #expect(try stage.end().end == .exited(0))
  }

  // What is no answer, and what is said to it.
  private static let nonsense: [(String, typed: String, allowed: String)] = [
    ("enterPasskey", "", "the number has one to six digits; ^C gives up\n"),
    ("enterPasskey", "1234567", "the number has one to six digits; ^C gives up\n"),
    ("enterPasskey", "+12", "the number has one to six digits; ^C gives up\n"),
    ("enterPasskey", "one", "the number has one to six digits; ^C gives up\n"),
    ("enterPinCode", " ", "a PIN has 1 to 16 characters; ^C gives up\n"),
    ("enterPinCode", "12345678901234567", "a PIN has 1 to 16 characters; ^C gives up\n"),
    ("confirmPasskey", "maybe", "y for yes, n for no\n"),
  ]

  @Test(arguments: nonsense)
  func asksAgain(_ progress: String, _ typed: String, _ allowed: String) throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell(progress)
    let question = try #require(PairingQuestion(try json(#"{"progress":"\#(progress)"}"#)))
    try terminal.read(until: question.prompt)
    try terminal.type(typed + "\n")
    #expect(try terminal.read(until: question.prompt) == typed + "\n" + allowed + question.prompt)
    stage.fail("x")
    #expect(try stage.end().end == .exited(1))
  }

  @Test func theEndOfTheInputIsNo() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    try terminal.type("\u{4}")
    let (call, second) = try stage.answer()
    #expect(call.hasSuffix(#""accept":false}}"#))
    stage.fail("x")
    #expect(try stage.end().end == .exited(1))
    second.hangUp()
  }

  /// A key that was hit before the question was there has not answered it.
  @Test func whatWasTypedBeforeIsNoAnswer() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("pairing")
    try terminal.read(until: "pairing\n")
    try terminal.type("y\n")
    try terminal.read(until: "y\n")
    stage.tell("confirmPasskey", #","passkey":"000001""#)
    try terminal.read(until: "[y/N] ")
    try terminal.type("n\n")
    #expect(try stage.answer().call.hasSuffix(#""accept":false}}"#))
  }

  @Test func aQuestionIsWithdrawn() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    try terminal.type("47")
    try terminal.read(until: "47")
    stage.tell("pairing")
    #expect(try terminal.read(until: "pairing\n") == "\npairing\n")
    stage.tell("confirmPasskey", #","passkey":"000001""#)
    try terminal.read(until: "[y/N] ")
    // What was begun for the first question is gone.
    try terminal.type("y\n")
    #expect(try stage.answer().call.hasSuffix(#""accept":true}}"#))
  }

  @Test func anAnswerComesTooLate() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    try terminal.type("1\n")
    let (_, second) = try stage.answer()
    second.send(#"{"error":"io.strapd.NothingAsked","parameters":{\#(Self.strap)}}"#)
    try terminal.read(until: "too late: the strap does not ask this any more\n")
    stage.fail("x")
    #expect(try stage.end().end == .exited(1))
  }

  @Test func anAnswerIsRefused() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    try terminal.type("1\n")
    let (_, second) = try stage.answer()
    second.send(#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#)
    let (screen, end) = try stage.end()
    #expect(screen == "1\nstrapctl: strapd does not let you answer. Members of group strapd may\n")
    #expect(end == .exited(1))
  }

  @Test func theDaemonEndsWhileThePersonThinks() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    stage.served.hangUp()
    let (screen, end) = try stage.end()
    #expect(
      screen.hasPrefix("\nstrapctl: strapd at \(stage.daemon.path) closed the connection before it answered Pair"))
    #expect(end == .exited(2))
  }

  @Test func isCancelled() throws {
    let (stage, terminal) = try Self.startAtTerminal()
    stage.tell("enterPasskey")
    try terminal.read(until: "shows: ")
    try terminal.type("\u{3}")
    let (screen, end) = try stage.end()
    #expect(screen == "^C\nstrapctl: cancelled: the pairing was given up. 'strapctl pair' begins it anew\n")
    #expect(end == .exited(1))
    #expect(throws: TestSupportError.self) { try stage.served.call() }
    let piped = try Self.start("pair", expecting: "{}")
    piped.tell("searching")
    _ = try piped.child.line()
    piped.child.signal(SIGTERM)
    #expect(try piped.child.wait() == .exited(1))
  }
}
