import Engine
import Glibc
import TestSupport
import Testing

@testable import strapd

/// The configuration file as it lies on the disk.
@Suite struct ConfigurationFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func whatIsThereIsRead() throws {
    let path = try folder.write("hold_limit = 1000\n", to: "conf")
    #expect(try ConfigurationFile.read(path).limits.heldRecords == 1000)
  }

  @Test func aNamedOneMustBeThere() {
    #expect(throws: ConfigurationFileError.self) { try ConfigurationFile.read(folder.file("none")) }
    #expect(throws: ConfigurationFileError.self) { try ConfigurationFile.read(folder.path) }
  }

  /// A FIFO that nobody writes to would hang the loop when the configuration is read again.
  @Test func aFIFOIsRefusedAtOnce() {
    let path = folder.file("fifo")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ConfigurationFileError.self) { try ConfigurationFile.read(path) }
  }
}
