import Glibc
import Testing

@testable import strapctl

struct DemoScreenTests {
  /// What a screen writes.
  private static func written(isTerminal: Bool, _ show: (DemoScreen) throws -> Void) throws -> String {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try show(DemoScreen(Output(ends[1]), .test(), isTerminal: isTerminal))
    var octets = [UInt8](repeating: 0, count: 4096)
    let count = recv(ends[0], &octets, octets.count, Int32(MSG_DONTWAIT))
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
  }

  private static func story(_ screen: DemoScreen) throws {
    try screen.say("> strapctl start")
    for heartRate in [72, 73] {
      try screen.show(try json(#"{"kind":"heartRate","date":"2026-11-30T11:03:04Z","heartRate":\#(heartRate)}"#))
    }
    try screen.show(try json(#"{"kind":"transition","date":"2026-11-30T11:03:05Z","from":"running","to":"paused"}"#))
    try screen.show(try json(#"{"kind":"countdown","date":"2026-11-30T11:03:05Z","remainingSeconds":2}"#))
    try screen.finish()
    try screen.finish()
  }

  @Test func keepsLiveValuesInOneLineOfATerminal() throws {
    #expect(
      try Self.written(isTerminal: true, Self.story)
        == "> strapctl start\n" + "\r12:03:04.000  ♥ 72 bpm\u{1B}[K\r12:03:04.000  ♥ 73 bpm\u{1B}[K"
        + "\r\u{1B}[K12:03:05.000  running → paused\n" + "\r12:03:05.000  starts in 2 s\u{1B}[K\n")
  }

  @Test func writesALineEachElsewhere() throws {
    #expect(
      try Self.written(isTerminal: false, Self.story) == """
        > strapctl start
        12:03:04.000  ♥ 72 bpm
        12:03:04.000  ♥ 73 bpm
        12:03:05.000  running → paused
        12:03:05.000  starts in 2 s

        """)
  }
}
