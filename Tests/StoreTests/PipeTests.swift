import Glibc
import Testing

@testable import Store

@Suite struct PipeTests {
  private func isReadable(_ pipe: Pipe) -> Bool {
    var wanted = pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) == 1
  }

  @Test func aSignalIsThereUntilItIsDrained() throws {
    let pipe = try Pipe()
    #expect(!isReadable(pipe))
    pipe.signal()
    #expect(isReadable(pipe))
    pipe.wait(milliseconds: -1)
    pipe.drain()
    #expect(!isReadable(pipe))
    pipe.drain()
  }

  @Test func aFullPipeBlocksNobody() throws {
    let pipe = try Pipe()
    for _ in 0..<100_000 { pipe.signal() }
    #expect(isReadable(pipe))
    pipe.drain()
    #expect(!isReadable(pipe))
  }

  @Test func noOtherProgramInheritsIt() throws {
    let pipe = try Pipe()
    #expect(fcntl(pipe.readEnd, F_GETFD) & FD_CLOEXEC != 0)
  }
}
