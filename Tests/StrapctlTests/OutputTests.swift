import Glibc
import TestSupport
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
      // What turns the direction of the text, ends a line, or is not seen.
      ("a\u{202E}b\u{2066}c\u{200F}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
      ("a\u{2028}b\u{2029}\u{85}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
      ("\u{FEFF}\u{200B}\u{61C}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      // One sign of several.
      ("\u{1F469}\u{200D}\u{2695}\u{FE0F}", "\u{1F469}\u{200D}\u{2695}\u{FE0F}"),
    ] as [(String, String)])
  func keepsControlCharactersFromTheTerminal(_ text: String, _ printable: String) {
    #expect(text.printable == printable)
  }

  /// An object of the protocol stays the object that it is, whatever shows it.
  @Test func whatATerminalWouldObeyIsEscapedInObjects() throws {
    let object = "{\"name\":\"a\u{202E}b\u{9B}2J\u{1F469}\u{200D}\u{2695}\u{E0001}\"}"
    let line = object.escapedForTerminals
    #expect(line == #"{"name":"a\u202eb\u009b2J"# + "\u{1F469}\u{200D}\u{2695}" + #"\udb40\udc01"}"#)
    #expect(try json(line) == json(object))
    let folder = try TemporaryFolder()
    let file = open(folder.file("out"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    try Output(file).line(object)
    var octets = [UInt8](repeating: 0, count: 256)
    let count = pread(file, &octets, octets.count, 0)
    #expect(String(decoding: octets.prefix(max(0, count)), as: UTF8.self) == line + "\n")
  }
}
