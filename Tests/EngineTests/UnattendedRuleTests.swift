import Measurements
import Testing

@testable import Engine

struct UnattendedRuleTests {
  private static let a = StrapAddress("F0:F1:F2:F3:F4:F5")!
  private static let b = StrapAddress("F0:F1:F2:F3:F4:F6")!
  private static let c = StrapAddress("F0:F1:F2:F3:F4:F7")!

  @Test func nothingMeansNever() throws {
    let configuration = try Configuration(parsing: "[strap \(Self.a)]\nname = Left", file: "f")
    #expect(configuration.unattendedStraps == [])
    #expect(configuration.rule(of: Self.a) == UnattendedRule())
  }

  @Test func aSectionGoesBeforeWhatIsSaidOfAll() throws {
    let configuration = try Configuration(
      parsing: """
        unattended = yes
        unattended_start = 20
        unattended_activity = rowing
        [strap \(Self.a)]
        [strap \(Self.b)]
        unattended = dry-run
        unattended_start = 5
        unattended_absence = 60
        unattended_location = indoor
        unattended_activity =
        [strap 00:00:00:00:00:01]
        unattended = no
        """, file: "f")
    #expect(configuration.unattendedStraps == [Self.a, Self.b])
    let (a, b) = (configuration.rule(of: Self.a), configuration.rule(of: Self.b))
    #expect(a.mode == .yes && a.start == .seconds(20) && a.absence == .seconds(300) && a.activity == .rowing)
    #expect(b.mode == .dryRun && b.start == .seconds(5) && b.absence == .seconds(60))
    #expect(b.activity == .rowing && b.location == .indoor)
    #expect(configuration.rule(of: Self.c).mode == .no, "it has no section")
  }

  @Test(arguments: ["unattended = sometimes", "unattended_start = 0", "unattended_location = gym"])
  func whatIsWrongIsNamed(_ line: String) {
    do {
      _ = try Configuration(parsing: "[strap \(Self.a)]\n\(line)", file: "f")
      Issue.record("\(line) is taken")
    } catch {
      #expect(error.line == 2)
      #expect(line.hasPrefix(error.key))
      #expect(error.problem.contains(", or nothing"))
    }
  }
}
