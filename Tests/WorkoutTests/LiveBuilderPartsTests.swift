import Measurements
import Testing

@testable import Workout

/// Laps, activities, zones and types: what the builder tells of parts of a workout.
@Suite struct LiveBuilderPartsTests {
  private func begun() throws -> LiveBuilder {
    var builder = LiveBuilder(zones: try HeartRateZones(bounds: [100, 120, 140]))
    try builder.take(.began, at: .at(0))
    return builder
  }

  @Test func aLapIsSinceTheLastOne() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0), rr: [1_000]))
    builder.add(.example(110, at: .at(5), rr: [1_000]))
    try builder.take(.lapEnded(1), at: .at(8))
    builder.add(.example(150, at: .at(10), rr: [1_000, 900]))
    let first = try #require(builder.laps[1]).summary(at: .at(100))
    #expect(
      first
        == IntervalSummary(
          elapsed: .seconds(8), wall: .seconds(8),
          heartRate: HeartRateSummary(
            count: 2, minimum: 90, maximum: 110, average: 97.5, mostRecent: 110, mostRecentTick: .at(5),
            covered: .seconds(8), timeInZones: [.seconds(5), .seconds(3), .zero, .zero]),
          rrCount: 2))
    // The value of the first lap holds in the second for two seconds, and is not counted there again.
    let second = try #require(builder.currentLap).summary(at: .at(14))
    #expect(
      second
        == IntervalSummary(
          elapsed: .seconds(6), wall: .seconds(6),
          heartRate: HeartRateSummary(
            count: 1, minimum: 110, maximum: 150, average: (2 * 110 + 4 * 150) / 6.0, mostRecent: 150,
            mostRecentTick: .at(10), covered: .seconds(6), timeInZones: [.zero, .seconds(2), .zero, .seconds(4)]),
          rrCount: 2))
  }

  @Test func aValueThatHeldForNoTimeInALapIsNotOfIt() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0)))
    try builder.take(.lapEnded(1), at: .at(10))
    #expect(builder.currentLap?.summary(at: .at(20)).heartRate == nil, "ten seconds are over")
    builder.add(.example(90, at: .at(20)))
    try builder.take(.lapEnded(2), at: .at(21))
    builder.add(.example(130, at: .at(21)))
    #expect(builder.currentLap?.summary(at: .at(22)).heartRate?.minimum == 130)
  }

  @Test func pausesAreOfTheLapThatTheyAreIn() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0)))
    try builder.take(.paused, at: .at(4))
    try builder.take(.lapEnded(1), at: .at(6))
    builder.add(.example(200, at: .at(7)))
    try builder.take(.resumed, at: .at(10))
    builder.add(.example(130, at: .at(11)))
    try builder.take(.ended, at: .at(15))
    #expect(builder.laps[1]?.summary(at: .at(15)).elapsed == .seconds(4))
    let last = try #require(builder.currentLap).summary(at: .at(99))
    #expect(last.elapsed == .seconds(5) && last.wall == .seconds(9))
    #expect(last.heartRate?.maximum == 130)
    #expect(last.heartRate?.covered == .seconds(4))
    try builder.take(.lapEnded(2), at: .at(15))
    #expect(builder.laps[2]?.summary(at: .at(99)) == last, "the rest can be made a lap when the end is known")
    #expect(throws: BuilderError.self) { try builder.take(.lapEnded(3), at: .at(14)) }
  }

  @Test func aLapMayBeginLaterThanTheLastOneEnded() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0)))
    try builder.take(.lapBegan(5), at: .at(4))
    builder.add(.example(110, at: .at(6)))
    try builder.take(.lapEnded(5), at: .at(8))
    let lap = try #require(builder.laps[5]).summary(at: .at(9))
    #expect(lap.elapsed == .seconds(4))
    #expect(lap.heartRate?.average == 100)
    #expect(lap.heartRate?.count == 1)
    #expect(builder.currentLap?.start == .at(8))
  }

  @Test func activitiesHaveTheirOwnStatistics() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0)))
    try builder.take(.activityBegan(1), at: .at(2))
    builder.add(.example(110, at: .at(4)))
    try builder.take(.activityBegan(2), at: .at(6))  // which ends the first
    builder.add(.example(130, at: .at(8)))
    try builder.take(.activityEnded, at: .at(10))
    builder.add(.example(150, at: .at(12)))
    try builder.take(.activityBegan(3), at: .at(14))
    try builder.take(.ended, at: .at(16))
    func summary(_ number: Int64) -> IntervalSummary? { builder.activities[number]?.summary(at: .at(16)) }
    #expect(summary(1)?.elapsed == .seconds(4) && summary(1)?.heartRate?.average == 100)
    #expect(summary(2)?.elapsed == .seconds(4) && summary(2)?.heartRate?.average == 120)
    #expect(summary(3)?.elapsed == .seconds(2) && summary(3)?.heartRate?.average == 150)
    #expect(summary(3)?.heartRate?.count == 0, "what holds from before is not counted again")
    #expect(summary(2)?.heartRate?.timeInZones == [.zero, .seconds(2), .seconds(2), .zero])
    #expect(builder.currentActivity == nil)
  }

  @Test func energyIsOfThePartInWhichItWasReported() throws {
    func sample(_ kilojoules: UInt8, at seconds: Int64) throws -> HeartRateSample {
      let payload: [UInt8] = [0x0E, 100, kilojoules, 0]
      return HeartRateSample(
        sequence: seconds, tick: .at(seconds), measurement: try HeartRateMeasurement(payload), payload: payload)
    }
    var builder = try begun()
    builder.add(try sample(10, at: 1))
    builder.add(try sample(15, at: 2))
    try builder.take(.lapEnded(1), at: .at(3))
    builder.add(try sample(22, at: 4))
    #expect(builder.laps[1]?.energy.kilojoules == 5)
    #expect(builder.currentLap?.energy.kilojoules == 7)
    #expect(builder.energy.kilojoules == 12)
  }

  @Test func zonesAddUpToTheTimeCovered() throws {
    var builder = try begun()
    for (second, heartRate) in zip(Int64(0)..., [90, 99, 100, 119, 120, 139, 140, 200] as [UInt8]) {
      builder.add(.example(heartRate, at: .at(second)))
    }
    #expect(builder.heartRate.timeInZones(at: .at(8)) == [2, 2, 2, 2].map { .seconds($0) })
    #expect(builder.heartRate.timeInZones(at: .at(30)) == [2, 2, 2, 11].map { .seconds($0) })
    #expect(builder.heartRate.covered(at: .at(30)) == .seconds(17))
    #expect(builder.heartRate.zone == 4)
    #expect(LiveBuilder().heartRate.timeInZones(at: .at(8)) == [])
    #expect(LiveBuilder().heartRate.zone == nil)
  }

  // MARK: Types

  @Test func whatIsNotCollectedDoesNotCount() throws {
    var builder = try begun()
    builder.add(.example(90, at: .at(0), rr: [1_000]))
    try builder.take(.collects([.activeEnergyBurned]), at: .at(4))
    var counted = builder.add(.example(110, at: .at(5), rr: [1_000]))
    #expect(!counted)
    #expect(builder.heartRate.covered(at: .at(9)) == .seconds(4))
    try builder.take(.collects([.heartRate]), at: .at(9))
    counted = builder.add(.example(130, at: .at(10), rr: [1_000]))
    #expect(counted)
    #expect(builder.heartRate.count == 2 && builder.rrCount == 2)
  }

  @Test func collectedTypesAreThoseOfWhichASampleCounted() throws {
    var builder = try begun()
    #expect(builder.collectedTypes == [])
    #expect(CollectedType.allCases.allSatisfy { builder.statistics(for: $0, at: .at(5)) == nil })
    builder.add(.example(90, at: .at(0), contact: .notDetected))
    #expect(builder.collectedTypes == [])
    builder.add(.example(90, at: .at(1)))
    #expect(builder.collectedTypes == [.heartRate])
    guard case .heartRate(let summary) = builder.statistics(for: .heartRate, at: .at(3)) else {
      Issue.record("no statistics of the heart rate")
      return
    }
    #expect(summary.count == 1 && summary.covered == .seconds(2))
    for (second, reading) in zip(Int64(2)..., [5, 9] as [UInt8]) {
      let payload: [UInt8] = [0x08, 0, reading, 0]
      builder.add(
        HeartRateSample(
          sequence: second, tick: .at(second), measurement: try HeartRateMeasurement(payload), payload: payload))
    }
    #expect(builder.collectedTypes == [.heartRate, .activeEnergyBurned])
    #expect(builder.statistics(for: .activeEnergyBurned, at: .at(3)) == .energy(sum: 4))
    #expect(builder.statistics(for: .runningSpeed, at: .at(3)) == nil)
  }

  // MARK: Order and memory

  @Test func partsInTheWrongOrderAreErrorsThatLeaveItUsable() throws {
    let marks: [Mark] = [.lapBegan(1), .lapEnded(1), .activityBegan(1), .activityEnded]
    var builder = LiveBuilder()
    for mark in marks { #expect(throws: BuilderError.self) { try builder.take(mark, at: .at(1)) } }
    #expect(builder == LiveBuilder())
    try builder.take(.began, at: .at(1))
    try builder.take(.ended, at: .at(2))
    let ended = builder
    for mark in marks { #expect(throws: BuilderError.self) { try builder.take(mark, at: .at(3)) } }
    #expect(builder == ended)
  }

  /// However many pauses: nothing in the builder grows with them.
  @Test func tenThousandPausesTakeNoMemory() throws {
    var builder = try begun()
    var tick = Tick.at(0)
    func pauses(_ count: Int) throws {
      for index in 0..<count {
        builder.add(.example(UInt8(90 + index % 60), at: tick, rr: [900]))
        tick = tick + .milliseconds(1_001)
        try builder.take(.paused, at: tick)
        tick = tick + .milliseconds(333)
        try builder.take(.resumed, at: tick)
      }
    }
    try pauses(10)
    let before = elements(of: builder)
    try pauses(9_990)
    #expect(elements(of: builder) == before)
    #expect(builder.elapsed(at: tick) == .milliseconds(10_010_000))
    #expect(builder.currentLap?.summary(at: tick).elapsed == .milliseconds(10_010_000))
  }

  /// How many values a value is made of.
  private func elements(of value: Any) -> Int {
    Mirror(reflecting: value).children.reduce(1) { $0 + elements(of: $1.value) }
  }
}
