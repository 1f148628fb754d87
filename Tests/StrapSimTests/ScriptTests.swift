import Measurements
import Testing

@testable import strap_sim

@Suite struct ScriptTests {
  @Test func aWholeScript() throws {
    let lines = try ScriptReader.read(
      """
      # two straps
      strap A F0:F1:F2:F3:F4:F5
      strap B f0:f1:f2:f3:f4:f6 name="Second One"

      at 1.5 A loss
      at 0   B beat 120
      B mute   # at once
      quit
      """, file: "x")
    #expect(lines.map(\.delay) == [nil, nil, .milliseconds(1500), .zero, nil, nil])
    #expect(
      lines.dropFirst(2).map(\.command) == [
        .to(tag: "A", .loss), .to(tag: "B", .beat(.steady(120), hertz: nil)), .to(tag: "B", .mute), .quit,
      ])
    #expect(
      lines.map(\.text) == [
        "strap A F0:F1:F2:F3:F4:F5", "strap B f0:f1:f2:f3:f4:f6 name=Second One", "A loss", "B beat 120", "B mute",
        "quit",
      ])
  }

  @Test func anErrorSaysWhereAndWhatIsAllowed() {
    var text = "nothing was thrown"
    do throws(ScriptError) {
      _ = try ScriptReader.read("strap A F0:F1:F2:F3:F4:F5\n\nat 3 A copies many", file: "demo.script")
    } catch {
      text = error.description
    }
    #expect(text == "demo.script:3: 'many' is not a number; allowed: 1 to 9")
  }

  @Test func aStrapIsKnownFromItsDeclarationOn() {
    #expect(throws: ScriptError.self) { try ScriptReader.read("A loss\nstrap A F0:F1:F2:F3:F4:F5", file: "x") }
  }

  @Test(arguments: ["at", "at x quit", "at -1 quit", "at 1e9 quit", "at nan quit", "at 1", "at 1 at 2 quit"])
  func badTimes(line: String) {
    #expect(throws: ScriptError.self) { try ScriptReader.read(line, file: "x") }
  }

  /// Every prefix of every good line is good or refused, never a trap.
  @Test(arguments: CommandParserTests.goodLines.map(\.0))
  func everyPrefix(line: String) {
    for length in 0..<line.count {
      var reader = ScriptReader(file: "x", tags: ["A"])
      do throws(ScriptError) {
        _ = try reader.read(String(line.prefix(length)))
      } catch {
        #expect(error.line == 1)
        #expect(!error.allowed.isEmpty)
      }
    }
  }
}
