import Control
import Glibc
import Measurements

/// How text for people is written here: the same reply and style always give the same text.
struct TextStyle: Sendable {
  /// Whether the terminal shows more than ASCII.
  var isUTF8: Bool
  /// A time by the clock on the wall.
  var local: @Sendable (WallTime) -> LocalTime

  /// By the locale and time zone that this process was started with.
  static var ofThisProcess: TextStyle {
    let codeset = nl_langinfo(Int32(CODESET)).map { String(cString: $0) }
    return TextStyle(isUTF8: codeset == "UTF-8", local: LocalTime.init)
  }

  var heart: String { isUTF8 ? "♥" : "HR" }
  var arrow: String { isUTF8 ? "→" : "->" }

  /// "2026-11-30 09:10:11", or the text as it came where it is no date.
  func dateAndTime(_ rfc3339: String?) -> String? {
    reading(rfc3339) { "\($0.date) \($0.time)" }
  }

  /// "2026-11-30 09:10".
  func dateAndMinute(_ rfc3339: String?) -> String? {
    reading(rfc3339) { "\($0.date) \($0.time.prefix(5))" }
  }

  /// "09:10:11".
  func time(_ rfc3339: String?) -> String? {
    reading(rfc3339) { $0.time }
  }

  /// "09:10:11.250".
  func timeWithMilliseconds(_ rfc3339: String?) -> String? {
    reading(rfc3339) { "\($0.time).\(padded($0.millisecond, 3))" }
  }

  private func reading(_ rfc3339: String?, _ write: (LocalTime) -> String) -> String? {
    rfc3339.map { text in WallTime(rfc3339: text).map { write(local($0)) } ?? text.printable }
  }
}

/// A time by the clock on the wall.
struct LocalTime: Equatable, Sendable {
  var year, month, day, hour, minute, second, millisecond: Int

  /// By the process's time zone, $TZ or /etc/localtime.
  init(_ time: WallTime) {
    let nanoseconds = time.nanoseconds
    // Rounded down, before 1970 as well.
    var seconds = time_t(nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds + 1) / 1_000_000_000 - 1)
    let fraction = nanoseconds - Int64(seconds) * 1_000_000_000
    var parts = tm()
    localtime_r(&seconds, &parts)
    self.init(parts, millisecond: Int(fraction / 1_000_000))
  }

  init(_ parts: tm, millisecond: Int) {
    year = Int(parts.tm_year) + 1900
    month = Int(parts.tm_mon) + 1
    (day, hour, minute, second) = (Int(parts.tm_mday), Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
    self.millisecond = millisecond
  }

  var date: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
  var time: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }
}

/// A number with zeros in front.
func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
