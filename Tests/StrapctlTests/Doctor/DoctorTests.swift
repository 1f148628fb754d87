import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real program where nothing is there, and where a daemon that the test plays answers.
struct DoctorTests {
  private static func run(
    _ words: [String], socket: String, bus: String = "unix:path=/nonexistent/bus"
  ) throws -> (status: Int32, lines: [String]) {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), ["doctor"] + words,
      environment: ["STRAPD_SOCKET": socket, "DBUS_SYSTEM_BUS_ADDRESS": bus, "LC_ALL": "C"])
    let output = try child.outputText()
    #expect(try child.errorText() == "")
    guard case .exited(let status) = try child.wait() else { throw TestSupportError("killed") }
    return (status, output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  private static func findings(_ lines: [String]) throws -> [String: JSON] {
    var findings: [String: JSON] = [:]
    for line in lines.dropLast() {
      let finding = try json(line)
      findings[finding["id"]?.asString ?? ""] = finding
    }
    return findings
  }

  @Test func tellsThatNothingIsThere() throws {
    let folder = try TemporaryFolder()
    let (status, lines) = try Self.run(["--json"], socket: folder.file("none"))
    #expect(status == 1)
    let findings = try Self.findings(lines)
    #expect(findings["bus"]?["severity"]?.asString == "problem")
    #expect(findings["strapd"]?["severity"]?.asString == "problem")
    #expect(findings["strapd"]?["text"]?.asString?.contains(folder.file("none")) == true)
    for (id, finding) in findings {
      let severity = finding["severity"]?.asString ?? ""
      #expect(Finding.Severity(rawValue: severity) != nil)
      #expect(["ok", "note"].contains(severity) || finding["advice"] != nil, "\(id) says nothing of what to do")
    }
  }

  @Test func tellsPeople() throws {
    let folder = try TemporaryFolder()
    let (status, lines) = try Self.run([], socket: folder.file("none"))
    #expect(status == 1)
    #expect(
      lines.contains("problem  no strapd answers at \(folder.file("none")) (No such file or directory)"))
    #expect(lines.dropLast().last?.hasSuffix(" recording.") == true)
  }

  @Test func asksTheDaemonThatIsNamed() throws {
    let daemon = try FakeDaemon()
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), ["doctor", "--json", "--socket", daemon.path],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus", "LC_ALL": "C"])
    let served = try daemon.accept()
    #expect(try served.call() == #"{"method":"io.strapd.GetStatus","parameters":{}}"#)
    served.send(#"{"parameters":{"version":"9.9.9","bluetooth":"ready","straps":[],"sessions":[]}}"#)
    #expect(try served.call() == #"{"method":"io.strapd.ListStraps","parameters":{}}"#)
    // As one answers that is older.
    served.send(#"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"io.strapd.ListStraps"}}"#)
    let findings = try Self.findings(
      try child.outputText().split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    #expect(findings["strapd"]?["text"]?.asString == "strapd 9.9.9 answers at \(daemon.path)")
    #expect(findings["version"]?["severity"]?.asString == "warning")
    #expect(findings["socket"]?["severity"]?.asString == "ok" || findings["socket"]?["severity"]?.asString == "warning")
  }
}
