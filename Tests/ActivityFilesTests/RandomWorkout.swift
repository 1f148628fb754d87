import Control
import Measurements
import TestSupport
import Workout

@testable import ActivityFiles

/// A workout with pauses, laps, losses and odd samples, and what was put into it.
struct RandomWorkout {
  var file: WorkoutFile
  var assembly: WorkoutAssembly
  var samples: [Sample] = []
  var losses: [Duration] = []
  private let wild: Bool

  struct Sample {
    var offset: Duration
    var heartRate: UInt16
    var contact: SensorContact
    var intervals: [RRInterval]
    var energy: UInt16?
  }

  /// - Parameter wild: with heart rates that one octet does not hold.
  init(seed: UInt64, wild: Bool = true) {
    self.wild = wild
    var random = SeededRandom(seed)
    // Fractions of a second that are no whole milliseconds, as clocks give them.
    let start = WallTime(nanoseconds: 1_790_000_000_000_000_000 + Int64(random.next(below: 4_000_000_000)))
    let length =
      Duration.milliseconds(30_000 + random.next(below: 400_000)) + .nanoseconds(random.next(below: 1_000_000))
    assembly = WorkoutAssembly(start: start, length: length)
    assembly.activity = ActivityType.allCases[random.next(below: ActivityType.allCases.count)]
    assembly.location = LocationType.allCases[random.next(below: LocationType.allCases.count)]
    if random.next(below: 2) == 0 { assembly.title = WorkoutTitle("Lauf № \(seed) – früh") }
    if random.next(below: 2) == 0 { assembly.zones = HeartRateZones(text: "110 130 150 170") }
    assembly.device = Self.device(&random)
    assembly.pauses = Self.stretches(&random, within: length, 5)
    assembly.laps = Self.stretches(&random, within: length, 8)
    for index in assembly.laps.indices where random.next(below: 2) == 0 { assembly.laps[index].label = "lap \(index)" }
    file = assembly.file(SessionID(contentOf: [UInt8(truncatingIfNeeded: seed)]))
    addSamples(&random, length)
    file = assembly.file(SessionID(contentOf: [UInt8(truncatingIfNeeded: seed), 7]))
  }

  private mutating func addSamples(_ random: inout SeededRandom, _ length: Duration) {
    var energy: UInt16 = 100
    var rate = 120
    var at = Duration.milliseconds(random.next(below: 3000))
    while at < length + .seconds(20) {
      rate = min(max(rate + random.next(below: 9) - 4, 50), 210)
      var sample = Sample(offset: at, heartRate: UInt16(rate), contact: .detected, intervals: [])
      switch random.next(below: 40) {
      case 0 where wild: sample.heartRate = UInt16(255 + random.next(below: 100))
      case 1: sample.heartRate = 0
      case 2: sample.contact = .notDetected
      case 3: sample.contact = .unknown
      case 4:
        energy += UInt16(random.next(below: 5))
        sample.energy = energy
      default: break
      }
      let count = random.next(below: 20) == 0 ? 9 : random.next(below: 4)
      sample.intervals = (0..<count).map { _ in
        RRInterval(ticks1024: random.next(below: 50) == 0 ? 0 : UInt16(1 + random.next(below: 2500)))
      }
      assembly.add(
        heartRate: sample.heartRate, intervals: sample.intervals, contact: sample.contact,
        energyKilojoules: sample.energy, at: at)
      samples.append(sample)
      switch random.next(below: 30) {
      case 0: at += .milliseconds(20)
      case 1:
        let loss = at + .milliseconds(100 + random.next(below: 1000)) + .nanoseconds(random.next(below: 999_999))
        losses.append(loss)
        assembly.addLoss(at: loss)
        at = loss + .milliseconds(100 + random.next(below: 5000))
      case 2: at += .milliseconds(5000 + random.next(below: 30_000))
      default: at += .milliseconds(800 + random.next(below: 400)) + .nanoseconds(random.next(below: 999_999))
      }
    }
  }

  private static func device(_ random: inout SeededRandom) -> WorkoutFile.Device {
    var device = WorkoutFile.Device()
    guard random.next(below: 3) > 0 else { return device }
    device.name = "Strap 12345678"
    device.address = StrapAddress("F0:F1:F2:F3:F4:F5")
    device.information.manufacturer = ["Polar Electro Oy", "Nobody's", "wahoo"][random.next(below: 3)]
    device.information.model = "H10"
    device.information.serial = ["0012345", "AB-17"][random.next(below: 2)]
    device.information.firmwareRevision = "3.1.1"
    device.battery = BatteryLevel(percent: UInt8(random.next(below: 101)))
    return device
  }

  /// Apart from each other or next to each other, each of at least 5 ms.
  private static func stretches(
    _ random: inout SeededRandom, within length: Duration, _ most: Int
  ) -> [WorkoutAssembly.Stretch] {
    var bounds = (0..<(2 * random.next(below: most))).map { _ in
      Duration.nanoseconds(random.next(below: Int(length.wholeNanoseconds)))
    }.sorted()
    if bounds.count >= 4, random.next(below: 2) == 0 { bounds[2] = bounds[1] }
    if bounds.count >= 2, random.next(below: 4) == 0 { bounds[bounds.count - 1] = length }
    return stride(from: 0, to: bounds.count, by: 2).map { index in
      WorkoutAssembly.Stretch(start: bounds[index], end: bounds[index + 1])
    }.filter { $0.end - $0.start > .milliseconds(5) && $0.start > .zero }
  }
}

// MARK: - What a file is to tell of it, by its rules and not by what the writer uses

extension RandomWorkout {
  func isRunning(at offset: Duration) -> Bool {
    offset < assembly.length && !assembly.pauses.contains { $0.start <= offset && offset < $0.end }
  }

  /// The samples of running time, before any stretch that begins at their moment ends it.
  var counted: [Sample] { samples.filter { isRunning(at: $0.offset) } }

  /// Whether what holds at one moment goes on holding at a later one.
  private func holds(_ sample: Sample, until offset: Duration) -> Bool {
    guard offset - sample.offset < .seconds(10) else { return false }
    let isCut =
      losses.contains { $0 > sample.offset && $0 <= offset }
      || assembly.pauses.contains { $0.start > sample.offset && $0.start <= offset }
      || counted.contains { $0.offset > sample.offset && $0.offset <= offset && $0.contact == .notDetected }
    return !isCut
  }

  struct Shown {
    /// Seconds since 1970.
    var second: Int64
    var sample: Sample
  }

  /// What is shown at each whole second.
  var shown: [Shown] {
    let start = assembly.start.nanoseconds
    let first = (start + 999_999_999) / 1_000_000_000
    let last = (start + assembly.length.wholeNanoseconds) / 1_000_000_000
    let rates = counted.filter { $0.heartRate > 0 && $0.contact != .notDetected }
    return (first...last).compactMap { second in
      let offset = Duration.nanoseconds(second * 1_000_000_000 - start)
      guard isRunning(at: offset), let sample = rates.last(where: { $0.offset <= offset }),
        holds(sample, until: offset)
      else { return nil }
      return Shown(second: second, sample: sample)
    }
  }

  /// Intervals of running time that are beats, in milliseconds.
  var intervals: [Int] {
    counted.filter { $0.contact != .notDetected }.flatMap(\.intervals).filter { $0.ticks1024 > 0 }.map {
      Int($0.milliseconds.rounded())
    }
  }
}
