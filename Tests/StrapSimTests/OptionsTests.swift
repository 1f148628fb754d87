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
