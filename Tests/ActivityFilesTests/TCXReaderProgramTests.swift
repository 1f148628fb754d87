import Measurements
import Testing
import Workout

@testable import ActivityFiles

/// A TCX as a reader sees it that nobody here wrote: PyPI's tcxreader. It passes over TotalTimeSeconds, so that these are read
/// beside it by Python's own XML parser.
@Suite struct TCXReaderProgramTests {
  @Test func tcxreaderReadsTheSame() throws {
    var file = TCXSamples.long()
    file.workout.laps[0].summary.energyKilojoules = 418
    let lines = try PythonProgram.lines("tcx_read.py", of: file.tcx())

    let maximum = try #require(file.workout.heartRate?.maximum)
    #expect(lines[0] == "sport Biking 100 \(maximum)")

    let laps = file.lapStretches
    let read = lines.filter { $0.hasPrefix("lap") }.map { $0.split(separator: " ").map(String.init) }
    #expect(read.map { $0[1] } == ["0", "100", "0", "0", "0", "0"])
    #expect(read.map { $0[2] } == [String](repeating: "0", count: 6))

    // Each whole second with its heart rate, and nothing else that has one but beginnings and ends.
    let points = lines.filter { $0.hasPrefix("point") }.map { $0.split(separator: " ").map(String.init) }
    let whole = points.filter { $0[1].hasSuffix(".000") && $0[2] != "None" }.map { "\($0[1]) \($0[2])" }
    let expected = file.heartRateSecondBySecond.map { point in
      let time = file.date(of: point.tick).rfc3339.dropLast()
      return "\(time).000 \(point.heartRate.map(String.init) ?? "None")"
    }
    #expect(whole == expected)
    #expect(whole.count > 1000)
    #expect(points.map { $0[1] } == points.map { $0[1] }.sorted())
    #expect(Set(points.map { $0[1] }).count == points.count)

    let totals = lines.filter { $0.hasPrefix("total") }.map { $0.split(separator: " ").map(String.init) }
    #expect(totals.compactMap { Double($0[2]) } == laps.map(\.summary.elapsed.inSeconds))
    #expect(
      totals.map { WallTime(rfc3339: $0[1]) } == laps.map { Optional(file.date(of: $0.interval.start.tick)) })
  }
}
