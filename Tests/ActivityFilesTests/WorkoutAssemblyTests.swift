import Control
import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct WorkoutAssemblyTests {
  static let id = SessionID(contentOf: [1, 2, 3])
  static let start = WallTime(nanoseconds: 1_796_000_000_000_000_000)

  /// Ten minutes, one value a second, with a pause from 100 s to 130 s and two laps.
  static func assembly() -> WorkoutAssembly {
    var assembly = WorkoutAssembly(start: start, length: .seconds(600))
    assembly.activity = .cycling
    assembly.pauses = [.init(start: .seconds(100), end: .seconds(130))]
    assembly.laps = [.init(start: .zero, end: .seconds(300)), .init(start: .seconds(300), end: .seconds(600))]
    for second in 0..<600 {
      let rate = UInt16(100 + second % 50)
      assembly.add(
        heartRate: rate, intervals: [RRInterval(ticks1024: 61_440 / rate)], at: .seconds(second) + .milliseconds(500))
    }
    return assembly
  }

  @Test func itCountsAsALiveWorkoutDoes() throws {
    let file = Self.assembly().file(Self.id)
    #expect(file.workout.elapsed == .seconds(570))
    #expect(file.workout.wall == .seconds(600))
    #expect(file.workout.heartRate?.count == 570)
    #expect(file.workout.heartRate?.minimum == 100)
    #expect(file.workout.heartRate?.maximum == 149)
    #expect(file.workout.rrCount == 570)
    #expect(file.workout.laps.map(\.summary.elapsed) == [.seconds(270), .seconds(300)])
    #expect(file.runningIntervals.map(\.start.nanoseconds) == [0, 130_000_000_000])
    #expect(file.runningIntervals.map(\.end.nanoseconds) == [100_000_000_000, 600_000_000_000])
    #expect(file.samples.count == 600)
    #expect(file.date(of: file.samples[0].tick) == Self.start + .milliseconds(500))
  }

  @Test func eventsAndSamplesHaveOneOrder() {
    let file = Self.assembly().file(Self.id)
    let sequences = file.events.map(\.sequence) + file.samples.map(\.sequence)
    #expect(sequences.sorted() == Array(1...Int64(sequences.count)))
    #expect(file.samples.map(\.tick) == file.samples.map(\.tick).sorted())
  }

  @Test func aValueHoldsNoLongerThanALoss() throws {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(10))
    assembly.add(heartRate: 100, at: .seconds(1))
    assembly.addLoss(at: .seconds(3))
    assembly.add(heartRate: 100, at: .seconds(8))
    #expect(assembly.file(Self.id).workout.heartRate?.covered == .seconds(4))
  }

  @Test func itEndsInAPause() {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(10))
    assembly.add(heartRate: 300, at: .seconds(1))
    assembly.pauses = [.init(start: .seconds(4), end: .seconds(10))]
    let file = assembly.file(Self.id)
    #expect(file.workout.elapsed == .seconds(4))
    #expect(file.samples[0].payload == [0x01, 0x2C, 0x01])
    #expect(file.workout.heartRate?.maximum == 300)
  }

  @Test func whatWasSentBesidesHeartRateIsInTheOctets() {
    var assembly = WorkoutAssembly(start: Self.start, length: .seconds(10))
    let interval = RRInterval(ticks1024: 0x0333)
    assembly.add(heartRate: 0x64, intervals: [interval], contact: .detected, energyKilojoules: 0x0102, at: .seconds(1))
    assembly.add(heartRate: 0x64, contact: .notDetected, at: .seconds(3))
    assembly.add(heartRate: 0x0164, contact: .unknown, energyKilojoules: 0x0108, at: .seconds(5))
    let file = assembly.file(Self.id)
    #expect(
      file.samples.map(\.payload) == [
        [0x1E, 0x64, 0x02, 0x01, 0x33, 0x03], [0x04, 0x64], [0x09, 0x64, 0x01, 0x08, 0x01],
      ])
    #expect(file.samples.map(\.measurement.contact) == [.detected, .notDetected, .unknown])
    #expect(file.workout.energyKilojoules == 6)
    #expect(file.workout.heartRate?.covered == .seconds(7))
    assembly.energyKilojoules = 900
    #expect(assembly.file(Self.id).workout.energyKilojoules == 900)
  }

  @Test func timeIsToldByZones() throws {
    var assembly = Self.assembly()
    assembly.zones = try HeartRateZones(bounds: [110, 130])
    let file = assembly.file(Self.id)
    #expect(file.workout.zones?.bounds == [110, 130])
    #expect(file.workout.heartRate?.timeInZones.reduce(.zero, +) == file.workout.heartRate?.covered)
    #expect(file.workout.laps.map { $0.summary.heartRate?.timeInZones.count } == [3, 3])
  }

  @Test func theSameOctetsAreTheSameWorkout() {
    #expect(SessionID(contentOf: [1]) == SessionID(contentOf: [1]))
    #expect(SessionID(contentOf: [1]) != SessionID(contentOf: [2]))
    // SHA-256 of "abc" (FIPS 180-4's example), with the version 8 and the variant.
    #expect(SessionID(contentOf: [0x61, 0x62, 0x63]).description == "ba7816bf-8f01-8fea-8141-40de5dae2223")
  }
}
