import Testing

@testable import strap_sim

@Suite struct OptionsTests {
  @Test func arguments() {
    #expect(Options.parse([]) == .run(Options()))
    #expect(Options.parse(["--stdin"]) == .run(Options(script: nil, readsStandardInput: true)))
    #expect(Options.parse(["--script", "x"]) == .run(Options(script: "x", readsStandardInput: false)))
    #expect(Options.parse(["--stdin", "--script", "x"]) == .run(Options(script: "x", readsStandardInput: true)))
    #expect(Options.parse(["--sent", "y"]) == .run(Options(sentFile: "y")))
    #expect(Options.parse(["--sent"]) == .wrong("--sent needs a file"))
    #expect(Options.parse(["--btsnoop", "z", "--speed", "2.5"]) == .run(Options(log: "z", speed: 2.5)))
    #expect(Options.parse(["--btsnoop"]) == .wrong("--btsnoop needs a file"))
    for speed in ["", "0", "fast", "1001", "nan"] {
      let arguments = ["--btsnoop", "z", "--speed", speed]
      #expect(Options.parse(arguments) == .wrong("--speed needs a number, 0.01 to 1000"))
    }
    #expect(Options.parse(["--speed", "2"]) == .wrong("--speed is for --btsnoop"))
    #expect(Options.parse(["--help"]) == .help)
    #expect(Options.parse(["--script"]) == .wrong("--script needs a file"))
    #expect(Options.parse(["--verbose"]) == .wrong("unknown argument '--verbose'"))
    #expect(Options.parse(["x"]) == .wrong("unknown argument 'x'"))
  }

  @Test func theHelpNamesEveryCommand() {
    for usage in StrapCommandParser.usage { #expect(Options.help.contains("\n  TAG \(usage)\n")) }
    for kind in MalformedKind.allCases { #expect(Options.help.contains(kind.rawValue)) }
  }
}
