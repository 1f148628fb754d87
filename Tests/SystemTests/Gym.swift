import Control
import Glibc
import TestSupport

/// A private bus with a simulated bluetoothd and straps, and the real daemon on it.
final class Gym {
  let bus: PrivateBus
  private(set) var straps: ChildProcess
  private(set) var daemon: ChildProcess
  let folder: TemporaryFolder
  private let configuration: String
  private var environment: [String: String]

  static let strap = "F0:F1:F2:F3:F4:F5"

  /// - Parameters:
  ///   - script: the straps, in strap-sim's language; they keep silent until told to beat.
  ///   - old: the folder of a gym whose daemon is dead, to begin with a copy of its store.
  ///   - recordsSent: what they send goes to `sent`, and need not be read from the log.
  init(
    script: String = "strap A F0:F1:F2:F3:F4:F5 name=\"Demo HR\" connect-ms=20 resolve-ms=20\nA mute\n",
    configuration: String = "strap = F0:F1:F2:F3:F4:F5\npost_exercise = 0\n", environment: [String: String] = [:],
    recordsSent: Bool = false, onCopyOf old: TemporaryFolder? = nil
  ) throws {
    bus = try PrivateBus()
    folder = try TemporaryFolder()
    if let old {
      let copy = try ChildProcess("cp", [old.file("strapd.db"), old.file("strapd.db-wal"), folder.path])
      guard try copy.wait() == .exited(0) else { throw TestSupportError("cp: \(try copy.errorText())") }
    }
    let scriptFile = try folder.write(script, to: "straps")
    // Tests look for rows, wherever they do not say otherwise.
    let compaction = configuration.contains("compact =") ? "" : "compact = no\n"
    self.configuration = try folder.write(compaction + configuration, to: "strapd.conf")
    var all = bus.environment
    all["STATE_DIRECTORY"] = folder.path
    all["RUNTIME_DIRECTORY"] = folder.path
    all["SWIFT_BACKTRACE"] = "enable=no"
    all.merge(environment) { $1 }
    self.environment = all
    straps = try ChildProcess(
      try BuildFolder.program("strap-sim"),
      ["--script", scriptFile, "--stdin"] + (recordsSent ? ["--sent", folder.file("sent")] : []),
      environment: bus.environment)
    try straps.line("READY")
    daemon = try Self.start(self.configuration, all)
  }

  var socket: String { folder.file("control.sock") }
  var database: String { folder.file("strapd.db") }

  /// What each strap has sent so far, by its tag, in hexadecimal.
  func sent() throws -> [String: [String]] {
    var sent: [String: [String]] = [:]
    for line in try folder.read("sent").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3 { sent[String(words[1]), default: []].append(words[2].uppercased()) }
    }
    return sent
  }

  func connect() throws -> ControlClient {
    try ControlClient(socket)
  }

  /// Kills the daemon without warning and starts it again on the same store.
  func killAndRestart() throws {
    daemon.signal(SIGKILL)
    _ = try daemon.wait()
    try restart()
  }

  func stop() throws {
    daemon.signal(SIGTERM)
    guard try daemon.wait() == .exited(0) else { throw TestSupportError("strapd: \(try daemon.errorText())") }
  }

  func restart(with changes: [String: String] = [:]) throws {
    environment.merge(changes) { $1 }
    daemon = try Self.start(configuration, environment)
  }

  func say(_ command: String) throws {
    try straps.write(line: command)
  }

  /// Says it, and returns when it is done.
  func tell(_ command: String) throws {
    try say(command)
    try straps.line("DONE \(command)")
  }

  /// A watcher whose snapshot is read.
  func watch() throws -> ControlClient {
    let client = try connect()
    try client.send("io.strapd.Watch", more: true)
    let snapshot = try client.receive()
    guard snapshot?["parameters"]?["kind"]?.asString == "snapshot" else {
      throw TestSupportError("no snapshot first, but \(String(describing: snapshot))")
    }
    return client
  }

  /// Prepares a session and waits until heart rate is visible.
  func prepare(_ client: ControlClient) throws -> String {
    let watcher = try watch()
    let reply = try client.call("Prepare", ["activity": .string("running")])
    guard let id = reply["parameters"]?["session"]?.asString else { throw TestSupportError("no session: \(reply)") }
    _ = try straps.line("SUBSCRIBED A")
    try say("A beat 70 20")
    _ = try watcher.events { $0["kind"]?.asString == "heartRate" }
    return id
  }

  private static func start(_ configuration: String, _ environment: [String: String]) throws -> ChildProcess {
    try ChildProcess(try BuildFolder.program("strapd"), ["--config", configuration], environment: environment)
  }
}

extension JSON {
  var isHeartRate: Bool { self["kind"]?.asString == "heartRate" }

  func isTransition(to state: String) -> Bool {
    self["kind"]?.asString == "transition" && self["to"]?.asString == state
  }
}
