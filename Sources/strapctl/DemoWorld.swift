import Glibc

/// Everything that the demo needs around it: a private bus, a simulated bluetoothd with a strap, and a strapd.
final class DemoWorld {
  private let folder: DemoFolder
  private var children: [Child] = []
  private static let readyLimit = Duration.seconds(10)

  var socketPath: String { folder.file("run/control.sock") }

  init() throws(DemoError) {
    folder = try DemoFolder()
  }

  /// Starts the programs one after the other, each when the one before it is ready.
  func start() throws(DemoError) {
    let (strapd, sim) = (try Executable.beside("strapd"), try Executable.beside("strap-sim"))
    guard let bus = Executable.inPath("dbus-daemon") else {
      throw .missing("dbus-daemon", "install the package dbus, or see that it is in $PATH")
    }
    let address = "unix:path=\(folder.file("bus"))"
    let busConfiguration = try folder.write(Self.busConfiguration(address), to: "bus.conf")
    try start("dbus-daemon", bus, ["--config-file=\(busConfiguration)", "--nofork", "--nopidfile", "--nosyslog"], [:]) {
      _ in self.isListening(self.folder.file("bus"))
    }
    let onTheBus = ["DBUS_SYSTEM_BUS_ADDRESS": address]
    let script = try folder.write(Self.script, to: "script")
    try start("strap-sim", sim, ["--script", script], onTheBus) { $0.output.split(separator: "\n").contains("READY") }
    let configuration = try folder.write("# The demo leaves everything at its default.\n", to: "strapd.conf")
    let folders = [
      "STATE_DIRECTORY": try folder.makeFolder("state"), "RUNTIME_DIRECTORY": try folder.makeFolder("run"),
    ]
    try start("strapd", strapd, ["--config", configuration], onTheBus.merging(folders) { $1 }) {
      _ in self.isListening(self.socketPath)
    }
  }

  /// Throws where one of the programs has ended: names the first in the order of their start, since the others lean on
  /// it and may fall a moment before it is seen to have ended.
  func check() throws(DemoError) {
    guard children.contains(where: \.hasEnded) else { return }
    _ = Poll.wait(for: [], until: Deadline(after: .milliseconds(200)))
    for child in children { try child.check() }
  }

  /// The connection to strapd broke: throws where that was because a program has ended, as soon as the kernel tells.
  func explain() throws(DemoError) {
    let deadline = Deadline(after: .seconds(1))
    while !deadline.isOver {
      try check()
      _ = Poll.wait(for: [], until: Deadline(after: .milliseconds(10)))
    }
  }

  /// Takes the signals that have come.
  ///
  /// - Throws: where the demo is to end, or one of its programs has ended.
  func takeSignals() throws(DemoError) {
    if !SignalPipe.takeArrived().isSubset(of: [SIGCHLD]) { throw .interrupted }
    try check()
  }

  /// Ends the programs, the last first, and removes the folder.
  func close() {
    for child in children.reversed() { child.stop() }
    children = []
    folder.remove()
  }

  private func start(
    _ name: String, _ path: String, _ arguments: [String], _ environment: [String: String],
    isReady: (Child) -> Bool
  ) throws(DemoError) {
    let child = try Child(
      name, path, arguments, environment: Self.inherited.merging(environment) { $1 }, in: folder)
    children.append(child)
    let deadline = Deadline(after: Self.readyLimit)
    while !isReady(child) {
      if deadline.isOver { throw child.notReady(Self.readyLimit) }
      _ = Poll.wait(for: [.readable(SignalPipe.descriptor)], until: Deadline(after: .milliseconds(20)))
      try takeSignals()
    }
  }

  /// Whether somebody takes connections at a path.
  private func isListening(_ path: String) -> Bool {
    do {
      _ = try Connection(to: path)
      return true
    } catch {
      return false
    }
  }

  /// What the programs take over from our environment. Not $NOTIFY_SOCKET nor $LISTEN_FDS, for one: they are not meant
  /// for them.
  private static var inherited: [String: String] {
    let names = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"]
    let values = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    return Dictionary(uniqueKeysWithValues: values)
  }

  private static func busConfiguration(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow own="*"/>
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
      </policy>
    </busconfig>

    """
  }

  private static let script = """
    strap A F0:F1:F2:F3:F4:F5 name="Demo strap"
    A beat auto 1

    """
}
