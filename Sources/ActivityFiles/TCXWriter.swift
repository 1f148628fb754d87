import Measurements
import Workout

extension WorkoutFile {
  /// The workout as a Garmin Training Center Database, version 2 (TrainingCenterDatabasev2.xsd).
  ///
  /// A Track is a running interval of a Lap. It has a Trackpoint where it begins, one at each whole second of the wall clock
  /// while a heart rate is fresh, one without a heart rate where the last one is fresh no more, and one at a pause or the end:
  /// programs that know time by Trackpoints alone then find neither more nor less of it. RR intervals have no place in TCX.
  /// By an extension of our own the workout is known again when it comes back.
  public func tcx() -> [UInt8] {
    var writer = TCXWriter(file: self)
    writer.write()
    return writer.octets
  }
}

/// The element by which a workout of ours is known again, in an Activity's Extensions.
enum TCXWorkoutID {
  static let element = "WorkoutId"
  /// Made of the UUID by which our developer fields are known in FIT.
  static let namespace = "urn:uuid:\(UUIDText.text(FITDeveloperField.application))"
}

private struct TCXWriter {
  let file: WorkoutFile
  let holds: [HeldHeartRate]
  let runningIntervals: [(start: Tick, end: Tick)]
  var octets: [UInt8] = []

  init(file: WorkoutFile) {
    self.file = file
    holds = file.heldHeartRates
    // Times have milliseconds, and no two Tracks may meet at one: some programs take the same time twice for an error.
    runningIntervals = file.runningIntervals.reduce(into: []) { joined, next in
      if let last = joined.last, Self.time(last.end, in: file) == Self.time(next.start, in: file) {
        joined[joined.count - 1].end = next.end
      } else {
        joined.append(next)
      }
    }
  }

  private static func time(_ tick: Tick, in file: WorkoutFile) -> String {
    DecimalText.milliseconds(file.date(of: tick))
  }

  private static let namespace = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
  private static let schema = "http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd"

  private mutating func line(_ text: String) {
    octets += text.utf8
    octets.append(UInt8(ascii: "\n"))
  }

  mutating func write() {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    line(
      "<TrainingCenterDatabase xmlns=\"\(Self.namespace)\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
        + " xsi:schemaLocation=\"\(Self.namespace) \(Self.schema)\">")
    line("<Activities>")
    line("<Activity Sport=\"\(sport)\">")
    line("<Id>\(DecimalText.milliseconds(file.workout.start.date))</Id>")
    let stretches = file.lapStretches
    let calories = kilocalories(of: stretches)
    for (stretch, calories) in zip(stretches, calories) { write(stretch, calories) }
    let notes = [file.workout.title?.description, file.workout.notes].compactMap { $0 }.joined(separator: "\n\n")
    if !notes.isEmpty { line("<Notes>\(XMLText.escaped(notes))</Notes>") }
    writeCreator()
    // The schema has room for elements of others here, and programs pass over those that they do not know.
    line("<Extensions>")
    line("<\(TCXWorkoutID.element) xmlns=\"\(TCXWorkoutID.namespace)\">\(file.workout.id)</\(TCXWorkoutID.element)>")
    line("</Extensions>")
    line("</Activity>")
    line("</Activities>")
    line("</TrainingCenterDatabase>")
  }

  /// Of the schema's three; walking is none of them, and what is said to be running is ranked among runs.
  private var sport: String {
    if file.workout.activity == .running { return "Running" }
    return [.cycling, .handCycling].contains(file.workout.activity) ? "Biking" : "Other"
  }

  private mutating func write(_ lap: LapStretch, _ calories: Int) {
    let summary = lap.summary
    line("<Lap StartTime=\"\(DecimalText.milliseconds(file.date(of: lap.interval.start.tick)))\">")
    line("<TotalTimeSeconds>\(DecimalText.seconds(summary.elapsed))</TotalTimeSeconds>")
    // Demanded, and not known.
    line("<DistanceMeters>0</DistanceMeters>")
    line("<Calories>\(calories)</Calories>")
    if let heartRate = summary.heartRate {
      write(heartRate: Self.octet(heartRate.average.rounded()), as: "AverageHeartRateBpm")
      write(heartRate: Self.octet(Double(heartRate.maximum)), as: "MaximumHeartRateBpm")
    }
    line("<Intensity>Active</Intensity>")
    line("<TriggerMethod>Manual</TriggerMethod>")
    for running in runningIntervals {
      let start = max(running.start, lap.interval.start.tick)
      let end = min(running.end, lap.interval.end.tick)
      if end > start { writeTrack(from: start, to: end, isPauseOrEnd: end == running.end) }
    }
    if let label = lap.interval.label, !label.isEmpty { line("<Notes>\(XMLText.escaped(label))</Notes>") }
    line("</Lap>")
  }

  /// Of each stretch, so that they come to the whole workout's: programs add them up.
  private func kilocalories(of stretches: [LapStretch]) -> [Int] {
    let energies = stretches.map { max(0, $0.summary.energyKilojoules ?? 0) }
    let sum = energies.reduce(0, +)
    guard sum > 0 else {
      // What is known of the whole alone stands where it ends.
      let last = Self.kilocalories(file.workout.summary.energyKilojoules)
      return stretches.dropLast().map { _ in 0 } + [last]
    }
    let total = Self.kilocalories(file.workout.summary.energyKilojoules ?? sum)
    var (energy, told) = (0, 0)
    return energies.map { next in
      energy += next
      let upTo = Int((Double(total) * (Double(energy) / Double(sum))).rounded())
      defer { told = upTo }
      return upTo - told
    }
  }

  /// 0 where it is not known: the element is demanded, and holds 16 bits.
  private static func kilocalories(_ kilojoules: Int?) -> Int {
    guard let kilojoules, kilojoules > 0 else { return 0 }
    return Int(min(65_535, (Double(kilojoules) / 4.184).rounded()))
  }

  /// nil where the schema has no room for it.
  private static func octet(_ heartRate: Double) -> UInt8? {
    (1...255).contains(heartRate) ? UInt8(heartRate) : nil
  }

  private mutating func write(heartRate: UInt8?, as element: String) {
    if let heartRate { line("<\(element)><Value>\(heartRate)</Value></\(element)>") }
  }
}

// MARK: - Tracks

extension TCXWriter {
  /// - Parameter isPauseOrEnd: whether nothing runs behind it; else the next lap's Track goes on at its end.
  private mutating func writeTrack(from start: Tick, to end: Tick, isPauseOrEnd: Bool) {
    var points = [HeartRatePoint(tick: start, heartRate: nil)]
    for index in holds[firstHold(endingAfter: start)...].indices {
      let hold = holds[index]
      guard hold.start < end else { break }
      if hold.start <= start { points[0].heartRate = hold.heartRate }
      file.forEachWholeSecond(from: max(hold.start, start), to: min(hold.end, end)) { tick in
        points.append(HeartRatePoint(tick: tick, heartRate: hold.heartRate))
      }
      let goesOn = index + 1 < holds.count && holds[index + 1].start == hold.end
      if !goesOn, hold.end < end { points.append(HeartRatePoint(tick: hold.end, heartRate: nil)) }
      if isPauseOrEnd, hold.end >= end { points.append(HeartRatePoint(tick: end, heartRate: hold.heartRate)) }
    }
    if isPauseOrEnd { points.append(HeartRatePoint(tick: end, heartRate: nil)) }
    line("<Track>")
    var last: String?
    for point in points {
      let time = DecimalText.milliseconds(file.date(of: point.tick))
      // A whole second may be the beginning as well, and the same time twice is an error to some programs.
      if time == last { continue }
      last = time
      write(point, time)
    }
    line("</Track>")
  }

  private mutating func write(_ point: HeartRatePoint, _ time: String) {
    guard let heartRate = point.heartRate.flatMap({ Self.octet(Double($0)) }) else {
      return line("<Trackpoint><Time>\(time)</Time></Trackpoint>")
    }
    line("<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(heartRate)</Value></HeartRateBpm></Trackpoint>")
  }

  private func firstHold(endingAfter tick: Tick) -> Int {
    var (low, high) = (0, holds.count)
    while low < high {
      let middle = (low + high) / 2
      if holds[middle].end > tick { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - The strap

extension TCXWriter {
  /// A Device_t is complete or not there: name, unit, product and version, 0 where the strap says nothing of them.
  private mutating func writeCreator() {
    let information = file.device.information
    let made = [information.manufacturer, information.model].compactMap { $0 }.joined(separator: " ")
    let name = (file.device.name ?? made).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if name.isEmpty { return }
    let revision = (information.firmwareRevision ?? "").split(separator: ".").map { UInt16($0) }
    let isVersion = (2...4).contains(revision.count) && !revision.contains(nil)
    let version = isVersion ? revision.compactMap { $0 } : [0, 0]
    line("<Creator xsi:type=\"Device_t\">")
    line("<Name>\(XMLText.escaped(name))</Name>")
    line("<UnitId>\(information.serial.flatMap { UInt32($0) } ?? 0)</UnitId>")
    line("<ProductID>0</ProductID>")
    line("<Version>")
    for (element, number) in zip(["VersionMajor", "VersionMinor", "BuildMajor", "BuildMinor"], version) {
      line("<\(element)>\(number)</\(element)>")
    }
    line("</Version>")
    line("</Creator>")
  }
}
