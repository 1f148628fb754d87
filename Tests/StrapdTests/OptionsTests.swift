import Control
import TestSupport
import Testing

@testable import strapd

struct OptionsTests {
  @Test(
    arguments: [
      ([], nil), (["--config", "/etc/x"], "/etc/x"), (["--config=/etc/x"], "/etc/x"), (["--conf", "/etc/x"], "/etc/x"),
      (["--config", "/etc/x", "--config", "/etc/y"], "/etc/y"),
    ] as [([String], String?)])
  func readsTheConfigurationsName(_ arguments: [String], _ file: String?) {
    #expect(Options.parse(["/usr/bin/strapd"] + arguments) == Options(configuration: file))
  }

  @Test func verifies() throws {
    var options = Options()
    options.verifies = true
    #expect(Options.parse(["/usr/bin/strapd", "--verify"]) == options)
    #expect(try Self.run(["--verify=x"]).status == .exited(64))
  }

  private static func run(_ arguments: [String]) throws -> (status: ChildProcess.End, output: String, errors: String) {
    let child = try ChildProcess(try BuildFolder.program("strapd"), arguments)
    let (output, errors) = (try child.outputText(), try child.errorText())
    return (try child.wait(), output, errors)
  }

  @Test func helps() throws {
    let result = try Self.run(["--help"])
    #expect(result.status == .exited(0))
    #expect(result.output.hasPrefix("Usage: strapd [OPTION...]\n"))
    #expect(result.output.contains("--config=FILE"))
    #expect(result.errors == "")
  }

  @Test func tellsItsVersion() throws {
    let result = try Self.run(["--version"])
    #expect(result.status == .exited(0))
    #expect(result.output == "strapd \(Interface.version)\n")
  }

  @Test(
    arguments: [
      (["--frobnicate"], "unrecognized option '--frobnicate'"),
      (["--config"], "option '--config' requires an argument"),
      (["now"], "Too many arguments"),
    ] as [([String], String)])
  func refusesWrongUse(_ arguments: [String], _ complaint: String) throws {
    let result = try Self.run(arguments)
    #expect(result.status == .exited(64))
    #expect(result.output == "")
    #expect(result.errors.contains(complaint))
  }
}
