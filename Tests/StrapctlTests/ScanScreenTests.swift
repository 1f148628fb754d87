import Glibc
import TestSupport
import Testing

@testable import strapctl

struct ScanScreenTests {
  /// What the screen writes while a test draws.
  private static func written(height: Int = 24, _ drawing: (inout ScanScreen) throws -> Void) throws -> String {
    let folder = try TemporaryFolder()
    let file = open(folder.file("screen"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestSupportError("no file") }
    defer { close(file) }
    var screen = ScanScreen(Output(file), height: height)
    try drawing(&screen)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func drawsOverWhatItHasDrawn() throws {
    let text = try Self.written { screen in
      try screen.draw(["one"])
      try screen.draw(["one"])
      try screen.draw(["one", "two"])
      try screen.draw(["three"])
    }
    #expect(
      text == "\u{1B}[?7lone\u{1B}[K\n\u{1B}[J\u{1B}[?7h"
        + "\u{1B}[?7l\u{1B}[1Aone\u{1B}[K\ntwo\u{1B}[K\n\u{1B}[J\u{1B}[?7h"
        + "\u{1B}[?7l\u{1B}[2Athree\u{1B}[K\n\u{1B}[J\u{1B}[?7h", "and the same not twice")
  }

  @Test func drawsNoMoreThanFits() throws {
    let text = try Self.written(height: 4) { screen in
      try screen.draw(["1", "2", "3"])
      try screen.draw(["1", "2", "3", "4"])
    }
    #expect(
      text == "\u{1B}[?7l1\u{1B}[K\n2\u{1B}[K\n3\u{1B}[K\n\u{1B}[J\u{1B}[?7h"
        + "\u{1B}[?7l\u{1B}[3A1\u{1B}[K\n2\u{1B}[K\n...\u{1B}[K\n\u{1B}[J\u{1B}[?7h")
  }
}
