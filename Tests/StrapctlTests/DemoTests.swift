import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real demo, with the real daemon.
struct DemoTests {
  /// A demo in a folder of the test's own.
  private final class Stage {
    let folder: TemporaryFolder
    let demo: ChildProcess

    init(_ arguments: [String] = []) throws {
      folder = try TemporaryFolder()
      demo = try ChildProcess(
        try BuildFolder.program("strapctl"), ["demo"] + arguments,
        environment: ["TMPDIR": folder.path, "LC_ALL": "C", "NOTIFY_SOCKET": "/nowhere", "STRAPD_SOCKET": "/nowhere"])
    }

    /// Waits until the demo prints a line that contains this.
    func wait(for text: String) throws {
      while let line = try demo.line() {
        if line.contains(text) { return }
      }
      throw TestSupportError("the demo ended before '\(text)': \(try demo.errorText())")
    }

    /// The programs that were started in the folder, by their process ids.
    func programs() throws -> [pid_t: String] {
      guard let directory = opendir("/proc") else { throw TestSupportError("no /proc") }
      defer { closedir(directory) }
      var found: [pid_t: String] = [:]
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let pid = pid_t(name) else { continue }
        let line = contents("/proc/\(name)/cmdline").split(separator: "\0")
        if line.contains(where: { $0.contains(folder.path + "/") }), let program = line.first {
          found[pid] = String(program)
        }
      }
      return found
    }

    var names: [String] { folder.names }

    private func contents(_ path: String) -> String {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return "" }
      defer { close(descriptor) }
      var octets = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &octets, octets.count)
      return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test func recordsAWorkoutAndLeavesNothingBehind() throws {
    let stage = try Stage(["--json"])
    let output = try stage.demo.outputText(before: TestSupport.Deadline(seconds: 120))
    #expect(try stage.demo.errorText() == "")
    #expect(try stage.demo.wait() == .exited(0))
    let workout = try json(output)
    #expect(workout.text("activity") == "running")
    #expect(workout.text("endReason") == "user")
    let heartRate = try #require(workout["statistics"]?["heartRate"])
    #expect(try #require(heartRate.integer("count")) >= 10)
    let (elapsed, wall) = (try #require(workout.real("elapsedSeconds")), try #require(workout.real("wallSeconds")))
    #expect(elapsed + 2.9 < wall, "the pause of 3 s is not part of the running time")
    #expect(try stage.programs() == [:])
    #expect(stage.names == [])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func cleansUpWhenItIsInterrupted(_ signal: Int32) throws {
    let stage = try Stage()
    try stage.wait(for: "now: ")
    #expect(try stage.programs().count == 3)
    stage.demo.signal(signal)
    _ = try stage.demo.outputText()
    #expect(try stage.demo.errorText() == "strapctl: the demo was interrupted, and has left nothing behind\n")
    #expect(try stage.demo.wait() == .exited(1))
    #expect(try stage.programs() == [:])
    #expect(stage.names == [])
  }

  @Test(arguments: ["strapd", "strap-sim", "dbus-daemon"])
  func tellsWhichProgramEnded(_ name: String) throws {
    let stage = try Stage()
    try stage.wait(for: "now: ")
    let victim = try #require(try stage.programs().first { $0.value.hasSuffix("/\(name)") }?.key)
    kill(victim, SIGKILL)
    _ = try stage.demo.outputText()
    #expect(
      try stage.demo.errorText().hasPrefix("strapctl: \(name) ended in the middle of the demo (signal 9)"))
    #expect(try stage.demo.wait() == .exited(1))
    #expect(try stage.programs() == [:])
    #expect(stage.names == [])
  }

  /// The kernel ends what a killed demo cannot end.
  @Test(.enabled(if: Executable.inPath("setpriv") != nil))
  func itsProgramsDoNotOutliveIt() throws {
    let stage = try Stage()
    try stage.wait(for: "now: ")
    #expect(try stage.programs().count == 3)
    stage.demo.signal(SIGKILL)
    #expect(try stage.demo.wait() == .killed(signal: SIGKILL))
    let deadline = TestSupport.Deadline()
    while try !stage.programs().isEmpty, !deadline.isOver { poll(nil, 0, 5) }
    #expect(try stage.programs() == [:])
  }

  @Test func tellsThatItsProgramsAreMissing() throws {
    let folder = try TemporaryFolder()
    let program = try BuildFolder.program("strapctl")
    let copy = try ChildProcess("cp", [program, folder.file("strapctl")])
    #expect(try copy.wait() == .exited(0))
    let alone = try ChildProcess(folder.file("strapctl"), ["demo"], environment: ["TMPDIR": folder.path])
    _ = try alone.outputText()
    #expect(
      try alone.errorText()
        == "strapctl: the demo needs \(folder.file("strapd")): it is built together with strapctl, "
        + "and the demo runs where both are\n")
    #expect(try alone.wait() == .exited(1))

    let poor = try ChildProcess(program, ["demo"], environment: ["TMPDIR": folder.path, "PATH": folder.path])
    _ = try poor.outputText()
    #expect(
      try poor.errorText()
        == "strapctl: the demo needs dbus-daemon: install the package dbus, or see that it is in $PATH\n")
    #expect(try poor.wait() == .exited(1))
    #expect(folder.names == ["strapctl"])
  }

  @Test func tellsThatItHasNoPlace() throws {
    let demo = try ChildProcess(try BuildFolder.program("strapctl"), ["demo"], environment: ["TMPDIR": "/nowhere"])
    _ = try demo.outputText()
    #expect(
      try demo.errorText()
        == "strapctl: the demo cannot make /nowhere/strapctl-demo-XXXXXX (No such file or directory): is there room?\n")
    #expect(try demo.wait() == .exited(1))
  }
}

extension TemporaryFolder {
  /// What is in it, sorted.
  fileprivate var names: [String] {
    guard let directory = opendir(path) else { return ["(gone)"] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
