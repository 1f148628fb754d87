import EventLoop
import Glibc
import Testing

// The environment is the whole process's.
@Suite(.serialized) struct SystemdTests {
  @Test func withoutASocketNobodyIsTold() {
    unsetenv("NOTIFY_SOCKET")
    #expect(!EventLoop.notify(.ready))
  }

  @Test func aSocketThatIsGoneDoesNoHarm() throws {
    let folder = try Folder()
    setenv("NOTIFY_SOCKET", folder.file("gone"), 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(!EventLoop.notify(.ready, .status("running")))
  }

  @Test func noticesAreAssignmentsAndAStatusIsOneLine() throws {
    let folder = try Folder()
    let receiver = try notifySocket(folder)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(EventLoop.notify(.ready, .status("waits for bluetoothd")))
    #expect(try receiver.text() == "READY=1\nSTATUS=waits for bluetoothd")
    #expect(EventLoop.notify(.status("a\nMAINPID=1\r\nSTOPPING=1\u{2028}b")))
    #expect(try receiver.text() == "STATUS=a MAINPID=1 STOPPING=1 b")
    #expect(EventLoop.notify(.stopping))
    #expect(try receiver.text() == "STOPPING=1")

    #expect(EventLoop.notify(.reloading))
    let lines = try receiver.text().split(separator: "\n")
    #expect(lines.first == "RELOADING=1")
    #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true)
    #expect(lines.last.flatMap { Int64($0.dropFirst(15)) } ?? 0 > 0)
  }

  @Test func theLoopFeedsTheWatchdogWhereItIsAskedTo() throws {
    let (bench, folder) = (try Bench(), try Folder())
    #expect(try !bench.loop.startWatchdog())

    let receiver = try notifySocket(folder)
    setenv("WATCHDOG_USEC", "40000", 1)
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
    #expect(try bench.loop.startWatchdog())
    var texts: [String] = []
    let watch = try bench.loop.watch(receiver.number, for: .readable) { _ in
      #expect(throws: Never.self) { texts.append(try receiver.text()) }
    }
    #expect(try bench.run { texts.count >= 4 })
    #expect(Set(texts) == ["WATCHDOG=1"])
    watch.cancel()
  }

  @Test func anotherProcessesWatchdogIsNotFed() throws {
    setenv("WATCHDOG_USEC", "40000", 1)
    setenv("WATCHDOG_PID", "1", 1)
    defer { for name in ["WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
    #expect(try !EventLoop().startWatchdog())
  }

  @Test func aWatchdogTimeThatIsNoneIsAnError() throws {
    setenv("WATCHDOG_USEC", "soon", 1)
    defer { unsetenv("WATCHDOG_USEC") }
    #expect(refusal { try EventLoop().startWatchdog() }?.operation == .feed)
  }

  @Test func passedSocketsComeWithTheirNamesAndOnce() throws {
    // They are by number 3 and up; whatever is there in this process will do.
    var opened: [Int32] = []
    while (opened.last ?? 0) < 5 { opened.append(try check(open("/dev/null", O_RDONLY), "open")) }
    defer { for descriptor in opened { close(descriptor) } }
    setenv("LISTEN_PID", "\(getpid())", 1)
    setenv("LISTEN_FDS", "2", 1)
    setenv("LISTEN_FDNAMES", "control:read-only", 1)
    let sockets = try EventLoop.passedSockets()
    #expect(sockets.map(\.name) == ["control", "read-only"])
    #expect(sockets.map(\.descriptor) == [3, 4])
    #expect(getenv("LISTEN_FDS") == nil)
    #expect(try EventLoop.passedSockets().isEmpty)
  }

  @Test func socketsOfAnotherProcessAreNotTaken() throws {
    setenv("LISTEN_PID", "1", 1)
    setenv("LISTEN_FDS", "1", 1)
    #expect(try EventLoop.passedSockets().isEmpty)
  }

  @Test func aCountThatIsNoneIsAnError() throws {
    setenv("LISTEN_PID", "\(getpid())", 1)
    setenv("LISTEN_FDS", "many", 1)
    #expect(refusal { try EventLoop.passedSockets() }?.operation == .takeOver)
  }

  @Test func theBootIsNamedByTheEnvironmentOrTheKernel() throws {
    setenv("STRAPD_BOOT_ID", "E55E46F3-C668-47C6-8806-526F2531A9EA", 1)
    #expect(try EventLoop.bootID() == "e55e46f3c66847c68806526f2531a9ea")
    setenv("STRAPD_BOOT_ID", "none", 1)
    #expect(
      refusal { try EventLoop.bootID() }?.description
        == "cannot read STRAPD_BOOT_ID=none: it must have 32 hexadecimal digits")
    unsetenv("STRAPD_BOOT_ID")

    let file = Descriptor(open("/proc/sys/kernel/random/boot_id", O_RDONLY))
    if file.number >= 0 {
      let text = String(decoding: try file.receive() ?? [], as: UTF8.self)
      #expect(try EventLoop.bootID() == text.filter(\.isHexDigit))
    } else {
      #expect(refusal { try EventLoop.bootID() }?.operation == .read)
    }
  }

  private func notifySocket(_ folder: Folder) throws -> Descriptor {
    let path = folder.file("notify")
    let socket = try boundSocket(path, datagrams: true)
    setenv("NOTIFY_SOCKET", path, 1)
    return socket
  }
}

extension Descriptor {
  fileprivate func text() throws -> String {
    #expect(try waitUntilReadable())
    return String(decoding: try receive() ?? [], as: UTF8.self)
  }
}
