import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// strapctl --host, with a script for ssh that stays on this machine.
@Suite struct BridgeTests {
  private static let getStatus = #"{"method":"io.strapd.GetStatus","parameters":{}}"#

  /// A program that does with its words what ssh's other side does, in a folder in whose PATH strapctl is.
  private static func shell(_ folder: TemporaryFolder, _ body: String = "exec sh -c \"$*\"") throws -> String {
    let script = """
      #!/bin/sh
      [ "$1 $2" = "-xT --" ] || exit 99
      shift 2
      echo "$1" > '\(folder.file("host"))'
      shift
      \(body)

      """
    let path = try folder.write(script, to: "ssh it")
    chmod(path, 0o755)
    return path
  }

  private static func start(_ words: [String], ssh: String) throws -> ChildProcess {
    let program = try BuildFolder.program("strapctl")
    let folder = program[..<(program.lastIndex(of: "/") ?? program.endIndex)]
    return try ChildProcess(
      program, words,
      environment: ["STRAPD_SSH": ssh, "PATH": "\(folder):/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC0"])
  }

  @Test func aCallOverAnotherMachine() throws {
    let folder = try TemporaryFolder()
    let daemon = try FakeDaemon()
    let child = try Self.start(
      ["-H", "pi@gym", "--socket", daemon.path, "status", "--json"], ssh: try Self.shell(folder))
    let served = try daemon.accept()
    #expect(try served.call() == Self.getStatus)
    served.send(#"{"parameters":{"version":"0.1.0"}}"#)
    #expect(
      try StrapctlTests.result(child)
        == StrapctlTests.Result(status: 0, output: #"{"version":"0.1.0"}"# + "\n", errors: ""))
    #expect(try folder.read("host") == "pi@gym\n")
  }

  /// It goes through a shell over there.
  @Test(arguments: ["/run/strapd/control.sock", "a b", "it's", "$(reboot)`x`\"\\", "", "Ünï"])
  func aPathIsQuoted(_ text: String) throws {
    let child = try ChildProcess("/bin/sh", ["-c", "printf %s \(RemoteShell.quoted(text))"], environment: [:])
    #expect(try child.outputText() == text)
  }

  @Test(arguments: [
    ("exit 255", "ssh has not come through to gym"), ("exit 127", "there is no strapctl on gym"),
    ("exit 3", "strapctl on gym has ended before it was done (exit status 3)"), ("kill -9 $$", "ended by a signal"),
  ])
  func whyItDoesNotWorkIsSaid(_ body: String, _ text: String) throws {
    let folder = try TemporaryFolder()
    let result = try StrapctlTests.result(
      try Self.start(["status", "--host=gym"], ssh: try Self.shell(folder, body)))
    #expect(result.status == 2 && result.output == "")
    #expect(result.errors.contains(text), "\(result.errors)")
  }

  @Test func withoutSSHItSaysSo() throws {
    let result = try StrapctlTests.result(try Self.start(["-H", "gym", "status"], ssh: "/nonexistent/ssh"))
    #expect(result.status == 2 && result.errors.contains("cannot reach gym"), "\(result.errors)")
  }

  /// The bridge over there finds no daemon, and says so itself.
  @Test func theOtherSideComplainsItself() throws {
    let folder = try TemporaryFolder()
    let result = try StrapctlTests.result(
      try Self.start(["-H", "gym", "--socket", folder.file("none"), "status"], ssh: try Self.shell(folder)))
    #expect(result.status == 2)
    #expect(result.errors.contains("no strapd answers at \(folder.file("none"))"), "\(result.errors)")
    #expect(result.errors.contains("(exit status 2)"))
  }

  @Test(arguments: ["doctor", "demo", "bridge"])
  func whatIsAboutAMachineRunsThere(_ command: String) throws {
    let result = try StrapctlTests.result(try Self.start(["-H", "gym", command], ssh: "/nonexistent/ssh"))
    #expect(result.status == 64 && result.errors.contains("ssh gym strapctl \(command)"), "\(result.errors)")
  }

  @Test(arguments: ["", "-oProxyCommand=x"])
  func aHostIsNoOption(_ host: String) throws {
    let result = try StrapctlTests.result(try Self.start(["--host=\(host)", "status"], ssh: "/nonexistent/ssh"))
    #expect(result.status == 64)
  }

  /// More answers than any buffer takes, before the first of them is read, and all of them arrive in order.
  @Test func bothDirectionsFlow() throws {
    let folder = try TemporaryFolder()
    let daemon = try FakeDaemon()
    let many = 40_000
    func shell(_ command: String) throws -> ChildProcess {
      try ChildProcess("/bin/sh", ["-c", command], environment: ["PATH": "/usr/bin:/bin"])
    }
    let calls = folder.file("calls")
    #expect(
      try shell("yes '\(Self.getStatus)' | head -n \(many) | tr '\\n' '\\0' > '\(calls)'").wait() == .exited(0))
    let program = try BuildFolder.program("strapctl")
    let child = try shell("'\(program)' --socket '\(daemon.path)' bridge < '\(calls)' | cksum")
    let served = try daemon.accept()
    for number in 0..<many {
      #expect(try served.call() == Self.getStatus)
      served.send(#"{"parameters":{"n":\#(number)}}"#)
    }
    served.hangUp()
    let expected = (0..<many).map { #"{"parameters":{"n":\#($0)}}"# + "\n" }.joined()
    let sum = try shell("tr '\\n' '\\0' < '\(try folder.write(expected, to: "expected"))' | cksum")
    #expect(try child.outputText() == (try sum.outputText()))
  }
}
