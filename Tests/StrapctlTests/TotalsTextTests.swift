import Control
import Testing
import Workout

@testable import strapctl

struct TotalsTextTests {
  private func table(_ text: String, _ period: CalendarPeriod) throws -> [String] {
    TotalsText.table(try JSON(parsing: Array(text.utf8)).asArray ?? [], period)
  }

  @Test func eachPeriodIsALine() throws {
    let full =
      #"{"firstDay":"2026-11-30","workouts":3,"elapsedSeconds":5400.0,"averageHeartRate":141.25,"#
      + #""maximumHeartRate":187,"energyKilojoules":2100}"#
    let text = "[" + full + #",{"firstDay":"2026-11-23","workouts":12,"elapsedSeconds":36000.0}]"#
    #expect(
      try table(text, .week) == [
        "week from   workouts   elapsed  average  maximum   energy",
        "2026-11-30         3   1:30:00    141.3      187  2100 kJ",
        "2026-11-23        12  10:00:00        -        -        -",
      ])
    #expect(try table(text, .month).dropFirst().first?.hasPrefix("2026-11 ") == true)
    #expect(try table(text, .year).dropFirst().first?.hasPrefix("2026 ") == true)
  }

  @Test func none() throws {
    #expect(try table("[]", .week) == ["no finished workouts"])
  }
}
