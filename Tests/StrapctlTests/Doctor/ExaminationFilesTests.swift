import Glibc
import TestSupport
import Testing

@testable import strapctl

struct ExaminationFilesTests {
  // MARK: rfkill

  @Test func readsTheSwitchesForBluetooth() throws {
    let folder = try TemporaryFolder()
    func add(_ number: Int, _ type: String, _ name: String, soft: String = "0", hard: String = "0") throws {
      mkdir(folder.file("rfkill\(number)"), 0o700)
      for (file, text) in [("type", type), ("name", name), ("soft", soft), ("hard", hard)] {
        try folder.write(text + "\n", to: "rfkill\(number)/\(file)")
      }
    }
    try add(10, "bluetooth", "hci1", hard: "1")
    try add(2, "bluetooth", "hci0", soft: "1")
    try add(0, "wlan", "phy0", soft: "1")
    mkdir(folder.file("rfkill3"), 0o700)  // gone while it is read
    #expect(
      try RadioSwitch.all(below: folder.path) == [
        RadioSwitch(name: "hci0", isBlockedBySoftware: true), RadioSwitch(name: "hci1", isBlockedByHardware: true),
      ])
  }

  @Test func aKernelWithoutRfkillHasNoSwitch() throws {
    let folder = try TemporaryFolder()
    #expect(try RadioSwitch.all(below: folder.file("none")) == [])
  }

  @Test func aFolderThatIsNoneIsToldByName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "file")
    do throws(FileError) {
      _ = try RadioSwitch.all(below: path)
      Issue.record("a file was read as a folder")
    } catch {
      #expect(error.description == "\(path): Not a directory")
    }
  }

  // MARK: The socket and the state folder

  @Test func readsTheSocketsPermissions() throws {
    let daemon = try FakeDaemon()
    chmod(daemon.path, 0o640)
    let file = try SocketFile.read(daemon.path)
    #expect(
      file
        == SocketFile(
          path: daemon.path, isSocket: true, mode: 0o640, owner: Names.user(getuid()), group: Names.group(getgid()),
          mayConnect: true))
    let folder = try TemporaryFolder()
    #expect(try SocketFile.read(folder.file("none")) == nil)
    let plain = try folder.write("", to: "file")
    #expect(try SocketFile.read(plain)?.isSocket == false)
    #expect(try SocketFile.read(folder.file("file/none")) == nil)
  }

  @Test func readsTheStateFoldersPermissions() throws {
    let folder = try TemporaryFolder()
    #expect(
      try StateFolder.read(folder.path)
        == StateFolder(
          path: folder.path, isFolder: true, mode: 0o700, owner: Names.user(getuid()), ownerNumber: getuid()))
    #expect(try StateFolder.read(folder.file("none")) == nil)
    let plain = try folder.write("", to: "file")
    #expect(try StateFolder.read(plain)?.isFolder == false)
  }

  // MARK: The disk

  @Test func readsTheRoomOnTheDiskOfTheNearestFolder() throws {
    let folder = try TemporaryFolder()
    let disk = try Disk.read(folder.file("none/of/these"))
    #expect(disk.path == folder.path)
    #expect(disk.freeOctets > 0 && disk.hasFreeFiles && !disk.isReadOnly)
    #expect(try Disk.read("/no-such-folder").path == "/")
    #expect(try Disk.read("no-such-folder").path == ".")
    #expect(try Disk.read("/proc").path == "/proc")
  }

  // MARK: The account

  @Test func tellsWhoAsks() {
    let own = Account.current(group: Names.group(getegid()))
    #expect(own.name == Names.user(getuid()))
    #expect(own.isRoot == (geteuid() == 0))
    #expect(own.groupExists && own.isMember && own.isListed)
    let stranger = Account.current(group: "no-such-group")
    #expect(!stranger.groupExists && !stranger.isMember && !stranger.isListed && stranger.daemonUser == nil)
    #expect(Account.current(group: "root").daemonUser == 0)
  }

  @Test func namesUsersAndGroups() {
    #expect(Names.user(0) == "root" && Names.user(named: "root") == 0)
    #expect(Names.group(0) == "root" && Names.group(named: "root") == 0)
    #expect(Names.user(4_123_456_789) == "4123456789" && Names.user(named: "no-such-user") == nil)
    #expect(Names.group(4_123_456_789) == "4123456789" && Names.group(named: "no-such-group") == nil)
  }

  // MARK: The clock

  @Test func readsTheClock() {
    let clock = Clock.read()
    #expect(clock.isSynchronised != nil)
    #expect(clock.now.nanoseconds > 0)
  }
}
