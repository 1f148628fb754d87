import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real strapctl, with the test as its daemon.
struct VerifyTests {
  private static let finding = #"{"parameters":{"finding":"page 3 is none"},"continues":true}"#
  private static let sound = #"{"parameters":{"sound":true,"summary":"5 workouts: nothing is wrong"}}"#
  private static let unsound = #"{"parameters":{"sound":false,"summary":"1 thing is wrong"}}"#

  private func verify(_ words: String, _ replies: [String]) throws -> StrapctlTests.Result {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start(words, daemon)
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.Verify","parameters":{},"more":true}"#)
    for reply in replies { served.send(reply) }
    return try StrapctlTests.result(child)
  }

  @Test func soundOrNot() throws {
    #expect(
      try verify("verify", [Self.sound]) == .init(status: 0, output: "5 workouts: nothing is wrong\n", errors: ""))
    #expect(
      try verify("verify", [Self.finding, Self.unsound])
        == .init(status: 1, output: "page 3 is none\n1 thing is wrong\n", errors: ""))
    #expect(
      try verify("verify --json", [Self.finding, Self.unsound])
        == .init(
          status: 1,
          output: #"{"finding":"page 3 is none"}"# + "\n" + #"{"sound":false,"summary":"1 thing is wrong"}"# + "\n",
          errors: ""))
  }

  @Test func itCouldNotBeChecked() throws {
    let result = try verify(
      "verify", [Self.finding, #"{"error":"io.strapd.VerifyFailed","parameters":{"text":"it was killed"}}"#])
    #expect(result.status == 1 && result.errors.contains("could not be checked: it was killed"))
  }

  @Test func noDaemon() throws {
    let folder = try TemporaryFolder()
    let result = try StrapctlTests.result(try StrapctlTests.start("verify --socket \(folder.path)/none"))
    #expect(result.status == 2 && result.output == "")
    #expect(result.errors.contains("no strapd answers") && result.errors.contains("sudo -u strapd strapd --verify"))
  }

  @Test func isGivenUp() throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("verify", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(Self.finding)
    #expect(try child.line() == "page 3 is none")
    child.signal(SIGINT)
    let result = try StrapctlTests.result(child)
    #expect(result.status == 1 && result.errors.contains("given up"), "nobody is to take it for sound")
  }
}
