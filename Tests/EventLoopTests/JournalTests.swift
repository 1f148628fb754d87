import Glibc
import Testing

@testable import EventLoop

struct JournalTests {
  private func written(stream: String?, _ log: (Journal) -> Void) throws -> String {
    let (reader, writer) = try pipeEnds()
    log(Journal(descriptor: writer.number, stream: stream))
    return String(decoding: try reader.receive() ?? [], as: UTF8.self)
  }

  @Test func whereStandardErrorIsNoJournalLinesArePlain() throws {
    for stream in [nil, "", "8:12345", "0:0", "rubbish"] {
      let text = try written(stream: stream) {
        $0.log(.info, "strap F0:F1:F2:F3:F4:F5 is there", fields: ["STRAP": "F0:F1:F2:F3:F4:F5"])
        $0.log(.error, "and gone")
      }
      #expect(text == "strap F0:F1:F2:F3:F4:F5 is there\nand gone\n")
    }
  }

  @Test func aLineBreakForgesNoLine() throws {
    let text = try written(stream: nil) { $0.log(.warning, "name \"x\n<0>panic\r\u{1B}[2J\0\u{85}é\u{7F}\"") }
    #expect(text == "name \"x\\n<0>panic\\r\\u{1B}[2J\\0\\u{0085}é\\u{7F}\"\n")
  }

  @Test func anEntryHasItsFieldsAsTheyAre() {
    let entry = Journal.entry(.error, "two\nlines", ["STRAP": "F0:F1", "SESSION": "a\nPRIORITY=0"])
    #expect(
      entry.map { String(decoding: $0, as: UTF8.self) }
        == ["MESSAGE=two\nlines", "PRIORITY=3", "STRAP=F0:F1", "SESSION=a\nPRIORITY=0"])
  }

  @Test func prioritiesAreSyslogs() {
    #expect(
      Journal.Priority.allCases.map { Int32($0.rawValue) } == [
        LOG_CRIT, LOG_ERR, LOG_WARNING, LOG_NOTICE, LOG_INFO, LOG_DEBUG,
      ])
  }

  @Test func aReaderThatIsGoneDoesNoHarm() throws {
    // The loop is what makes SIGPIPE an error.
    let loop = try EventLoop()
    let (reader, writer) = try pipeEnds()
    reader.close()
    Journal(descriptor: writer.number, stream: nil).log(.info, "nobody reads this")
    Journal(descriptor: -1, stream: "1:2").log(.info, "nor this")
    withExtendedLifetime(loop) {}
  }
}
