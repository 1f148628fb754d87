import Measurements
import Testing

@testable import Engine

struct ConfigurationReaderTests {
  private static let a = StrapAddress("F0:F1:F2:F3:F4:F5")!
  private static let b = StrapAddress("F0:F1:F2:F3:F4:F6")!

  @Test func everyKeyOfASectionIsRead() throws {
    let text = """
      stopped_limit = 90
      # one
      [strap f0:f1:f2:f3:f4:f5]
        name = Anna's left
      athlete=Anna
      adapter = 00:aa:01:00:00:43

      [ strap\tF0:F1:F2:F3:F4:F6 ]
      ; nothing is said of it
      """
    let configuration = try Configuration(parsing: text, file: "f")
    #expect(configuration.limits.stopped == .seconds(90))
    var section = StrapSection(Self.a, file: "f", line: 3)
    section.name = StrapName("Anna's left")
    section.athlete = AthleteName("Anna")
    section.adapter = StrapAddress("00:AA:01:00:00:43")
    #expect(configuration.straps == [Self.a: section, Self.b: StrapSection(Self.b, file: "f", line: 8)])
    #expect(try Configuration(parsing: text.replacing("\n", with: "\r\n"), file: "f") == configuration)
  }

  /// Each key's default text means what the key is without being set.
  @Test func theDefaultsAreAllowedAndMeanTheSame() throws {
    let bare = try Configuration(parsing: "[strap F0:F1:F2:F3:F4:F5]", file: "f")
    for key in StrapSection.keys {
      let text = "[strap F0:F1:F2:F3:F4:F5]\n\(key.name) = \(key.defaultText)"
      #expect(try Configuration(parsing: text, file: "f") == bare)
    }
  }

  @Test(arguments: ["Anna", "anna's LEFT", "any"])
  func theUsualStrapMayBeNamed(_ name: String) throws {
    let configuration = try Configuration(parsing: "strap = \(name)\n", file: "f")
    #expect(configuration.strap == nil)
    #expect(configuration.strapName?.description == name)
  }

  private static let first = "[strap F0:F1:F2:F3:F4:F5]\n"
  private static let second = "[strap F0:F1:F2:F3:F4:F6]\n"
  private static let unknown = "this begins no section that there is; allowed is [strap F0:F1:F2:F3:F4:F5]"
  private static let wrong: [(text: String, line: Int, key: String, problem: String)] = [
    ("\n[strap F0:F1]", 2, "[strap F0:F1]", unknown), ("[strap]", 1, "[strap]", unknown), ("[]", 1, "[]", unknown),
    ("[strap F0:F1:F2:F3:F4:F5", 1, "[strap F0:F1:F2:F3:F4:F5", unknown),
    ("[strap Anna]", 1, "[strap Anna]", unknown), ("[adapter hci0]", 1, "[adapter hci0]", unknown),
    ("[strapF0:F1:F2:F3:F4:F5]", 1, "[strapF0:F1:F2:F3:F4:F5]", unknown),
    ("[strap F0:F1:F2:F3:F4:F5] x", 1, "[strap F0:F1:F2:F3:F4:F5] x", unknown),
    (first + second + "[strap f0:f1:f2:f3:f4:f5]", 3, "[strap f0:f1:f2:f3:f4:f5]", "already begun in line 1"),
    (first + "colour = red", 2, "colour", "unknown key; known are name, athlete"),
    (
      first + "strap =", 2, "strap",
      "stands in a strap's section, where known are name, athlete; move it above the first section"
    ),
    ("name = Anna", 1, "name", "unknown key; known are strap, power_adapter, sync_interval, stopped_limit"),
    (first + "name", 2, "name", "expected 'key = value'"),
    (first + "name = a\nname = a", 3, "name", "already set in line 2"),
    (
      first + "name = F0:F1", 2, "name",
      "'F0:F1' is not allowed; allowed is 1 to 64 octets without control characters and without blanks at the ends, "
        + "and nothing that looks like an address, or nothing"
    ),
    (
      first + "athlete = a\u{1B}b", 2, "athlete",
      "'a\u{1B}b' is not allowed; allowed is 1 to 64 octets without control characters and without blanks at the ends, "
        + "or nothing"
    ),
    (
      first + "name = Anna\n" + second + "name = aNNA", 4, "name",
      "'aNNA' is the name of F0:F1:F2:F3:F4:F5 already, by line 2; allowed is another one"
    ),
  ]

  /// The keys of others may have come to it: the known ones are looked up.
  private static func known(_ problem: String) -> String {
    problem
      .replacing("known are name, athlete", with: "known are \(names(StrapSection.keys))")
      .replacing(
        "known are strap, power_adapter, sync_interval, stopped_limit", with: "known are \(names(Configuration.keys))")
  }

  private static func names(_ keys: [Configuration.Key]) -> String {
    keys.map(\.name).joined(separator: ", ")
  }

  @Test(arguments: wrong.indices)
  func whatIsWrongIsNamed(_ index: Int) {
    let (text, line, key, problem) = Self.wrong[index]
    do {
      _ = try Configuration(parsing: text, file: "strapd.conf")
      Issue.record("\(text) is taken")
    } catch {
      #expect(
        error == ConfigurationError(file: "strapd.conf", line: line, key: key, problem: Self.known(problem)), "\(text)")
    }
  }

  @Test func theSameKeysStandInEverySection() throws {
    let text = Self.first + "name = a\nathlete = x\n" + Self.second + "name = b\nathlete = x\n"
    let straps = try Configuration(parsing: text, file: "f").straps
    #expect(straps[Self.a]?.name?.description == "a")
    #expect(straps[Self.b]?.name?.description == "b")
    #expect(straps[Self.b]?.athlete?.description == "x", "one person may have several straps")
  }

  @Test(arguments: [
    "strap = 00:00:00:00:00:00", "adapter = FF:FF:FF:FF:FF:FF", "[strap FF:FF:FF:FF:FF:FF]",
    "[strap F0:F1:F2:F3:F4:F5]\nadapter = 00:00:00:00:00:00",
  ])
  func addressesThatNobodyHas(_ text: String) {
    #expect(throws: ConfigurationError.self) { try Configuration(parsing: text, file: "x") }
  }
}
