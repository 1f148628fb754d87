import Glibc
import TestSupport
import Testing

@testable import strapctl

@Suite struct WholeFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func nothingIsLeftOfWhatIsNotPutInPlace() throws {
    do {
      let file = try WholeFile(folder.file("a"), mode: 0o644)
      try file.write([1, 2, 3])
    }
    #expect(try ChildProcess("ls", ["-A", folder.path]).outputText() == "")
  }

  @Test func twoDoNotWriteTheSame() throws {
    let first = try WholeFile(folder.file("a"), mode: 0o644)
    try first.write(Array("first".utf8))
    #expect(throws: WholeFileError.busy(folder.file("a.strapctl-part"))) {
      try WholeFile(folder.file("a"), mode: 0o644)
    }
    try first.putInPlace(replacing: false)
    // What is in place is no part of anything any more, whoever still has it open.
    let second = try WholeFile(folder.file("a"), mode: 0o644)
    try second.write(Array("second".utf8))
    #expect(try folder.read("a") == "first")
    try second.putInPlace(replacing: true)
    #expect(try folder.read("a") == "second")
  }

  @Test func whatADeadOneHasLeftIsReplaced() throws {
    try folder.write("longer than what comes", to: "a.strapctl-part")
    let file = try WholeFile(folder.file("a"), mode: 0o600)
    try file.write(Array("short".utf8))
    try file.putInPlace(replacing: false)
    #expect(try folder.read("a") == "short")
    #expect(try ChildProcess("ls", ["-A", folder.path]).outputText() == "a\n")
  }

  @Test func aPersonsFilesStay() throws {
    try folder.write("mine", to: "a.part")
    let file = try WholeFile(folder.file("a"), mode: 0o644)
    try file.putInPlace(replacing: false)
    #expect(try folder.read("a.part") == "mine")
  }

  @Test func aLockStaysUntilTheEnd() throws {
    try WholeFile.lock(folder.file("note"))
    #expect(try WholeFile.text(of: folder.file("note")) == "")
    #expect(throws: WholeFileError.busy(folder.file("note"))) { try WholeFile.lock(folder.file("note")) }
  }
}
