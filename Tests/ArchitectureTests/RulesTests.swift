import Testing

/// Each rule finds what it forbids, and nothing else.
struct RulesTests {
  private func violations(_ source: String, in room: String = "Measurements") throws -> [String] {
    Rules.violations(in: source, of: try #require(House.room(room)))
  }

  @Test(arguments: [
    ("let a = try? f()", "1: try?"),
    ("\nlet a = try! f()", "2: try!"),
    ("fatalError(\"x\")", "1: fatalError"),
    ("final class A: @unchecked Sendable {}", "1: @unchecked"),
    ("nonisolated(unsafe) var a = 1", "1: nonisolated(unsafe)"),
    ("struct A: @preconcurrency B {}", "1: @preconcurrency"),
    ("let b = a!", "1: a value is unwrapped by force: a!"),
    ("let b = a!.c", "1: a value is unwrapped by force: a!"),
    ("let b = f()!", "1: a value is unwrapped by force: )!"),
    ("let b = a[0]!", "1: a value is unwrapped by force: ]!"),
    ("let b = a as! B", "1: a value is unwrapped by force: as!"),
    ("var a: [Int]!", "1: a value is unwrapped by force: ]!"),
    ("var a: Set<Int>!", "1: a value is unwrapped by force: >!"),
    ("let b = a! == c", "1: a value is unwrapped by force: a!"),
    ("let b = a!\n  != c", "1: a value is unwrapped by force: a!"),
    ("// TODO: later\nlet a = 1", "1: TODO"),
    ("/* one\n FIXME */", "1: FIXME"),
    ("Task { f() }", "1: Task: there is one loop"),
    ("func f() async {}", "1: async: there is one loop"),
    ("let a = await f()", "1: await: there is one loop"),
    ("let a = \"\\(try! f(\")\"))\"", "1: try!"),
    ("let a = #\"\\#(b!)\"#", "1: a value is unwrapped by force: b!"),
    ("let a = \"\"\"\n  text \\(b!)\n  \"\"\"", "2: a value is unwrapped by force: b!"),
    ("/* a /* b */ c */ let b = a!", "1: a value is unwrapped by force: a!"),
  ])
  func whatIsForbiddenEverywhereIsFound(source: String, violation: String) throws {
    for room in ["Measurements", "EventLoop", "strapd", "strapctl"] {
      #expect(try violations(source, in: room) == [violation])
    }
  }

  @Test(arguments: [
    "let a = b != c", "let a = b!=c", "let a = b !== c", "let a = !b", "if !a && !b { f(!c, [!d]) }", "a = b ? !c : d",
    "let a = try f()", "do { try f() } catch { throw error }", "// try! f()! and Task, fatalError",
    "/* try? /* a! */ b! */", "let a = \"try! a! \\\"b! // TODO\"", "let a = #\"try! \"a!\" \\(b!)\"#",
    "let a = \"\"\"\n  try! \"a!\" FIXME\n  \"\"\"", "let asynchronous = awaited", "let a = b.importance",
    "struct Tasks {}", "let a = \"\\(b == c ? \"d!\" : \"e!\")\"", "let unsafe = 1", "@Sendable func f() {}",
    "let TODOs = 1", "#if !os(Linux)\n#endif", "let a = b\n!c", "a = \"\"", "a = \"\\\\\"; b = \"c!\"",
  ])
  func whatIsAllowedIsNotFound(source: String) throws {
    for room in ["Measurements", "EventLoop", "strapd"] { #expect(try violations(source, in: room) == []) }
  }

  @Test(arguments: [
    ("let a = ContinuousClock.now", "1: ContinuousClock reads a clock"),
    ("let a = SuspendingClock()", "1: SuspendingClock reads a clock"),
    ("clock_gettime(CLOCK_REALTIME, &a)", "1: clock_gettime reads a clock"),
    ("let a = Date()", "1: Date reads a clock"),
  ])
  func onlyTheLoopReadsClocks(source: String, violation: String) throws {
    for room in ["Measurements", "Engine", "Store", "SystemBus", "strapd"] {
      #expect(try violations(source, in: room) == [violation])
    }
    for room in ["EventLoop", "strapctl"] { #expect(try violations(source, in: room) == []) }
  }

  @Test(arguments: [
    ("func f<C: Clock>(c: C) {}", "1: Clock: the moment is an argument"),
    ("let a = Int.random(in: 0..<9)", "1: .random(: random octets arrive in an input"),
    ("let a = Int\n  .random (in: b)", "2: .random(: random octets arrive in an input"),
    ("var a = SystemRandomNumberGenerator()", "1: SystemRandomNumberGenerator: random octets arrive in an input"),
    ("let a = b.shuffled()", "1: shuffled: random octets arrive in an input"),
    ("let a = b.randomElement()", "1: randomElement: random octets arrive in an input"),
  ])
  func pureRoomsHaveNoClockAndNoChance(source: String, violation: String) throws {
    for room in ["Measurements", "Bus", "Workout", "Control", "Engine"] {
      #expect(try violations(source, in: room) == [violation])
    }
    #expect(try violations(source, in: "EventLoop") == [])
    #expect(try violations("let random = 1; f(random: 2); a.random = 3", in: "Engine") == [])
  }

  @Test(arguments: [
    "import A", "  import A", "@testable import A", "public import A", "@_exported import A", "internal import A",
    "import struct A.B", "import func A.b", "import A.B", "let a = 1; import A", "#if canImport(A)\nimport A\n#endif",
    "import /* why */ A // B", "import\n  A",
  ])
  func importsAreFoundHoweverTheyAreWritten(source: String) {
    #expect(Rules.imports(SwiftTokens(source).tokens).map(\.module) == ["A"])
  }

  @Test(arguments: [
    "// import A", "/* import A */", "let a = \"import A\"", "let a = b.import", "\"\"\"\nimport A\n\"\"\"",
  ])
  func whatOnlyLooksLikeAnImportIsNone(source: String) {
    #expect(Rules.imports(SwiftTokens(source).tokens).isEmpty)
  }

  @Test func everyImportIsFoundWithItsLine() {
    let found = Rules.imports(
      SwiftTokens("import A\n\n// why\n@testable import B\nimport class C.D; import E\n").tokens)
    #expect(found.map(\.module) == ["A", "B", "C", "E"])
    #expect(found.map(\.line) == [1, 4, 5, 5])
  }
}
