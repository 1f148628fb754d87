import Measurements
import Workout

/// An Activity of a Training Center Database, and how it becomes a workout.
///
/// A Lap's TotalTimeSeconds is time that ran. Where it is less than the time from the Lap's start to that of the next one,
/// the rest was paused, and is laid where nothing is recorded: between Tracks first, which is how the format says that
/// a pause was, then between Trackpoints that are further apart than a heart rate holds; the longest first. Each
/// pause ends where the recording goes on. Without a TotalTimeSeconds all such gaps between Tracks are pauses.
struct TCXActivity {
  /// Where this project has written it.
  var id: SessionID?
  var sport = ""
  var notes: String?
  var laps: [Lap] = []
  /// In the order of the file.
  var points: [Point] = []
  var hasHeartRate = false

  struct Lap {
    var start: WallTime?
    /// How long it ran; nil where the file does not say.
    var total: Duration?
    var notes: String?
    var points = 0..<0
  }

  struct Point {
    var time = WallTime(nanoseconds: 0)
    /// Beats a minute, 0 for none.
    var heartRate: UInt8 = 0
    var beginsTrack = false
  }

  /// A longer one is made of a clock that was set, or of nothing.
  private static let longest = Duration.seconds(30 * 86_400)
  /// Times are often whole seconds where totals are not.
  private static let tolerance = Duration.seconds(1)
  /// So many a workout may have of which each heart rate holds for no more than a Trackpoint.
  private static let mostEnds = 10

  /// The workout.
  ///
  /// - Throws: where its times are further apart than a workout lasts.
  func file(_ id: SessionID) throws(ActivityFileError) -> WorkoutFile {
    let laps = datedLaps
    let sorted = points.sorted { $0.time < $1.time }
    let starts = laps.map(\.start) + sorted.prefix(1).map(\.time)
    guard let start = starts.min(), let last = sorted.last?.time else {
      throw ActivityFileError(.tcx, "has an activity without a time")
    }
    var end = laps.last.map { max(last, $0.start) } ?? last
    guard end - start <= Self.longest else {
      throw ActivityFileError(.tcx, "has an activity from \(start.rfc3339) to \(end.rfc3339): longer than 30 days")
    }
    if let lap = laps.last, let total = lap.lap.total, total <= Self.longest { end = max(end, lap.start + total) }

    var assembly = WorkoutAssembly(start: start, length: end - start)
    assembly.activity = activity
    assembly.notes = notes
    for (index, lap) in laps.enumerated() {
      let lapEnd = index + 1 < laps.count ? laps[index + 1].start : end
      guard lapEnd > lap.start else { continue }
      for pause in pauses(of: lap.lap, from: lap.start, to: lapEnd) {
        add(.init(start: pause.lowerBound - start, end: pause.upperBound - start), to: &assembly)
      }
      // The one Lap that there must be is the whole workout.
      if laps.count > 1 || lap.lap.notes != nil {
        assembly.laps.append(.init(start: lap.start - start, end: lapEnd - start, label: lap.lap.notes))
      }
    }
    addHeartRates(of: sorted, from: start, to: &assembly)
    return assembly.file(id)
  }

  /// A Trackpoint without a heart rate says that there was none, unless another of its time has one.
  private func addHeartRates(of sorted: [Point], from start: WallTime, to assembly: inout WorkoutAssembly) {
    var holds = false
    var before: WallTime?
    var ends: [WallTime] = []
    var count = 0
    for (index, point) in sorted.enumerated() where point.time != before {
      let heartRate = sorted[index...].prefix { $0.time == point.time }.first { $0.heartRate > 0 }?.heartRate
      before = point.time
      if let heartRate {
        assembly.add(heartRate: UInt16(heartRate), at: point.time - start)
        count += 1
      } else if holds {
        ends.append(point.time)
      }
      holds = heartRate != nil
    }
    // Where most heart rates are followed by a place without one, the places are points of their own.
    if ends.count > Self.mostEnds, ends.count > count / 2 { return }
    for end in ends { assembly.addLoss(at: end - start) }
  }

  /// By their starts; one that does not say when it began did with its first Trackpoint.
  private var datedLaps: [(lap: Lap, start: WallTime)] {
    var dated: [(lap: Lap, start: WallTime)] = []
    for lap in laps {
      if let start = lap.start ?? points[lap.points].first?.time { dated.append((lap, start)) }
    }
    return dated.sorted { $0.start < $1.start }
  }

  /// Beside the schema's three there are programs that write others, most of them as HealthKit calls them.
  private var activity: ActivityType {
    switch sport.lowercased() {
    case "running": .running
    case "biking": .cycling
    case let name: ActivityType(rawValue: name) ?? .other
    }
  }

  /// Two that meet, one at the end of a lap and one at the beginning of the next, are one.
  private func add(_ pause: WorkoutAssembly.Stretch, to assembly: inout WorkoutAssembly) {
    if let last = assembly.pauses.indices.last, assembly.pauses[last].end == pause.start {
      assembly.pauses[last].end = pause.end
    } else {
      assembly.pauses.append(pause)
    }
  }
}

// MARK: - Pauses

extension TCXActivity {
  private struct Gap {
    var start: WallTime
    var end: WallTime
    var isBetweenTracks: Bool

    var length: Duration { end - start }
  }

  /// The pauses of a lap, ascending.
  private func pauses(of lap: Lap, from start: WallTime, to end: WallTime) -> [Range<WallTime>] {
    let gaps = gaps(of: lap, from: start, to: end)
    guard let total = lap.total else {
      let long = gaps.filter { $0.isBetweenTracks && $0.length > HeartRateStatistics.longestHold }
      return long.map { $0.start..<$0.end }
    }
    var missing = (end - start) - total
    guard missing >= Self.tolerance else { return [] }
    var pauses: [Range<WallTime>] = []
    let likely = gaps.filter { $0.isBetweenTracks || $0.length > HeartRateStatistics.longestHold }
    for gap in likely.sorted(by: { ($0.isBetweenTracks ? 0 : 1, $1.length) < ($1.isBetweenTracks ? 0 : 1, $0.length) })
    {
      guard missing > .zero else { break }
      let length = min(missing, gap.length)
      pauses.append((gap.end + (.zero - length))..<gap.end)
      missing -= length
    }
    return pauses.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Where a lap has no Trackpoint.
  private func gaps(of lap: Lap, from start: WallTime, to end: WallTime) -> [Gap] {
    let range = start...end
    var gaps: [Gap] = []
    var before = start
    func add(to time: WallTime, isBetweenTracks: Bool) {
      if time > before { gaps.append(Gap(start: before, end: time, isBetweenTracks: isBetweenTracks)) }
      before = time
    }
    for point in points[lap.points].sorted(by: { $0.time < $1.time }) where range.contains(point.time) {
      add(to: point.time, isBetweenTracks: point.beginsTrack)
    }
    add(to: end, isBetweenTracks: true)
    return gaps
  }
}
