import Control
import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

@Suite struct FITWriterTests {
  private static let id = SessionID(contentOf: [8])
  private static let start = WallTime(nanoseconds: 1_796_000_000_250_000_000)

  private func messages(_ file: WorkoutFile, _ number: UInt16) throws -> [FITMessage] {
    try FITDecoderTests.messages(file.fit()).filter { $0.definition.message == number }
  }

  private func records(_ file: WorkoutFile) throws -> [[Int64]] {
    let epoch = Int64(631_065_600)
    return try messages(file, 20).map { record in
      let second = Int64(try #require(record.timestamp)) + epoch - 1_796_000_000
      return [second, record.whole(3).map { Int64($0) } ?? -1]
    }
  }

  @Test func aValueHoldsUntilTheNextAndTenSecondsAtMost() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(30))
    assembly.add(heartRate: 100, at: .milliseconds(500))
    assembly.add(heartRate: 110, at: .milliseconds(3000))
    // From 3.25 s of its date on for 10 s: the whole seconds 4 to 13.
    let expected = [[1, 100], [2, 100], [3, 100]] + (4...13).map { [Int64($0), 110] }
    #expect(try records(assembly.file(Self.id)) == expected)
  }

  @Test func aLossALostContactAndAPauseEndIt() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(30))
    assembly.add(heartRate: 100, at: .seconds(1))
    assembly.addLoss(at: .seconds(3))
    assembly.add(heartRate: 101, at: .seconds(8))
    assembly.add(heartRate: 99, contact: .notDetected, at: .seconds(10))
    assembly.add(heartRate: 102, at: .seconds(15))
    assembly.pauses = [.init(start: .seconds(17), end: .seconds(20))]
    assembly.add(heartRate: 103, at: .seconds(18))
    assembly.add(heartRate: 104, at: .seconds(28))
    let expected: [[Int64]] = [
      [2, 100], [3, 100], [9, 101], [10, 101], [16, 102], [17, 102], [29, 104], [30, 104],
    ]
    #expect(try records(assembly.file(Self.id)) == expected)
    let events = try messages(assembly.file(Self.id), 21).map { [$0.whole(0), $0.whole(1)] }
    #expect(events == [[0, 0], [47, 3], [47, 3], [0, 4], [0, 0], [0, 4]])
  }

  @Test func aHeartRateThatDoesNotFitIsLeftOut() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(6))
    for (second, rate) in [254, 255, 256, 65_535, 0, 120].enumerated() {
      assembly.add(heartRate: UInt16(rate), at: .seconds(second))
    }
    let file = assembly.file(Self.id)
    // That of 4 s is none, and what was before it holds on.
    #expect(try records(file) == [[1, 254], [2, -1], [3, -1], [4, -1], [5, -1], [6, 120]])
    let records = try messages(file, 20)
    #expect(records.map { $0.values(3) != nil } == [true, false, false, false, false, true])
    #expect(records[2].own(.heartRate, 0) == 256)
    let session = try #require(try messages(file, 18).first)
    #expect(session.values(FITProfile.Session.maximumHeartRate) == nil)
    #expect(session.whole(FITProfile.Session.minimumHeartRate) == 120)
    let read = try #require(try WorkoutFile.workouts(fit: file.fit()).first)
    #expect(read.samples.map(\.measurement.heartRate) == [254, 255, 256, 65_534, 120])
  }

  @Test func intervalsAreAtMostFiveAMessageAndPadded() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(60))
    assembly.pauses = [.init(start: .seconds(20), end: .seconds(30))]
    let seven = [819, 0, 820, 821, 822, 823, 824, 825].map { RRInterval(ticks1024: $0) }
    assembly.add(heartRate: 75, intervals: seven, at: .seconds(5))
    assembly.add(heartRate: 75, intervals: [RRInterval(ticks1024: 900)], at: .seconds(25))
    assembly.add(heartRate: 75, intervals: [RRInterval(ticks1024: 901)], contact: .notDetected, at: .seconds(35))
    assembly.add(heartRate: 0, intervals: [RRInterval(ticks1024: 65_535)], at: .seconds(36))
    let hrv = try messages(assembly.file(Self.id), 78)
    #expect(
      hrv.map { $0.values(0)?.wholes ?? [] } == [
        [800, 801, 802, 803, 804], [805, 806, nil, nil, nil], [63_999, nil, nil, nil, nil],
      ])
    #expect(hrv.allSatisfy { $0.values(0)?.octets.count == 10 })
    // GoldenCheetah would take any other number for an interval.
    #expect(hrv.allSatisfy { $0.definition.fields.count == 1 && $0.definition.developerFields.isEmpty })
  }

  @Test func lapsLieOneBehindTheOther() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(100))
    assembly.pauses = [.init(start: .seconds(30), end: .seconds(45))]
    assembly.laps = [
      .init(start: .seconds(10), end: .seconds(40), label: "warm"), .init(start: .seconds(40), end: .seconds(60)),
    ]
    for second in 0..<100 { assembly.add(heartRate: UInt16(100 + second), at: .milliseconds(1000 * second + 500)) }
    let laps = try messages(assembly.file(Self.id), 19)
    #expect(laps.map { $0.whole(FITProfile.Lap.totalElapsedTime) } == [10_000, 30_000, 20_000, 40_000])
    #expect(laps.map { $0.whole(FITProfile.Lap.totalTimerTime) } == [10_000, 20_000, 15_000, 40_000])
    #expect(laps.map { $0.own(.isTaken, 0) } == [0, 1, 1, 0])
    #expect(laps.map { $0.ownText(.label, 0) } == [nil, "warm", nil, nil])
    #expect(laps.map { $0.whole(FITProfile.Lap.maximumHeartRate) } == [109, 129, 159, 199])
    #expect(laps.map { $0.whole(FITProfile.messageIndex) } == [0, 1, 2, 3])
    let starts = laps.map { $0.whole(FITProfile.Lap.startTime) ?? 0 }
    #expect(starts.map { $0 - starts[0] } == [0, 10, 40, 60])
  }

  /// Whatever is rounded how: a lap button that was pressed twice, in and out of pauses.
  @Test(arguments: 0..<UInt64(50)) func noLapRunsForLongerThanItTakes(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var assembly = WorkoutAssembly(
      start: Self.start, length: .milliseconds(20) + .nanoseconds(random.next(below: 999_999)))
    func bounds(_ count: Int) -> [Duration] {
      (0..<count).map { _ in Duration.nanoseconds(random.next(below: 20_000_000)) }.sorted()
    }
    let (pauses, laps) = (bounds(8), bounds(12))
    assembly.pauses = stride(from: 0, to: 8, by: 2).map { .init(start: pauses[$0], end: pauses[$0 + 1]) }
    assembly.laps = stride(from: 0, to: 11, by: 1).map { .init(start: laps[$0], end: laps[$0 + 1]) }
    let file = assembly.file(Self.id)
    let told = try messages(file, 19)
    let elapsed = told.map { $0.whole(FITProfile.Lap.totalElapsedTime) ?? 0 }
    let timer = told.map { $0.whole(FITProfile.Lap.totalTimerTime) ?? 0 }
    #expect(zip(elapsed, timer).allSatisfy { $0 >= $1 && $0 > 0 }, "\(elapsed) \(timer)")
    let session = try #require(try messages(file, 18).first)
    #expect(elapsed.reduce(0, +) == session.whole(FITProfile.Session.totalElapsedTime))
    #expect(timer.reduce(0, +) == session.whole(FITProfile.Session.totalTimerTime))
  }

  @Test func aWorkoutOfNoLengthHasALapOfSome() throws {
    let file = WorkoutAssembly(start: Self.start).file(Self.id)
    #expect(try messages(file, 19).map { $0.whole(FITProfile.Lap.totalElapsedTime) } == [1])
    #expect(try messages(file, 18).map { $0.whole(FITProfile.Session.totalElapsedTime) } == [1])
    #expect(throws: ActivityFileError(.fit, "holds no heart rate")) {
      _ = try WorkoutFile.workouts(fit: file.fit())
    }
  }

  @Test func timestampsNeverGoBack() throws {
    for seed in 201...220 {
      let octets = try RandomWorkout(seed: UInt64(seed)).file.fit()
      let stamps = try FITDecoderTests.messages(octets).compactMap(\.timestamp)
      #expect(stamps == stamps.sorted(), "seed \(seed)")
    }
  }

  @Test func noHeartRateIsEver0Or255() throws {
    for seed in 221...240 {
      for message in try FITDecoderTests.messages(RandomWorkout(seed: UInt64(seed)).file.fit())
      where message.definition.message == 20 {
        if let values = message.values(3) { #expect((1...254).contains(values.bits[0])) }
      }
    }
  }

  @Test func localTimeIsTold() throws {
    let file = WorkoutAssembly(start: Self.start, length: .seconds(60)).file(Self.id)
    func local(_ seconds: Int) throws -> Int64 {
      let messages = try FITDecoderTests.messages(file.fit(secondsEastOfUTC: seconds))
      let activity = try #require(messages.last)
      #expect(activity.definition.message == 34)
      return Int64(try #require(activity.whole(5))) - Int64(try #require(activity.timestamp))
    }
    #expect(try local(0) == 0)
    #expect(try local(19_800) == 19_800)
    #expect(try local(-3600) == -3600)
  }

  @Test func aDateThatFITCannotTellIsAnError() throws {
    for date in ["1989-12-30T00:00:00Z", "1998-07-03T21:24:15Z", "2126-02-06T06:28:15Z", "2200-01-01T00:00:00Z"] {
      let start = try #require(WallTime(rfc3339: date))
      #expect(throws: ActivityFileError.self, "\(date)") {
        try WorkoutAssembly(start: start, length: .seconds(1)).file(Self.id).fit()
      }
    }
    for date in ["1998-07-03T21:24:16Z", "2126-02-06T06:28:13Z"] {
      let start = try #require(WallTime(rfc3339: date))
      _ = try WorkoutAssembly(start: start, length: .seconds(1)).file(Self.id).fit()
    }
  }

  @Test func caloriesAreKilojoulesDividedBy4184() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(600))
    for second in 0..<600 {
      let counter = second % 10 == 0 ? UInt16(1000 + second) : nil
      assembly.add(heartRate: 100, energyKilojoules: counter, at: .seconds(second))
    }
    let file = assembly.file(Self.id)
    #expect(file.workout.energyKilojoules == 590)
    #expect(try messages(file, 18).first?.whole(FITProfile.Session.totalCalories) == 141)
    let counters = try messages(file, 20).compactMap { $0.own(.energyCounter, 0) }
    #expect(counters == stride(from: 1000, to: 1600, by: 10).map { UInt64($0) })
    #expect(try WorkoutFile.workouts(fit: file.fit()).first?.workout.energyKilojoules == 590)
  }
}
