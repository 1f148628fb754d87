import Control
import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real strapctl, with the test as its daemon.
struct BackupTests {
  private static let call = #"{"method":"io.strapd.Backup","parameters":{},"more":true}"#
  private static let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  /// "abc" in two pieces.
  private static let pieces = [
    #"{"parameters":{"phase":"copying","octets":3,"of":3},"continues":true}"#,
    #"{"parameters":{"phase":"sending","octets":1,"of":3,"data":"YQ=="},"continues":true}"#,
    #"{"parameters":{"phase":"sending","octets":3,"of":3,"data":"YmM="},"continues":true}"#,
  ]
  private static let last = #"{"parameters":{"phase":"done","octets":3,"of":3,"sha256":"\#(sum)"}}"#

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var file: String { folder.file("copy.db") }
  private var names: [String] { ["copy.db", "copy.db.strapctl-part"].filter { access(folder.file($0), F_OK) == 0 } }

  private func backUp(_ words: String, _ replies: [String]) throws -> StrapctlTests.Result {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start(words, daemon)
    let served = try daemon.accept()
    #expect(try served.call() == Self.call)
    for reply in replies { served.send(reply) }
    return try StrapctlTests.result(child)
  }

  @Test func aFileComesIntoItsPlace() throws {
    try folder.write("of an earlier try", to: "copy.db.strapctl-part")
    let result = try backUp("backup \(file)", Self.pieces + [Self.last])
    #expect(result == .init(status: 0, output: "\(file): 3 octets, SHA-256 \(Self.sum)\n", errors: ""))
    #expect(try folder.read("copy.db") == "abc" && names == ["copy.db"])
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600, "nobody else reads heart rates")
    let forced = try backUp("backup --json --force \(file)", Self.pieces + [Self.last])
    #expect(
      forced == .init(status: 0, output: #"{"file":"\#(file)","octets":3,"sha256":"\#(Self.sum)"}"# + "\n", errors: ""))
    #expect(names == ["copy.db"])
  }

  @Test func theStandardOutput() throws {
    #expect(
      try backUp("backup -", Self.pieces + [Self.last]) == .init(status: 0, output: "abc", errors: ""))
    #expect(names == [])
  }

  /// What is wrong, and what is said.
  private static let damages: [([String], String)] = [
    (Array(pieces.dropLast()) + [last], "what came is not what strapd has sent"),
    (pieces + [pieces[2], last], "what came is not what strapd has sent"),
    (pieces + [last.replacing("ba78", with: "ba79")], "what came is not what strapd has sent"),
    (pieces + [last.replacing("\"octets\":3", with: "\"octets\":4")], "what came is not what strapd has sent"),
    ([pieces[1].replacing("YQ==", with: "Y!==")], "what came is not what strapd has sent"),
    ([last], "what came is not what strapd has sent"),
    (
      [
        pieces[1],
        #"{"error":"io.strapd.StoreFailed","parameters":{"operation":"backup","code":13,"text":"disk is full"}}"#,
      ], "strapd could not make the backup (code 13): disk is full. Its store is as it was"
    ),
    ([#"{"error":"io.strapd.BackupBusy","parameters":{}}"#], "makes one at a time"),
  ]

  @Test(arguments: damages.indices)
  func whatIsNoBackupComesNowhere(_ index: Int) throws {
    try folder.write("old", to: "copy.db")
    let (replies, text) = Self.damages[index]
    let result = try backUp("backup --force \(file)", replies)
    #expect(result.status == 1 && result.output == "" && result.errors.contains(text), "\(result)")
    #expect(try folder.read("copy.db") == "old")
    #expect(names == ["copy.db"])
  }

  @Test func aDaemonThatEndsInTheMiddle() throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("backup \(file)", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(Self.pieces[1])
    served.hangUp()
    let result = try StrapctlTests.result(child)
    #expect(result.status == 2 && result.errors.contains("closed the connection before it answered Backup"))
    #expect(names == [])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func isGivenUp(_ signal: Int32) throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("backup \(file)", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(Self.pieces[1])
    let deadline = TestSupport.Deadline()
    while names.isEmpty, !deadline.isOver { poll(nil, 0, 2) }
    child.signal(signal)
    let result = try StrapctlTests.result(child)
    #expect(result.status == 1 && result.errors.contains("given up, and nothing is left of it"), "\(result)")
    #expect(names == [])
  }

  @Test func whatIsThereStays() throws {
    try folder.write("old", to: "copy.db")
    let daemon = try FakeDaemon()
    let result = try StrapctlTests.result(try StrapctlTests.start("backup \(file)", daemon))
    #expect(result.status == 1 && result.errors.contains("is there already"), "nothing is asked of the daemon")
    #expect(try folder.read("copy.db") == "old")
  }

  /// It has come into the place while the backup was made.
  @Test func whatComesThereMeanwhileStays() throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("backup \(file)", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    try folder.write("other", to: "copy.db")
    for reply in Self.pieces + [Self.last] { served.send(reply) }
    let result = try StrapctlTests.result(child)
    #expect(result.status == 1 && result.errors.contains("is there already"), "\(result)")
    #expect(try folder.read("copy.db") == "other" && names == ["copy.db"])
  }

  @Test func aPlaceThatCannotBeWritten() throws {
    let result = try backUp("backup \(folder.path)/none/copy.db", Self.pieces + [Self.last])
    #expect(result.status == 1 && result.errors.contains("making \(folder.path)/none/copy.db.strapctl-part failed"))
    // Where a link or a folder stands, nothing is put through it.
    #expect(symlink("/dev/null", folder.file("copy.db.strapctl-part")) == 0)
    #expect(try backUp("backup \(file)", Self.pieces + [Self.last]).status == 1)
    #expect(names == ["copy.db.strapctl-part"])
  }

  @Test func progressIsForATerminal() throws {
    let daemon = try FakeDaemon()
    let terminal = try Terminal()
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), ["backup", file], environment: ["STRAPD_SOCKET": daemon.path],
      terminal: terminal)
    let served = try daemon.accept()
    _ = try served.call()
    for reply in Self.pieces + [Self.last] { served.send(reply) }
    #expect(try terminal.read(until: "sending 100 % of 1 KiB").contains("copying 100 % of 1 KiB"))
    try terminal.read(until: "SHA-256 \(Self.sum)")
    #expect(try child.wait() == .exited(0))
    #expect(names == ["copy.db"])
  }
}
