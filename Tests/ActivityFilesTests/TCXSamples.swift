import Measurements
import Workout

@testable import ActivityFiles

/// Workouts for the tests of text formats.
enum TCXSamples {
  /// 2026-11-30T09:10:11Z.
  static let start = WallTime(nanoseconds: 1_796_029_811_000_000_000)

  static func seconds(_ seconds: Double) -> Duration { .milliseconds(Int64((seconds * 1000).rounded())) }

  /// Heart rates at their seconds, and nothing else.
  static func assembly(
    _ values: [(Double, UInt16)], length: Double, start: WallTime = start
  ) -> WorkoutAssembly {
    var assembly = WorkoutAssembly(start: start, length: seconds(length))
    assembly.activity = .running
    for (second, rate) in values { assembly.add(heartRate: rate, at: seconds(second)) }
    return assembly
  }

  static func file(_ assembly: WorkoutAssembly) -> WorkoutFile { assembly.file(SessionID(contentOf: [7])) }

  /// Twenty minutes at half past each second, two pauses, three laps with stretches between them, and a lost link.
  static func long() -> WorkoutFile {
    var assembly = WorkoutAssembly(start: start + .milliseconds(250), length: seconds(1200.5))
    assembly.activity = .cycling
    assembly.title = WorkoutTitle("Hills & <dales>")
    assembly.notes = "windy\r\n\"cold\"\u{1} ]]>"
    assembly.pauses = [
      .init(start: .seconds(100), end: .seconds(160)), .init(start: seconds(700.125), end: seconds(730.5)),
    ]
    assembly.laps = [
      .init(start: .seconds(10), end: .seconds(300), label: "up"), .init(start: .seconds(300), end: seconds(710.25)),
      .init(start: .seconds(800), end: .seconds(1200)),
    ]
    for second in 0..<1200 where !(400..<450).contains(second) {
      assembly.add(heartRate: UInt16(90 + second * 7 % 80), at: seconds(Double(second) + 0.5))
    }
    assembly.addLoss(at: seconds(403.2))
    assembly.device.name = "Polar H10 12345678"
    assembly.device.information.serial = "12345678"
    assembly.device.information.firmwareRevision = "3.1.1"
    return file(assembly)
  }
}
