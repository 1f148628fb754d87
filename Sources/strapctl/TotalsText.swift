import Control
import Workout

/// Totals for people.
enum TotalsText {
  /// A table, in the order of the list.
  static func table(_ totals: [JSON], _ period: CalendarPeriod) -> [String] {
    if totals.isEmpty { return ["no finished workouts"] }
    var table = Table([
      (name(period), .left), ("workouts", .right), ("elapsed", .right), ("average", .right), ("maximum", .right),
      ("energy", .right),
    ])
    for total in totals {
      let count = total.integer("workouts").map(String.init)
      let average = total.real("averageHeartRate").map(tenths)
      let maximum = total.integer("maximumHeartRate").map(String.init)
      let energy = total.integer("energyKilojoules").map { "\($0) kJ" }
      table.add([
        label(total.text("firstDay") ?? "?", period), count ?? "?", total.hours("elapsedSeconds") ?? "?",
        average ?? "-", maximum ?? "-", energy ?? "-",
      ])
    }
    return table.lines
  }

  private static func name(_ period: CalendarPeriod) -> String {
    switch period {
    case .week: "week from"
    case .month: "month"
    case .year: "year"
    }
  }

  /// 2026-11-30, 2026-11, 2026.
  private static func label(_ firstDay: String, _ period: CalendarPeriod) -> String {
    switch period {
    case .week: firstDay
    case .month: String(firstDay.prefix(7))
    case .year: String(firstDay.prefix(4))
    }
  }
}
