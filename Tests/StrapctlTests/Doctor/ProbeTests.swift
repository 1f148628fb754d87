import Glibc
import TestSupport
import Testing

@testable import strapctl

struct ProbeTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "it is broken" }
  }

  @Test func finds() {
    #expect(Probe(within: .seconds(30)) { 7 }.result() == .found(7))
  }

  @Test func tellsWhyNot() {
    let probe = Probe<Int>(within: .seconds(30)) { throw Trouble() }
    #expect(probe.result() == .failed("it is broken"))
  }

  @Test func waitsNoLongerThanItsTime() {
    let gate = Gate()
    let probe = Probe(within: .milliseconds(20)) { gate.wait() }
    #expect(probe.result() == .timedOut(.milliseconds(20)))
    gate.open()
  }

  @Test func canBeAskedAgain() {
    let probe = Probe(within: .seconds(30)) { "x" }
    #expect(probe.result() == .found("x"))
    #expect(probe.result() == .found("x"))
  }

  /// Something to hang at.
  private final class Gate: Sendable {
    private let ends: [Int32]

    init() {
      var pair: [Int32] = [-1, -1]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
      ends = pair
    }

    deinit {
      for end in ends { close(end) }
    }

    func wait() -> Int {
      var octet: UInt8 = 0
      return read(ends[0], &octet, 1)
    }

    func open() {
      var octet: UInt8 = 1
      _ = write(ends[1], &octet, 1)
    }
  }
}

struct InstalledBluetoothdTests {
  private func program(_ text: String, _ folder: TemporaryFolder) throws -> String {
    let path = try folder.write("#!/bin/sh\n\(text)\n", to: "bluetoothd")
    guard chmod(path, 0o755) == 0 else { throw TestSupportError("chmod \(path)") }
    return path
  }

  @Test func tellsItsVersion() throws {
    let folder = try TemporaryFolder()
    let path = try program("test \"$1\" = --version && echo 5.82 && echo more", folder)
    #expect(
      InstalledBluetoothd.find([folder.file("none"), path], within: .seconds(30))
        == InstalledBluetoothd(path: path, version: "5.82"))
  }

  @Test(arguments: ["echo hello world", "exit 1", ":", "echo; echo 5.82"])
  func tellsNoVersion(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try program(text, folder)
    #expect(
      InstalledBluetoothd.find([path], within: .seconds(30)) == InstalledBluetoothd(path: path, version: nil))
  }

  @Test func isNotWaitedForForever() throws {
    let folder = try TemporaryFolder()
    let path = try program("exec sleep 600", folder)
    #expect(
      InstalledBluetoothd.find([path], within: .milliseconds(50)) == InstalledBluetoothd(path: path, version: nil))
  }

  @Test func isNowhere() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.write("", to: "plain")
    #expect(InstalledBluetoothd.find([folder.file("none"), plain], within: .zero) == nil)
  }
}
