import Control
import Glibc
import TestSupport
import Testing

/// `strapctl doctor` beside the real daemon on a private bus.
struct DoctorTests {
  private func doctor(_ gym: Gym, _ prefix: [String] = []) throws -> (status: Int32, findings: [String: JSON]) {
    let words = prefix + [try BuildFolder.program("strapctl"), "doctor", "--json", "--socket", gym.socket]
    var environment = gym.bus.environment
    environment["STATE_DIRECTORY"] = gym.folder.path
    let child = try ChildProcess(words[0], Array(words.dropFirst()), environment: environment)
    let output = try child.outputText()
    guard case .exited(let status) = try child.wait() else { throw TestSupportError("killed") }
    var findings: [String: JSON] = [:]
    for line in output.split(separator: "\n") {
      let finding = try JSON(parsing: line.utf8)
      findings[finding["id"]?.asString ?? ""] = finding
    }
    return (status, findings)
  }

  private func severity(_ finding: JSON?) -> String? { finding?["severity"]?.asString }

  @Test func nothingPreventsRecording() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    let (status, findings) = try doctor(gym)
    #expect(status == 0, "\(findings)")
    for id in ["bus", "bluetoothd", "policy", "adapters", "strapd", "bluetooth", "group", "state", "disk"] {
      #expect(severity(findings[id]) == "ok", "\(id): \(String(describing: findings[id]))")
    }
    #expect(findings["strap.\(Gym.strap)"]?["text"]?.asString?.contains("Demo HR (\(Gym.strap)): streaming") == true)
    #expect(findings["version"] == nil)
  }

  @Test func bluetoothdIsGone() throws {
    let gym = try Gym()
    let watcher = try gym.watch()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    try gym.say("bluetoothd stop")
    _ = try watcher.events { $0["link"]?.asString == "waitingForBluetoothd" }
    let (status, findings) = try doctor(gym)
    #expect(status == 1)
    #expect(severity(findings["bluetoothd"]) == "problem")
    #expect(severity(findings["bluetooth"]) == "problem")
    #expect(severity(findings["strap.\(Gym.strap)"]) == "warning")
  }

  @Test func theDaemonIsGone() throws {
    let gym = try Gym()
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    let (status, findings) = try doctor(gym)
    #expect(status == 1)
    #expect(severity(findings["strapd"]) == "problem")
    #expect(severity(findings["bluetoothd"]) == "ok")
    #expect(findings["bluetooth"] == nil)
  }

  /// Where the test is root, it asks as somebody else as well, who may not even look into the folder.
  @Test func somebodyElseAsks() throws {
    guard geteuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return }
    let gym = try Gym()
    let other = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    // The program itself has to be within the other's reach.
    guard
      try ChildProcess(other[0], other.dropFirst() + ["test", "-x", try BuildFolder.program("strapctl")]).wait()
        == .exited(0)
    else { return }
    let (status, findings) = try doctor(gym, other)
    #expect(status == 1)
    #expect(severity(findings["strapd"]) == "problem")
    #expect(findings["strapd"]?["text"]?.asString == "you may not connect to \(gym.socket)")
    #expect(severity(findings["group"]) == "problem")
    // The folder of the private bus is shut as well, as a bus's policy may be.
    #expect(severity(findings["socket"]) == "warning")
    #expect(severity(findings["bus"]) == "problem")
  }
}
