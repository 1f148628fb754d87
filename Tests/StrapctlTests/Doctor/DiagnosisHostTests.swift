import Measurements
import Testing

@testable import strapctl

struct DiagnosisHostTests {
  private func finding(_ id: String, _ change: (inout Facts) throws -> Void) throws -> Finding? {
    try Facts.findings(change).first { $0.id == id }
  }

  // MARK: The socket

  private func socket(_ change: (inout SocketFile) -> Void) throws -> Finding? {
    try finding("socket") { facts in
      var file = SocketFile(path: "/run/strapd/control.sock", mode: 0o660, owner: "root", group: "strapd")
      change(&file)
      facts.socket = .found(file)
    }
  }

  @Test func theSocketIsForEverybody() throws {
    #expect(
      try socket { $0.mode = 0o666 }
        == Finding(
          "socket", .warning,
          "everybody on this machine may read the heart rate (/run/strapd/control.sock is for root:strapd, mode 0666)",
          advice: "SocketMode=0660 in strapd.socket; at once: 'sudo chmod 0660 /run/strapd/control.sock'"))
    #expect(try socket { $0.mode = 0o600 }?.severity == .ok)
  }

  @Test func theSocketIsNone() throws {
    #expect(
      try socket { $0.isSocket = false }
        == Finding(
          "socket", .problem, "/run/strapd/control.sock is no socket",
          advice: "move it away, then 'sudo systemctl restart strapd.socket'"))
    #expect(try finding("socket") { $0.socket = .found(nil) } == nil)
  }

  // MARK: The group

  private func group(
    mayConnect: Bool = false, group: String = "strapd", _ change: (inout Account) -> Void
  ) throws -> Finding? {
    try finding("group") { facts in
      var account = Account(name: "ada")
      change(&account)
      facts.account = .found(account)
      facts.socket = .found(
        SocketFile(path: "/s", mode: 0o660, owner: "root", group: group, mayConnect: mayConnect))
    }
  }

  @Test func theUserIsInTheGroupOrNot() throws {
    #expect(try group { $0.isRoot = true } == Finding("group", .ok, "you are root, and may control strapd"))
    #expect(try group(mayConnect: true) { _ in } == Finding("group", .ok, "ada may control strapd"))
    #expect(
      try group { ($0.isMember, $0.isListed) = (true, true) } == Finding("group", .ok, "ada is in group strapd"))
    #expect(
      try group { $0.isListed = true }
        == Finding(
          "group", .problem, "ada is in group strapd, and was not yet when this session began",
          advice: "log out and in again (in this terminal: 'newgrp strapd')"))
    #expect(
      try group { _ in }
        == Finding(
          "group", .problem, "ada is not in group strapd",
          advice: "sudo usermod -aG strapd ada, then log out and in again"))
    #expect(
      try group { $0.groupExists = false }
        == Finding(
          "group", .problem, "there is no group strapd",
          advice: "install strapd.sysusers (README: Run it on a board), then 'sudo systemd-sysusers'"))
    #expect(try group(group: "gym") { $0.groupExists = false }?.text == "ada is not in group gym")
  }

  @Test func theGroupMattersWithoutASocketAsWell() throws {
    let found = try finding("group") { facts in
      facts.socket = .found(nil)
      facts.account = .found(Account(name: "ada"))
    }
    #expect(found?.severity == .problem)
  }

  // MARK: The state folder

  private func state(answers: Bool = true, _ change: (inout StateFolder) -> Void) throws -> Finding? {
    try finding("state") { facts in
      var folder = StateFolder(path: "/var/lib/strapd", mode: 0o700, owner: "strapd", ownerNumber: 990)
      change(&folder)
      facts.state = .found(folder)
      if !answers { facts.daemon = .asleep }
    }
  }

  @Test func theStateFolder() throws {
    #expect(
      try finding("state") { $0.state = .found(nil) }
        == Finding("state", .note, "there is no state folder yet; strapd makes it when it starts"))
    #expect(
      try state { $0.isFolder = false }
        == Finding(
          "state", .problem, "/var/lib/strapd is no folder",
          advice: "move it away, then 'sudo systemctl restart strapd'"))
    #expect(
      try state { $0.mode = 0o755 }
        == Finding(
          "state", .warning, "others than strapd may look into /var/lib/strapd (mode 0755)",
          advice: "sudo chmod 0700 /var/lib/strapd"))
    #expect(
      try state(answers: false) { ($0.owner, $0.ownerNumber) = ("root", 0) }
        == Finding(
          "state", .problem, "/var/lib/strapd belongs to root, and strapd cannot write it",
          advice: "sudo chown -R strapd: /var/lib/strapd"))
    // It answers, so it has its store, wherever.
    #expect(try state { ($0.owner, $0.ownerNumber) = ("root", 0) }?.severity == .ok)
  }

  // MARK: The disk

  private func disk(_ change: (inout Disk) -> Void) throws -> Finding? {
    try finding("disk") { facts in
      var disk = Disk(path: "/var", freeOctets: 1 << 30)
      change(&disk)
      facts.disk = .found(disk)
    }
  }

  @Test func theDisk() throws {
    #expect(try disk { _ in } == Finding("disk", .ok, "1.0 GiB free on the disk of /var"))
    #expect(try disk { $0.freeOctets = 64 << 20 } == Finding("disk", .ok, "64.0 MiB free on the disk of /var"))
    #expect(
      try disk { $0.freeOctets = 32 << 20 }
        == Finding(
          "disk", .warning, "32.0 MiB free on the disk of /var",
          advice: "delete something there before the next long workout"))
    let advice = "delete something there; 'df -h' and 'df -i' show what is full"
    #expect(
      try disk { $0.freeOctets = 600_000 }
        == Finding("disk", .problem, "0.6 MiB free on the disk of /var", advice: advice))
    #expect(
      try disk { $0.hasFreeFiles = false }
        == Finding("disk", .problem, "the disk of /var takes no further file", advice: advice))
    #expect(
      try disk { $0.isReadOnly = true }
        == Finding(
          "disk", .problem, "the disk of /var can only be read",
          advice: "'mount' and 'dmesg' tell why; a worn-out SD card does this"))
  }

  // MARK: The clock

  @Test func theClock() throws {
    let advice =
      "sudo timedatectl set-ntp true; a board without network keeps the time with a battery-backed clock (RTC)"
    #expect(
      try finding("clock") { $0.clock.isSynchronised = false }
        == Finding(
          "clock", .warning, "the clock is not synchronised: dates may be wrong, durations are right", advice: advice))
    #expect(
      try finding("clock") { $0.clock.now = WallTime(nanoseconds: 0) }
        == Finding(
          "clock", .warning, "the clock is wrong (1970-01-01T00:00:00Z): workouts get this date", advice: advice))
    #expect(
      try finding("clock") { $0.clock.isSynchronised = nil }
        == Finding(
          "clock", .warning, "whether the clock is synchronised cannot be told: the kernel does not say",
          advice: "try again as root: 'sudo strapctl doctor'"))
  }
}
