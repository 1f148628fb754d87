import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct NotifiedStreamTests {
  private static func time(_ second: Int64) -> LogTime { LogTime(date: second * 1_000_000, axis: second * 1_000_000) }

  @Test func valuesAreGivenBackAsTheyCame() {
    var stream = NotifiedStream()
    for (second, value) in [[1, 2, 3], [], [4]].enumerated() as EnumeratedSequence<[[UInt8]]> {
      stream.add(value, at: Self.time(Int64(second)), drops: LogDrops())
    }
    #expect(stream.valueCount == 3)
    #expect((0..<3).map { stream.stretches[0].value($0) } == [[1, 2, 3], [], [4]])
    #expect(stream.stretches[0].offsets == [0, 1_000_000, 2_000_000])
    stream.forget()
    #expect(stream.valueCount == 0)
  }

  @Test func aLossIsOneBetweenTwoValuesAndNoneAtTheEnds() {
    var stream = NotifiedStream()
    stream.lose(at: Self.time(0))
    stream.add([1], at: Self.time(1), drops: LogDrops())
    stream.lose(at: Self.time(3))
    stream.lose(at: Self.time(4))
    stream.add([1], at: Self.time(5), drops: LogDrops())
    stream.lose(at: Self.time(6))
    #expect(stream.stretches.map(\.losses) == [[2_000_000]])
    stream.add([1], at: Self.time(5000), drops: LogDrops())
    #expect(stream.stretches.map(\.losses) == [[2_000_000], []])
  }

  @Test func onlyAMillionMeasurementsAreKept() throws {
    var kept = Kept()
    var stream = NotifiedStream()
    for _ in 0..<10 {
      try kept.add([1, 2], at: 0)
      stream.add([1, 2], at: Self.time(0), drops: LogDrops())
    }
    #expect((kept.count, kept.octets) == (10, 20))
    kept.remove(stream)
    #expect((kept.count, kept.octets) == (0, 0))
    for _ in 0..<WorkoutFile.mostSamples { try kept.add([], at: 0) }
    #expect(throws: ActivityFileError(.btsnoop, at: 99, "holds more than 1000000 measurements")) {
      try kept.add([], at: 99)
    }
    kept = Kept()
    let long = [UInt8](repeating: 0, count: 4000)
    for _ in 0..<8000 { try kept.add(long, at: 0) }
    #expect(throws: ActivityFileError.self) { try kept.add(long, at: 0) }
  }

  @Test func theLastValueCountsAsTheOthersDo() throws {
    var stream = NotifiedStream()
    for second in 0..<7 {
      // Heart rate 60 and an interval of 1024 ticks (HRS 1.0, section 3.1).
      stream.add([0x10, 60, 0x00, 0x04], at: Self.time(Int64(second)), drops: LogDrops())
    }
    let file = try #require(stream.stretches.first).workout(WorkoutFile.Device())
    #expect(file.workout.heartRate?.count == 7)
    #expect(file.workout.rrCount == 7)
    #expect(file.runningIntervals.map { $0.end - $0.start } == [.milliseconds(6001)])
  }
}
