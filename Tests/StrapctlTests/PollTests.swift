import Glibc
import Testing

@testable import strapctl

struct PollTests {
  @Test func tellsWhichFileIsReady() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(Poll.wait(for: [.readable(ends[0])], until: Deadline(after: .zero)) == [])
    #expect(Poll.wait(for: [.readable(ends[0]), .writable(ends[1])]) == [ends[1]])
    try Output(ends[1]).write("x")
    #expect(Poll.wait(for: [.readable(ends[0]), .abandoned(ends[1])]) == [ends[0]])
    shutdown(ends[0], Int32(SHUT_RDWR))
    #expect(Poll.wait(for: [.abandoned(ends[1])]) == [ends[1]])
  }

  @Test func countsDown() {
    #expect(Deadline(after: .zero).isOver)
    #expect(Deadline(after: .zero).millisecondsLeft == 0)
    let deadline = Deadline(after: .seconds(3600))
    #expect(!deadline.isOver)
    #expect((1...3_600_000).contains(deadline.millisecondsLeft))
    #expect(Deadline(after: .seconds(86_400 * 365)).millisecondsLeft == .max)
  }
}
