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

  @Test(arguments: ["strapd.service", "strapd-verify.service", "strapd-export.service"])
  func theSandboxIsTight(_ service: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try Self.unit(service), to: service)
    let child = try ChildProcess("systemd-analyze", ["security", "--offline=true", "--no-pager", file])
    let report = try child.outputText()
    #expect(try child.wait() == .exited(0))
    let figure = try #require(
      report.split(separator: "\n").last?.firstMatch(of: /strapd.*\.service: ([0-9.]+)/).flatMap { Double($0.1) })
    print("systemd-analyze security: \(figure)")
    #expect(figure <= 1.0)
    // What is left open is explained in the unit.
    let reasons = try Self.unit(service).split(separator: "\n").filter { $0.hasPrefix("#   0.") }
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

  /// What strapd needs to start the program that checks the store, and to wait for it, with what the filter takes away again.
  @Test func theServiceMayStartItsCheck() throws {
    let lines = try Self.unit("strapd.service").split(separator: "\n").map(String.init)
    #expect(
      lines.contains("SystemCallFilter=@system-service") && lines.contains("SystemCallFilter=~@privileged @resources"))
    let allowed = try Self.calls(of: "@system-service").subtracting(try Self.calls(of: "@privileged"))
      .subtracting(try Self.calls(of: "@resources"))
    for call in ["clone", "clone3", "vfork", "execve", "pipe2", "dup2", "dup3", "pidfd_open", "wait4", "kill"] {
      #expect(allowed.contains(call), "\(call)")
    }
    #expect(!allowed.contains("reboot"))
  }

  /// The system calls of a group of systemd's, those of the groups in it included.
  private static func calls(of group: String) throws -> Set<String> {
    let child = try ChildProcess("systemd-analyze", ["syscall-filter", "--no-pager", group])
    let words = try child.outputText().split(separator: "\n").dropFirst().map { $0.split(separator: " ").joined() }
    var calls: Set<String> = []
    for word in words where !word.hasPrefix("#") {
      if word.hasPrefix("@") { calls.formUnion(try Self.calls(of: word)) } else { calls.insert(word) }
    }
    return calls
  }

  /// It may read, and nothing else; and has a folder of its own.
  @Test func theExportOnlyReads() throws {
    let service = try Self.unit("strapd-export.service").split(separator: "\n").map(String.init)
    for line in [
      "SupplementaryGroups=strapd-monitor", "DynamicUser=yes", "StateDirectory=strapd-export", "Restart=on-failure",
    ] {
      #expect(service.contains(line), "\(line)")
    }
    #expect(
      service.contains { $0.hasPrefix("ExecStart=/usr/bin/strapctl --socket /run/strapd/monitor.sock export --follow") }
    )
  }

  @Test func theCheckIsMadeEachMonth() throws {
    let timer = try Self.unit("strapd-verify.timer").split(separator: "\n").map(String.init)
    for line in ["OnCalendar=monthly", "Persistent=true", "RandomizedDelaySec=12h", "WantedBy=timers.target"] {
      #expect(timer.contains(line), "\(line)")
    }
    // A timer starts the service of its own name.
    let service = try Self.unit("strapd-verify.service").split(separator: "\n").map(String.init)
    for line in ["Type=oneshot", "ExecStart=/usr/bin/strapctl verify", "Group=strapd", "Nice=19"] {
      #expect(service.contains(line), "\(line)")
    }
    #expect(!service.contains { $0.hasPrefix("Restart=") }, "what is wrong stays wrong")
  }
}
