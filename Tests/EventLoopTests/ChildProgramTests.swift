import EventLoop
import Glibc
import Testing

/// Programs that the loop starts, here the shell.
struct ChildProgramTests {
  private final class Heard {
    var lines: [String] = []
    var end: Int32??
  }

  private func start(_ bench: Bench, _ script: String) throws -> (ChildProgram, Heard) {
    let heard = Heard()
    let program = try ChildProgram(bench.loop, "/bin/sh", ["sh", "-c", script]) { event in
      switch event {
      case .line(let line): heard.lines.append(line)
      case .ended(let status): heard.end = .some(status)
      }
    }
    return (program, heard)
  }

  @Test func linesAndTheEnd() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "echo one; echo two; printf three; exit 7")
    #expect(try bench.run { heard.end != nil })
    #expect(heard.lines == ["one", "two", "three"])
    #expect(heard.end == .some(7))
    program.stop()
  }

  @Test func linesComeAsTheyAreWritten() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "echo one; exec sleep 100")
    #expect(try bench.run { heard.lines == ["one"] })
    #expect(heard.end == nil)
    program.stop()
  }

  @Test func muchOutputAndLongLines() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "seq 1 20000; head -c 10000 /dev/zero | tr '\\0' x; echo; echo last")
    #expect(try bench.run { heard.end != nil })
    #expect(heard.lines.count == 20_002 && heard.lines[19_999] == "20000" && heard.lines.last == "last")
    #expect(heard.lines[20_000] == String(repeating: "x", count: 4096), "what is behind it is left out")
    program.stop()
  }

  @Test func aSignalIsNoExitStatus() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "kill -9 $$")
    #expect(try bench.run { heard.end != nil })
    #expect(heard.end == .some(nil))
    program.stop()
  }

  /// Where it has closed its output and goes on, the loop does not spin.
  @Test func anOutputThatIsClosed() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "echo one; exec >&-; exec sleep 100")
    #expect(try bench.run { heard.lines == ["one"] })
    try bench.passATurn()
    #expect(try bench.turnsDuring(.milliseconds(300)) < 10)
    #expect(heard.end == nil)
    program.stop()
  }

  @Test func isKilledAndLeavesNoZombie() throws {
    let bench = try Bench()
    let heard = Heard()
    var program: ChildProgram? = try ChildProgram(bench.loop, "/bin/sh", ["sh", "-c", "echo $$; exec sleep 100"]) {
      if case .line(let line) = $0 { heard.lines.append(line) } else { heard.end = .some(nil) }
    }
    #expect(try bench.run { !heard.lines.isEmpty })
    let process = try #require(heard.lines.first.flatMap { pid_t($0) })
    program?.stop()
    program = nil
    #expect(try bench.run { kill(process, 0) != 0 && errno == ESRCH })
    #expect(heard.end == nil, "nobody is told")
  }

  @Test func lettingGoKillsIt() throws {
    let bench = try Bench()
    let heard = Heard()
    var program: ChildProgram? = try ChildProgram(bench.loop, "/bin/sh", ["sh", "-c", "echo $$; exec sleep 100"]) {
      if case .line(let line) = $0 { heard.lines.append(line) }
    }
    #expect(try bench.run { !heard.lines.isEmpty })
    let process = try #require(heard.lines.first.flatMap { pid_t($0) })
    _ = program
    program = nil
    #expect(kill(process, 0) != 0 && errno == ESRCH)
  }

  /// It begins as if a shell had started it: no signal blocked or ignored, whatever the loop does with them.
  @Test func signalsAreItsOwn() throws {
    let bench = try Bench()
    let (program, heard) = try start(bench, "grep -E 'Sig(Blk|Ign)' /proc/self/status; echo done")
    #expect(try bench.run { heard.end != nil })
    for line in heard.lines.dropLast() {
      let signals = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
      // Two that the C library keeps to itself, 32 and 33, it has every program begin with ignored.
      #expect(signals.map { $0 & 0x7FFF_FFFF } == 0, "\(line)")
    }
    #expect(heard.lines.count == 3)
    program.stop()
  }

  @Test func aProgramThatIsNotThere() throws {
    let bench = try Bench()
    let error = refusal {
      try ChildProgram(bench.loop, "/nonexistent/strapd", ["strapd", "--verify"]) { _ in }
    }
    #expect(error?.operation == .start && error?.code == ENOENT && error?.object == "strapd --verify")
  }
}
