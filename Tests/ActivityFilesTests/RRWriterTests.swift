import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct RRWriterTests {
  private func text(_ assembly: WorkoutAssembly) -> String {
    String(decoding: TCXSamples.file(assembly).rr(), as: UTF8.self)
  }

  private func intervals(_ ticks: UInt16...) -> [RRInterval] { ticks.map { RRInterval(ticks1024: $0) } }

  @Test func aWholeFile() {
    // 1024 ticks are 1000 ms, 1 tick is 0.9765625 ms (HRS 1.0, section 3.1.1.4).
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(60))
    assembly.device.name = "H10\n1"
    assembly.add(heartRate: 60, intervals: intervals(1024, 1), at: .seconds(3), lastBeat: .milliseconds(2500))
    assembly.add(heartRate: 60, intervals: intervals(0, 512), at: .seconds(4), lastBeat: .seconds(3))
    // Half a second late, and after a loss with and without a delay.
    assembly.add(heartRate: 60, intervals: intervals(512), at: .seconds(5), lastBeat: .seconds(4))
    assembly.addLoss(at: .seconds(6))
    assembly.add(heartRate: 60, intervals: intervals(512), at: .seconds(7), lastBeat: .milliseconds(4500))
    #expect(
      text(assembly) == """
        # RR intervals in ms
        # start 2026-11-30T09:10:12.499023438Z
        # strap H10\u{FFFD}1
        # workout \(TCXSamples.file(assembly).workout.id)
        1000
        0.9765625
        500
        # gap 0.5 s
        500
        # gap 0 s
        500

        """)
  }

  @Test func onlyWhatTheWorkoutCounts() throws {
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(20))
    assembly.pauses = [.init(start: .seconds(5), end: .seconds(8))]
    for second in 1...25 {
      assembly.add(
        heartRate: 60, intervals: [RRInterval(ticks1024: UInt16(1000 + second))], at: .seconds(second),
        lastBeat: .seconds(second))
    }
    // Contact supported and not detected, with an interval of 1024.
    let lost: [UInt8] = [0x14, 60, 0x00, 0x04]
    assembly.add(
      try #require(HeartRateMeasurement(sent: lost)), lost, at: .milliseconds(15_500), lastBeat: .milliseconds(15_500))
    let file = TCXSamples.file(assembly)
    let series = RRSeries(file)
    let counted = series.entries.compactMap { entry in
      if case .interval(let interval) = entry { Int(interval.ticks1024) - 1000 } else { nil }
    }
    #expect(counted == [1, 2, 3, 4, 5] + Array(8...19))
    #expect(counted.count == file.workout.rrCount)
    func isGap(before second: Int) -> Bool {
      guard let place = series.entries.firstIndex(of: .interval(RRInterval(ticks1024: UInt16(1000 + second)))),
        place > 0
      else { return false }
      if case .gap = series.entries[place - 1] { return true }
      return false
    }
    #expect(isGap(before: 8))
    #expect(isGap(before: 16))
  }

  @Test func whatHasNoPlaceIsNoNeighbour() {
    var file = TCXSamples.file(RRReaderTests.assembly([[800], [810], [820]]))
    file.samples[1].beats = nil
    let kinds = RRSeries(file).entries.map { entry in
      if case .gap = entry { "gap" } else { "interval" }
    }
    #expect(kinds == ["interval", "gap", "interval", "gap", "interval"])
    // The same octets twice are one measurement where there was no room for two.
    file.samples[1].isRepeat = true
    #expect(RRSeries(file).entries.count == 3)
  }

  @Test func withoutABeatThereIsNoStart() {
    let id = SessionID(contentOf: [7])
    #expect(text(TCXSamples.assembly([(1, 60)], length: 3)) == "# RR intervals in ms\n# workout \(id)\n")
  }

  /// Programs that date beats in milliseconds tell of beats that follow each other a little apart.
  @Test func whatRoundingComesToIsNoGap() throws {
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(700))
    var beat: Int64 = 1_000_000_000
    for second in 1...600 {
      beat += intervals(1021)[0].nanoseconds
      let rounded = Duration.milliseconds((beat + 500_000) / 1_000_000)
      assembly.add(heartRate: 60, intervals: intervals(1021), at: .seconds(second + 1), lastBeat: rounded)
    }
    let series = RRSeries(TCXSamples.file(assembly))
    #expect(series.entries.count == 600)
    let octets = TCXSamples.file(assembly).rr()
    #expect(!String(decoding: octets, as: UTF8.self).contains("gap"))
    let read = try #require(try WorkoutFile.readRR(octets, end: TCXSamples.start).first)
    #expect(read.workout.rrCount == 600)
    #expect(try #require(read.workout.heartRate).covered > .seconds(597))
    // A beat that is missing is one, however short.
    assembly.add(
      heartRate: 60, intervals: intervals(300), at: .seconds(610), lastBeat: .nanoseconds(beat + 600_000_000))
    #expect(RRSeries(TCXSamples.file(assembly)).entries.count == 602)
  }
}
