import Glibc
import Measurements

/// Days of the calendar in the local time of this process.
enum LocalDay {
  /// By how much the local time here was ahead of UTC at a moment, in seconds.
  static func secondsEastOfUTC(at date: WallTime) -> Int {
    var time = time_t(date.nanoseconds / 1_000_000_000)
    var local = tm()
    return localtime_r(&time, &local) == nil ? 0 : local.tm_gmtoff
  }

  /// When a day begins that is written as 2026-11-30; nil where that is no day.
  static func midnight(_ text: String) -> WallTime? {
    let digits = text.utf8.map { $0 == 0x2D ? nil : (0x30...0x39).contains($0) ? Int32($0 - 0x30) : -1 }
    guard digits.count == 10, digits.enumerated().allSatisfy({ ($1 == nil) == ($0 == 4 || $0 == 7) }),
      !digits.contains(-1)
    else { return nil }
    let numbers = digits.split(separator: nil).map { $0.compactMap { $0 }.reduce(0) { $0 * 10 + $1 } }
    // What WallTime can say in nanoseconds, and workouts can have been.
    guard (1970...2200).contains(numbers[0]) else { return nil }
    var day = tm()
    (day.tm_year, day.tm_mon, day.tm_mday, day.tm_isdst) = (numbers[0] - 1900, numbers[1] - 1, numbers[2], -1)
    let seconds = mktime(&day)
    // It takes the 31st of November for the first of December.
    guard day.tm_mon == numbers[1] - 1, day.tm_mday == numbers[2] else { return nil }
    return WallTime(nanoseconds: Int64(seconds) * 1_000_000_000)
  }
}
