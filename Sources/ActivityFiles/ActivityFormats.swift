import Control
import Measurements
import Workout

// All formats by one door.

extension ActivityFormat {
  /// Which format a file has, by its first octets; nil where it is none that can be read.
  public static func recognised(_ octets: [UInt8]) -> ActivityFormat? {
    if isFIT(octets) { return .fit }
    if BtsnoopReader.recognises(octets) { return .btsnoop }
    if WorkoutFile.isJSON(octets) { return .json }
    if WorkoutFile.isTCX(octets) { return .tcx }
    // Any text that begins with a number, so the last that is asked.
    return WorkoutFile.isRR(octets) ? .rr : nil
  }

  /// The most octets that a file may have to be read at once; a log is read in pieces and may have any number.
  public var largestFile: Int {
    switch self {
    case .fit, .tcx, .csv, .rr: 64 << 20
    case .json: 256 << 20
    case .btsnoop: .max
    }
  }

  /// The workouts in a file.
  ///
  /// - Parameter end: when it was written, for a format that has no date of its own.
  public func read(_ octets: [UInt8], end: WallTime) throws(ActivityFileError) -> [WorkoutFile] {
    switch self {
    case .fit: return try WorkoutFile.workouts(fit: octets)
    case .tcx: return try WorkoutFile.readTCX(octets)
    case .json: return [try WorkoutFile(json: octets)]
    case .rr: return try WorkoutFile.readRR(octets, end: end)
    case .csv: throw ActivityFileError(.csv, "is written and not read: export as json to import it elsewhere")
    case .btsnoop:
      var reader = BtsnoopReader()
      try reader.take(octets)
      return try reader.finish()
    }
  }
}

extension WorkoutFile {
  /// The workout as a file.
  ///
  /// - Parameter secondsEastOfUTC: of the local time when it took place.
  public func octets(as format: ActivityFormat, secondsEastOfUTC: Int) throws(ActivityFileError) -> [UInt8] {
    switch format {
    case .fit: return try fit(secondsEastOfUTC: secondsEastOfUTC)
    case .tcx: return tcx()
    case .csv: return csv()
    case .json: return json()
    case .rr: return rr()
    case .btsnoop: throw ActivityFileError(.btsnoop, "is read and not written")
    }
  }
}
