import Measurements
import Workout

/// The columns in which tables `workout` and `workout_part` keep what was counted over a stretch of a workout.
enum SummaryColumns {
  static let names = [
    "elapsed_nanoseconds", "wall_nanoseconds", "rr_count", "energy_kilojoules", "heart_rate_count",
    "heart_rate_minimum", "heart_rate_maximum", "heart_rate_average", "heart_rate_most_recent",
    "heart_rate_most_recent_tick", "heart_rate_covered_nanoseconds", "zone_nanoseconds",
  ]

  static func values(_ summary: IntervalSummary) -> [SQLValue] {
    let heartRate = summary.heartRate
    return [
      .integer(summary.elapsed.wholeNanoseconds), .integer(summary.wall.wholeNanoseconds),
      .integer(Int64(summary.rrCount)), .optional(summary.energyKilojoules.map(Int64.init)),
      .optional(heartRate.map { Int64($0.count) }), .optional(heartRate.map { Int64($0.minimum) }),
      .optional(heartRate.map { Int64($0.maximum) }), heartRate.map { .real($0.average) } ?? .null,
      .optional(heartRate.map { Int64($0.mostRecent) }), .optional(heartRate?.mostRecentTick.nanoseconds),
      .optional(heartRate?.covered.wholeNanoseconds), .optional(zoneText(heartRate?.timeInZones ?? [])),
    ]
  }

  private static func zoneText(_ times: [Duration]) -> String? {
    times.isEmpty ? nil : times.map { String($0.wholeNanoseconds) }.joined(separator: " ")
  }
}

extension Row {
  /// Reads the columns `SummaryColumns.names`, with ticks of a boot.
  mutating func intervalSummary(of boot: Int64, on axis: BootAxis) throws(StoreError) -> IntervalSummary {
    let elapsed = Duration.nanoseconds(integer())
    let wall = Duration.nanoseconds(integer())
    let rrCount = Int(integer())
    let energy = optionalInteger().map { Int($0) }
    return IntervalSummary(
      elapsed: elapsed, wall: wall, heartRate: try heartRateSummary(of: boot, on: axis), rrCount: rrCount,
      energyKilojoules: energy)
  }

  private mutating func heartRateSummary(
    of boot: Int64, on axis: BootAxis
  ) throws(StoreError) -> HeartRateSummary? {
    guard !isNull else {
      skip(8)
      return nil
    }
    let count = Int(integer())
    let minimum = UInt16(clamping: integer())
    let maximum = UInt16(clamping: integer())
    let average = real()
    let mostRecent = UInt16(clamping: integer())
    let mostRecentTick = try tick(of: boot, on: axis)
    let covered = Duration.nanoseconds(integer())
    let times = try parsed("times in zones") { text -> [Duration]? in
      let numbers = text.split(separator: " ").map { Int64($0) }
      return numbers.contains(nil) ? nil : numbers.compactMap { $0.map { .nanoseconds($0) } }
    }
    return HeartRateSummary(
      count: count, minimum: minimum, maximum: maximum, average: average, mostRecent: mostRecent,
      mostRecentTick: mostRecentTick, covered: covered, timeInZones: times ?? [])
  }
}
