import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct FITActivityTests {
  private func read(_ maker: FITMaker) throws -> WorkoutFile {
    try #require(try WorkoutFile.workouts(fit: maker.octets).first)
  }

  private func intervals(_ file: WorkoutFile) -> [[Int]] {
    file.samples.map { $0.measurement.rrIntervals.map { Int($0.milliseconds.rounded()) } }
  }

  @Test func intervalsGoToTheRecordBehindThemAndNoneIsLost() throws {
    var maker = FITMaker()
    maker.session(from: 0, seconds: 10)
    maker.hrv(700, 0xFFFF)
    maker.record(at: 1, 80)
    maker.hrv(710)
    maker.hrv(720)
    maker.record(at: 2, 81)
    maker.record(at: 3, 255)
    maker.hrv(730)
    maker.record(at: 4, 255)
    maker.hrv(740)
    let file = try read(maker)
    #expect(intervals(file) == [[700], [710, 720], [730, 740]])
    #expect(file.samples.map(\.measurement.heartRate) == [80, 81, 0])
    #expect(file.workout.rrCount == 5)
  }

  @Test func aRecordAtTheVeryEndCounts() throws {
    var maker = FITMaker()
    maker.record(at: 1, 80)
    maker.hrv(710)
    maker.record(at: 10, 90)
    maker.session(from: 0, seconds: 10)
    let file = try read(maker)
    #expect(file.workout.heartRate?.count == 2)
    #expect(file.workout.rrCount == 1)
    #expect(file.workout.wall == .seconds(10))
  }

  @Test func intervalsAloneAreOfAWorkout() throws {
    var maker = FITMaker()
    maker.timer(at: 0, FITProfile.Event.start)
    maker.hrv(700, 710)
    maker.timer(at: 2, FITProfile.Event.stopAll)
    let file = try read(maker)
    #expect(intervals(file) == [[700, 710]])
    #expect(file.workout.heartRate == nil)
    #expect(file.workout.wall == .seconds(2))
  }

  @Test func withoutHeartRateItIsAnError() {
    var maker = FITMaker()
    maker.session(from: 0, seconds: 10)
    maker.record(at: 1, 255)
    maker.record(at: 2, 0)
    #expect(throws: ActivityFileError(.fit, "holds no heart rate")) { try WorkoutFile.workouts(fit: maker.octets) }
  }

  @Test func whatIsNoActivityIsAnError() {
    var maker = FITMaker(type: 6)
    maker.record(at: 1, 90)
    #expect(throws: ActivityFileError(.fit, "holds no activity: its type is 6, and 4 is an activity's")) {
      try WorkoutFile.workouts(fit: maker.octets)
    }
  }

  @Test func theLengthIsTheSessionsAndNotWhenItWasWritten() throws {
    // "Summary first": the session stands before everything, with the time of the file's making.
    var maker = FITMaker()
    maker.add(
      FITProfile.Message.session, at: 90_000,
      [
        .init(FITProfile.Session.startTime, .uint32, FITMaker.start),
        .init(FITProfile.Session.totalElapsedTime, .uint32, 12_500), .init(FITProfile.Session.sport, .enumeration, 17),
      ])
    maker.record(at: 1, 90)
    let file = try read(maker)
    #expect(file.workout.wall == .milliseconds(12_500))
    #expect(file.workout.activity == .hiking)
  }

  @Test func recordsBehindTheToldEndMakeItLongerAndThoseOfHoursDoNot() throws {
    var maker = FITMaker()
    maker.session(from: 0, seconds: 10)
    for second in [UInt64(1), 9, 15, 3620] { maker.record(at: second, 90) }
    let file = try read(maker)
    #expect(file.samples.count == 3)
    #expect(file.workout.wall == .seconds(15))
  }

  @Test func aStartBehindAllRecordsIsNotBelieved() throws {
    var maker = FITMaker()
    maker.session(from: 500_000, seconds: 10)
    maker.record(at: 1, 90)
    maker.record(at: 3, 91)
    let file = try read(maker)
    #expect(file.workout.start.date == FITProfile.time(UInt32(FITMaker.start + 1)))
    #expect(file.samples.map(\.tick.nanoseconds) == [0, 2_000_000_000])
  }

  @Test func whatAnUnsetClockHasDatedIsPassedOver() throws {
    // The first records, and the session's start, are of a clock that began in 1998; then it was set.
    for hasSession in [false, true] {
      var maker = FITMaker()
      let unset = UInt64(FITProfile.firstDate)
      for second in UInt64(0)..<3 {
        maker.add(
          FITProfile.Message.record,
          [.init(FITProfile.timestamp, .uint32, unset + second), .init(FITProfile.Record.heartRate, .uint8, 70)])
      }
      for second in UInt64(5)..<10 { maker.record(at: second, 90 + second) }
      if hasSession {
        // Of a time at which nothing was received.
        maker.session(from: 500_000, seconds: 10)
      }
      let file = try read(maker)
      #expect(file.samples.map(\.measurement.heartRate) == [95, 96, 97, 98, 99])
      #expect(file.workout.start.date == FITProfile.time(UInt32(FITMaker.start + 5)))
    }
  }

  @Test func zonesOfTheSessionAreKept() throws {
    var maker = FITMaker()
    maker.session(from: 0, seconds: 10)
    maker.record(at: 1, 90)
    maker.add(
      FITProfile.Message.timeInZone, at: 10,
      [
        .init(FITProfile.TimeInZone.referenceMessage, .uint16, 18),
        .init(FITProfile.TimeInZone.highBoundaries, .uint8, array: [98, 117, 136, 156, 175]),
      ])
    #expect(try read(maker).workout.zones?.bounds == [99, 118, 137, 157, 176])
  }

  @Test func wildNumbersAreWithstood() throws {
    var maker = FITMaker()
    maker.record(at: 1, 90)
    let most = UInt64.max - 1
    maker.add(
      FITProfile.Message.session, at: 10,
      [
        .init(FITProfile.Session.startTime, .uint32, FITMaker.start),
        .init(FITProfile.Session.totalElapsedTime, .uint64, most),
        .init(FITProfile.Session.totalCalories, .uint64, most),
      ])
    for start in [UInt64(0), FITMaker.start, most] {
      maker.add(
        FITProfile.Message.lap, at: 10,
        [.init(FITProfile.Lap.startTime, .uint64, start), .init(FITProfile.Lap.totalElapsedTime, .uint64, most)])
    }
    let file = try read(maker)
    #expect(file.samples.count == 1)
    #expect(file.workout.energyKilojoules == nil)
    _ = try? file.fit()
  }

  @Test func moreSessionsThanAreReadAreAnError() {
    var maker = FITMaker()
    maker.record(at: 1, 90)
    for second in 0..<UInt64(101) { maker.session(from: second, seconds: 1) }
    #expect(throws: ActivityFileError.self) { try WorkoutFile.workouts(fit: maker.octets) }
  }

  @Test func sessionsOfOneFileHaveIDsOfTheirOwnAndAlwaysTheSame() throws {
    var maker = FITMaker()
    for session in 0..<UInt64(3) {
      maker.session(from: session * 100, seconds: 50)
      maker.record(at: session * 100 + 1, 90)
    }
    let ids = try WorkoutFile.workouts(fit: maker.octets).map(\.workout.id)
    #expect(Set(ids).count == 3)
    #expect(try WorkoutFile.workouts(fit: maker.octets).map(\.workout.id) == ids)
    #expect(ids.first == SessionID(contentOf: maker.octets))
  }

  /// As devices write that are stopped and started again at once.
  @Test func aSessionOfNoLengthIsNoWorkoutOfItsOwn() throws {
    for order in [[0, 60], [60, 0], [60, 60]] as [[UInt64]] {
      var maker = FITMaker()
      for second in 1..<UInt64(60) { maker.record(at: second, 90) }
      for seconds in order { maker.session(from: 0, seconds: seconds) }
      let files = try WorkoutFile.workouts(fit: maker.octets)
      #expect(files.map(\.workout.heartRate?.count) == [59], "\(order)")
      #expect(files.map(\.workout.wall) == [.seconds(60)])
    }
  }

  /// A heart rate that a program for a watch has put beside the watch's own, of which there is none.
  @Test func aDevelopersHeartRateIsOne() throws {
    func maker(_ native: UInt64, _ values: [UInt64], _ type: FITBaseType = .uint8) -> FITMaker {
      typealias Description = FITProfile.FieldDescription
      var maker = FITMaker()
      maker.add(
        FITProfile.Message.developerDataID,
        [
          FITMaker.Field(FITProfile.DeveloperData.applicationID, .byte, octets: Array(1...16)),
          FITMaker.Field(FITProfile.DeveloperData.developerIndex, .uint8, 0),
        ])
      maker.add(
        FITProfile.Message.fieldDescription,
        [
          FITMaker.Field(Description.developerIndex, .uint8, 0), FITMaker.Field(Description.number, .uint8, 4),
          FITMaker.Field(Description.baseType, .uint8, UInt64(type.rawValue)),
          FITMaker.Field(Description.name, text: "pulse"), FITMaker.Field(Description.message, .uint16, 20),
          FITMaker.Field(Description.field, .uint8, native),
        ])
      for (second, value) in values.enumerated() {
        maker.record(at: UInt64(second), 255, developer: [FITMaker.Field(4, type, value)])
      }
      return maker
    }
    let file = try read(maker(3, [90, 91, 255, 93]))
    #expect(file.samples.map(\.measurement.heartRate) == [90, 91, 93])
    #expect(try read(maker(3, [0x4000, 300], .uint16)).samples.map(\.measurement.heartRate) == [0x4000, 300])
    let float = UInt64(Float(88.4).bitPattern)
    #expect(try read(maker(3, [float], .float32)).samples.map(\.measurement.heartRate) == [88])
    // Of another field it is none, and the record's own counts before it.
    #expect(throws: ActivityFileError(.fit, "holds no heart rate")) { _ = try read(maker(4, [90])) }
    var both = maker(3, [90])
    both.record(at: 5, 100, developer: [FITMaker.Field(4, .uint8, 91)])
    #expect(try read(both).samples.map(\.measurement.heartRate) == [90, 100])
  }
}
