import Foundation
import TestSupport
import Testing

/// The service's unit as systemd judges it.
@Suite struct UnitTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func unit(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent("systemd/\(name)"), encoding: .utf8)
  }

  @Test func theSandboxIsTight() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try Self.unit("strapd.service"), to: "strapd.service")
    let child = try ChildProcess("systemd-analyze", ["security", "--offline=true", "--no-pager", file])
    let report = try child.outputText()
    #expect(try child.wait() == .exited(0))
    let figure = try #require(
      report.split(separator: "\n").last?.firstMatch(of: /strapd\.service: ([0-9.]+)/).flatMap { Double($0.1) })
    print("systemd-analyze security: \(figure)")
    #expect(figure <= 1.0)
    // What is left open is explained in the unit.
    let reasons = try Self.unit("strapd.service").split(separator: "\n").filter { $0.hasPrefix("#   0.") }
    for line in report.split(separator: "\n") where line.hasPrefix("✗") {
      let name = line.dropFirst().split(separator: " ").first.map(String.init) ?? ""
      let directive = String(name.prefix { $0 != "=" })
      #expect(reasons.contains { $0.contains(directive) }, "\(line)")
    }
  }

  /// A socket that could do more than its group may, or a service that could not be woken by it, would be found here.
  @Test func theSocketsAreTheServices() throws {
    for (name, group) in [("control", "strapd"), ("monitor", "strapd-monitor")] {
      let unit = try Self.unit(name == "control" ? "strapd.socket" : "strapd-monitor.socket")
      let lines = unit.split(separator: "\n").map(String.init)
      for line in [
        "ListenStream=/run/strapd/\(name).sock", "FileDescriptorName=\(name)", "SocketGroup=\(group)",
        "SocketMode=0660",
      ] {
        #expect(lines.contains(line), "\(name): \(line)")
      }
    }
  }
}
