import Control
import Glibc
import TestSupport
import Testing

/// How the daemon starts and ends.
@Suite struct StartTests {
  private func start(_ configuration: String?, _ arguments: [String] = []) throws -> (ChildProcess, TemporaryFolder) {
    let folder = try TemporaryFolder()
    var all = arguments
    if let configuration { all += ["--config", try folder.write(configuration, to: "strapd.conf")] }
    let environment = [
      "STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path,
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.file("nobody"))",
    ]
    return (try ChildProcess(try BuildFolder.program("strapd"), all, environment: environment), folder)
  }

  @Test(arguments: [
    ("strap = F0:F1\n", "line 1: strap: 'F0:F1' is not allowed; allowed is a Bluetooth address"),
    ("\n# comment\nstrapp = \n", "line 3: strapp: unknown key; known are strap,"),
    ("power_adapter = maybe", "line 1: power_adapter: 'maybe' is not allowed; allowed is yes or no"),
    ("sync_interval = 0", "line 1: sync_interval: '0' is not allowed"),
    ("strap =\nstrap =\n", "line 2: strap: already set in line 1"),
    ("strap", "line 1: strap: expected 'key = value'"),
    (
      "[strap F0:F1]\n",
      "line 1: [strap F0:F1]: this begins no section that there is; allowed is [strap F0:F1:F2:F3:F4:F5]"
    ),
    (
      "[strap F0:F1:F2:F3:F4:F5]\nname = a\n[strap F0:F1:F2:F3:F4:F6]\nname = A\n",
      "line 4: name: 'A' is the name of F0:F1:F2:F3:F4:F5 already, by line 2"
    ),
  ])
  func aBadConfigurationStopsTheStart(_ text: String, _ complaint: String) throws {
    let (daemon, folder) = try start(text)
    #expect(try daemon.wait() == .exited(78))
    let errors = try daemon.errorText()
    #expect(errors.contains(folder.file("strapd.conf")))
    #expect(errors.contains(complaint), "\(errors)")
  }

  @Test func aNamedConfigurationMustBeThere() throws {
    let (daemon, _) = try start(nil, ["--config", "/nonexistent/strapd.conf"])
    #expect(try daemon.wait() == .exited(78))
    #expect(try daemon.errorText().contains("No such file"))
  }

  @Test func wrongUse() throws {
    let (daemon, _) = try start(nil, ["--nonsense"])
    #expect(try daemon.wait() == .exited(64))
  }

  @Test func withoutABusItWaitsAndSaysSo() throws {
    let (daemon, folder) = try start("")
    let client = try ControlClient(folder.file("control.sock"))
    let status = try client.call("GetStatus")["parameters"]
    #expect(status?["bluetooth"]?.asString == "bluetoothdAbsent")
    #expect(status?["advice"]?.asString?.contains("dbus") == true)
    var information = stat()
    #expect(stat(folder.file("control.sock"), &information) == 0)
    #expect(information.st_mode & 0o777 == 0o660)
    daemon.signal(SIGTERM)
    #expect(try daemon.wait() == .exited(0))
    #expect(access(folder.file("control.sock"), F_OK) != 0, "its own socket goes with it")
  }

  @Test func aSecondDaemonOnTheStoreSaysWhoHasIt() throws {
    let gym = try Gym()
    _ = try gym.connect()
    let other = try ChildProcess(
      try BuildFolder.program("strapd"), ["--config", gym.folder.file("strapd.conf")],
      environment: ["STATE_DIRECTORY": gym.folder.path, "RUNTIME_DIRECTORY": "/nonexistent"])
    #expect(try other.wait() == .exited(1))
    #expect(try other.errorText().contains("\(gym.daemon.pid)"))
  }

  @Test func aDamagedStoreIsSetAsideAndTheDaemonStarts() throws {
    let gym = try Gym()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    gym.daemon.signal(SIGKILL)
    _ = try gym.daemon.wait()
    for ending in ["", "-wal"] {
      let descriptor = open(gym.database + ending, O_WRONLY)
      defer { close(descriptor) }
      let octets = [UInt8](repeating: 0x5A, count: 8192)
      #expect(pwrite(descriptor, octets, octets.count, 0) == octets.count)
    }
    try gym.restart()
    let again = try gym.connect()
    #expect(try again.call("GetStatus")["parameters"]?["sessions"]?.asArray?.isEmpty == true)
    _ = try gym.prepare(again)
    gym.daemon.signal(SIGTERM)
    #expect(try gym.daemon.wait() == .exited(0))
    let said = try gym.daemon.errorText()
    #expect(said.contains("the store \(gym.database) is damaged"), "\(said)")
    #expect(said.contains("it is set aside as \(gym.database).damaged-20"))
  }

  /// A restart would not mend it; systemd is told not to try.
  @Test(arguments: [
    ("PRAGMA user_version = 99", "is of version 99, and this strapd knows versions up to "),
    ("PRAGMA application_id = 7", "is a database of another program"),
  ])
  func aStoreThatIsNotOursIsRefused(_ sql: String, _ complaint: String) throws {
    let gym = try Gym()
    _ = try gym.connect()
    gym.daemon.signal(SIGTERM)
    _ = try gym.daemon.wait()
    try Database.execute(sql, in: gym.database)
    try gym.restart()
    #expect(try gym.daemon.wait() == .exited(65))
    let said = try gym.daemon.errorText()
    #expect(said.contains(complaint), "\(said)")
  }

  @Test func systemdIsTold() throws {
    let folder = try TemporaryFolder()
    let notices = try NoticeSocket(folder.file("notify"))
    let gym = try Gym(environment: ["NOTIFY_SOCKET": folder.file("notify")])
    var seen = ""
    while !seen.contains("READY=1") { seen += try notices.receive() + "\n" }
    let client = try gym.connect()
    _ = try gym.prepare(client)
    while !seen.contains("STATUS=running prepared (streaming)") { seen += try notices.receive() + "\n" }
    gym.daemon.signal(SIGTERM)
    while !seen.contains("STOPPING=1") { seen += try notices.receive() + "\n" }
    #expect(try gym.daemon.wait() == .exited(0))
    try gym.straps.line("DISCONNECTED A")
  }

  @Test func sockets_thatSystemdPassesAreUsedAndStay() throws {
    let folder = try TemporaryFolder()
    let bus = try PrivateBus()
    var environment = bus.environment
    environment["STATE_DIRECTORY"] = folder.path
    let daemon = try ChildProcess(
      "systemd-socket-activate",
      [
        "--listen=\(folder.file("passed"))", "--setenv=STATE_DIRECTORY=\(folder.path)",
        "--setenv=DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)", try BuildFolder.program("strapd"),
        "--config=\(try folder.write("", to: "conf"))",
      ], environment: environment)
    let client = try ControlClient(folder.file("passed"))
    #expect(try client.call("GetStatus")["parameters"]?["version"] != nil)
    daemon.signal(SIGTERM)
    #expect(try daemon.wait() == .exited(0))
    #expect(access(folder.file("passed"), F_OK) == 0)
  }
}

/// Where systemd would listen for sd_notify.
private final class NoticeSocket {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard result == 0 else { throw TestSupportError("cannot listen on \(path)") }
  }

  deinit {
    close(descriptor)
  }

  func receive() throws -> String {
    let deadline = Deadline()
    deadline.wait(for: [(descriptor, POLLIN)])
    if deadline.isOver { throw TestSupportError("systemd is told nothing more") }
    var octets = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &octets, octets.count, 0)
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
  }
}
