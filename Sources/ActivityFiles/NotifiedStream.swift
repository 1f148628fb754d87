import Control
import Measurements
import Workout

/// The values that one handle of one strap has sent.
struct NotifiedStream: Sendable {
  /// A silence longer than this, in microseconds, parts two workouts: it is more than straps are out of reach in one, and
  /// less than lies between two.
  static let longestSilence: Int64 = 600_000_000

  /// Those of one workout.
  struct Stretch: Sendable {
    var start: LogTime
    /// In microseconds since the start.
    var offsets: [Int64] = []
    /// The values one behind the other, and where each ends.
    var octets: [UInt8] = []
    var ends: [Int] = []
    /// In microseconds since the start.
    var losses: [Int64] = []

    var length: Int64 { offsets.last ?? 0 }

    func value(_ index: Int) -> [UInt8] {
      Array(octets[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
  }

  private(set) var stretches: [Stretch] = []
  var shape = HeartRateShape()
  /// When, on the axis, values may have begun to be missing since the last one.
  private var loss: Int64?
  private var dropsSeen = 0

  var valueCount: Int { stretches.reduce(0) { $0 + $1.offsets.count } }

  mutating func forget() { stretches = [] }

  mutating func lose(at time: LogTime) {
    if loss == nil { loss = time.axis }
  }

  mutating func add(_ value: [UInt8], at time: LogTime, drops: LogDrops) {
    if drops.count != dropsSeen, loss == nil { loss = drops.axis }
    dropsSeen = drops.count
    if let last = stretches.last, time.axis - (last.start.axis + last.length) <= Self.longestSilence {
      if let loss { stretches[stretches.count - 1].losses.append(loss - last.start.axis) }
    } else {
      stretches.append(Stretch(start: time))
    }
    loss = nil
    let index = stretches.count - 1
    stretches[index].offsets.append(time.axis - stretches[index].start.axis)
    stretches[index].octets += value
    stretches[index].ends.append(stretches[index].octets.count)
  }
}

extension NotifiedStream.Stretch {
  /// The workout, of measurements by a device.
  func workout(_ device: WorkoutFile.Device) -> WorkoutFile {
    // What comes at the very end does not count, and the last value does.
    var assembly = WorkoutAssembly(
      start: WallTime(nanoseconds: start.date * 1000), length: .microseconds(length) + .milliseconds(1))
    assembly.device = device
    for loss in losses { assembly.addLoss(at: .microseconds(loss)) }
    for (index, offset) in offsets.enumerated() {
      let value = value(index)
      guard let measurement = HeartRateMeasurement(sent: value) else { continue }
      assembly.add(measurement, value, at: .microseconds(offset))
    }
    return assembly.file(id(device.address))
  }

  /// The strap, the start and what was sent with its times make it: the same log gives the same.
  private func id(_ address: StrapAddress?) -> SessionID {
    var digest = SHA256()
    digest.update(Array("btsnoop \(address?.description ?? "") \(start.date)\n".utf8))
    for (index, offset) in offsets.enumerated() {
      digest.update(Array("\(offset) \(Hex.text(value(index)))\n".utf8))
    }
    return SessionID(digest: digest.octets)
  }
}

/// How much of a log is kept, over all straps.
struct Kept: Sendable {
  /// What measurements may have on average: those of the default ATT_MTU have at most 20 octets.
  static let octetsEach = 32

  private(set) var count = 0
  private(set) var octets = 0

  /// - Throws: where it is too much.
  mutating func add(_ value: [UInt8], at offset: Int) throws(ActivityFileError) {
    count += 1
    octets += value.count
    guard count <= WorkoutFile.mostSamples, octets <= WorkoutFile.mostSamples * Self.octetsEach else {
      throw ActivityFileError(.btsnoop, at: offset, "holds more than \(WorkoutFile.mostSamples) measurements")
    }
  }

  mutating func remove(_ stream: NotifiedStream) {
    for stretch in stream.stretches {
      count -= stretch.offsets.count
      octets -= stretch.octets.count
    }
  }
}
