import Foundation
import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

/// What is written, read by three readers that nobody here wrote: the vendor's, fitdecode and fitparse.
@Suite struct FITReadersTests {
  /// A line of Python/fit_read.py.
  private struct Told: Decodable {
    var reader: String
    /// Whether it found the file whole: its checksums right, and no error.
    var whole: Bool
    /// Time, heart rate, skin contact, and the heart rate that one octet does not hold.
    var records: [[Int?]]
    var rr: [Int]
    var timer: [[Field]]
    var laps: [[Field]]
    var sessions: [[Field]]
    var zones: [[Field]]
    var strap: [[Field]]
    var activity: [Int]
    var order: [String]
  }

  /// A number, a text, or nothing.
  private enum Field: Decodable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    case number(Int)
    case text(String)
    case none

    init(integerLiteral value: Int) { self = .number(value) }

    init(stringLiteral value: String) { self = .text(value) }

    init(_ value: Int?) { self = value.map { .number($0) } ?? .none }

    init(_ value: String?) { self = value.map { .text($0) } ?? .none }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .none
      } else if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private static let seeds = (101...112).map(UInt64.init)

  private static func milliseconds(_ span: Duration) -> Int {
    Int((span.wholeNanoseconds + 500_000) / 1_000_000)
  }

  private func told(_ workouts: [RandomWorkout]) throws -> [[Told]] {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (index, workout) in workouts.enumerated() {
      paths.append(folder.file("\(index).fit"))
      try PythonProgram.write(try workout.file.fit(secondsEastOfUTC: 3600), to: paths[index])
    }
    let output = try PythonProgram.output("fit_read.py", paths)
    let lines = try output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Told.self, from: Data(line.utf8))
    }
    try #require(lines.count == 3 * workouts.count)
    return workouts.indices.map { index in (0..<3).map { lines[$0 * workouts.count + index] } }
  }

  @Test func threeReadersReadWhatWasMeant() throws {
    let workouts = Self.seeds.map { RandomWorkout(seed: $0) }
    for (workout, lines) in zip(workouts, try told(workouts)) {
      #expect(lines.map(\.reader) == ["garmin", "fitdecode", "fitparse"])
      for told in lines {
        try expectRecords(told, workout)
        try expectSummaries(told, workout)
        expectStrap(told, workout)
      }
    }
  }

  private func expectRecords(_ told: Told, _ workout: RandomWorkout) throws {
    #expect(told.whole, "\(told.reader)")
    let records = workout.shown.map { shown -> [Int?] in
      let rate = Int(shown.sample.heartRate)
      let contact = shown.sample.contact == .detected ? 1 : nil
      return [Int(shown.second), rate < 255 ? rate : nil, contact, rate < 255 ? nil : rate]
    }
    #expect(told.records == records, "\(told.reader)")
    #expect(told.rr == workout.intervals, "\(told.reader)")
    #expect(told.rr.count == workout.file.workout.rrCount)
    let starts = told.timer.filter { $0.last == "start" }
    let stops = told.timer.filter { $0.last == "stop_all" }
    #expect(starts.count + stops.count == told.timer.count)
    #expect(told.timer.first == [Field(second(workout.file, workout.file.workout.start.tick)), "start"])
    #expect(told.timer.last == [Field(second(workout.file, workout.file.workout.end.tick)), "stop_all"])
    let pauses = workout.assembly.pauses
    let resumed = pauses.filter { $0.end < workout.assembly.length }.map { pause in
      Field(second(workout.file, workout.file.workout.start.tick + pause.end))
    }
    let paused = pauses.map { Field(second(workout.file, workout.file.workout.start.tick + $0.start)) }
    #expect(starts.dropFirst().compactMap(\.first) == resumed)
    #expect(stops.dropLast().compactMap(\.first) == paused)
  }

  private func second(_ file: WorkoutFile, _ tick: Tick) -> Int {
    Int(file.date(of: tick).nanoseconds / 1_000_000_000)
  }

  private func expectSummaries(_ told: Told, _ random: RandomWorkout) throws {
    let (file, workout) = (random.file, random.file.workout)
    let wall = Self.milliseconds(workout.end.tick - workout.start.tick)
    let timer = Self.milliseconds(workout.elapsed)
    let session = try #require(told.sessions.first)
    #expect(told.sessions.count == 1)
    #expect(session[0] == Field(second(file, workout.start.tick)))
    #expect(Array(session[1...2]) == [Field(wall), Field(timer)], "\(told.reader)")
    let rate = try #require(workout.heartRate)
    #expect(session[3] == Field(Int(rate.average.rounded())))
    #expect(session[4] == Field(rate.maximum < 255 ? Int(rate.maximum) : nil))
    #expect(session[5] == Field(Int(rate.minimum)))
    #expect(session[6] == Field(workout.energyKilojoules.map { Int((Double($0) / 4.184).rounded()) }))
    #expect(session[7] == Field(told.laps.count))
    #expect(session[10] == Field(workout.id.description))
    #expect(session[11] == Field(workout.title?.description))
    #expect(session[12] == Field(workout.rrCount))
    #expect(told.activity == [second(file, workout.end.tick), timer, 1])
    #expect(told.zones.count == (workout.zones == nil ? 0 : told.laps.count + 1))
    if workout.zones != nil, let zones = told.zones.last {
      #expect(zones == ["session", 0] + rate.timeInZones.map { Field(Self.milliseconds($0)) })
    }
    // The laps lie one behind the other, and each has a length.
    #expect(sum(told.laps, 1) == wall)
    #expect(sum(told.laps, 2) == timer)
    for lap in told.laps { #expect(lap[1] != 0) }
    let taken = workout.laps.map { Field(Self.milliseconds($0.interval.end.tick - $0.interval.start.tick)) }
    let labels = told.laps.map { $0[7] }.filter { $0 != .none }
    #expect(labels == workout.laps.compactMap(\.interval.label).map { Field($0) })
    #expect(told.laps.count >= max(1, taken.count) && told.laps.count <= 2 * taken.count + 1)
    let expected = ["file_id", "file_creator", "developer_data_id", "field_description", "device_info", "event"]
    #expect(Array(told.order.prefix(6)) == expected)
    #expect(Array(told.order.suffix(2)) == ["session", "activity"])
  }

  private func sum(_ laps: [[Field]], _ place: Int) -> Int {
    laps.reduce(0) { sum, lap in
      if case .number(let value) = lap[place] { sum + value } else { sum }
    }
  }

  private func expectStrap(_ told: Told, _ random: RandomWorkout) {
    let device = random.file.device
    let numbers = ["Polar Electro Oy": "polar_electro", "wahoo": "wahoo_fitness"]
    let expected: [Field] = [
      Field(device.information.model), Field(device.information.serial.flatMap { Int($0) }),
      Field(device.battery.map { Int($0.percent) }), "bluetooth_low_energy", Field(device.information.manufacturer),
      Field(device.address?.description), Field(numbers[device.information.manufacturer ?? ""] ?? "development"),
    ]
    #expect(told.strap == [expected], "\(told.reader)")
  }
}
