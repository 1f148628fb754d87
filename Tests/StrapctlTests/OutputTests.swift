import Glibc
import Testing

@testable import strapctl

struct OutputTests {
  @Test func writesLines() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try Output(ends[1]).line("♥ 72")
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &octets, octets.count)
    #expect(String(decoding: octets.prefix(count), as: UTF8.self) == "♥ 72\n")
    #expect(!Output(ends[1]).isTerminal)
  }

  @Test func tellsAFullDisk() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    do throws(OutputError) {
      try Output(descriptor).line("x")
      Issue.record("/dev/full took a line")
    } catch {
      #expect(error == OutputError(code: ENOSPC))
      #expect(error.description == "cannot write the output (No space left on device)")
      #expect(!error.isReaderGone)
    }
    #expect(OutputError(code: EPIPE).isReaderGone)
  }

  @Test(
    arguments: [
      ("Demo strap", "Demo strap"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"), ("a\nb\tc", "a\u{FFFD}b\u{FFFD}c"),
      ("\u{7F}\u{9B}", "\u{FFFD}\u{FFFD}"), ("Grüße ♥", "Grüße ♥"), ("", ""),
    ] as [(String, String)])
  func keepsControlCharactersFromTheTerminal(_ text: String, _ printable: String) {
    #expect(text.printable == printable)
  }
}
