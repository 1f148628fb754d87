/// A wall-clock time in nanoseconds since 1970-01-01T00:00:00Z, years 1678 to 2261.
///
/// A label for people and files; nothing is ordered or measured by it, because the clock may be set at any moment.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public static func < (a: WallTime, b: WallTime) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// Held within what 64 bits can say.
  public static func + (time: WallTime, span: Duration) -> WallTime {
    WallTime(nanoseconds: time.nanoseconds.addingHeld(span.wholeNanoseconds))
  }

  /// Exact, however far apart the two are.
  public static func - (a: WallTime, b: WallTime) -> Duration {
    .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds)
  }
}

// MARK: - RFC 3339

extension WallTime {
  /// The time as an RFC 3339 date in UTC, with as many decimals (none, three, six or nine) as it needs.
  public var rfc3339: String {
    let perSecond: Int64 = 1_000_000_000
    let seconds = nanoseconds.floorDivided(by: perSecond)
    let remainder = Int(nanoseconds % perSecond)
    let fraction = remainder < 0 ? remainder + 1_000_000_000 : remainder
    let days = seconds.floorDivided(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = CivilDate.date(daysSince1970: Int(days))
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    text += "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if fraction % 1_000_000 == 0 {
      if fraction != 0 { text += ".\(padded(fraction / 1_000_000, 3))" }
    } else if fraction % 1_000 == 0 {
      text += ".\(padded(fraction / 1_000, 6))"
    } else {
      text += ".\(padded(fraction, 9))"
    }
    return text + "Z"
  }

  /// Reads an RFC 3339 date ("2026-11-30T09:10:11.25Z", or with an offset such as "+01:00").
  ///
  /// - Returns: nil where the text is no such date, names a day or hour that does not exist, has more than nine
  ///   decimals, or lies outside the years 1678 to 2261. A leap second (60) is read as the second after it.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), reader.skip("T", or: "t") || reader.skip(" "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
      let second = reader.number(2)
    else { return nil }
    guard (1678...2261).contains(year), (1...12).contains(month),
      (1...CivilDate.daysIn(month: month, year: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0
    if reader.skip(".") {
      guard let digits = reader.fraction(upTo: 9) else { return nil }
      fraction = digits
    }
    var offset = 0
    if !reader.skip("Z", or: "z") {
      let sign: Int
      if reader.skip("+") { sign = 1 } else if reader.skip("-") { sign = -1 } else { return nil }
      guard let hours = reader.number(2), reader.skip(":"), let minutes = reader.number(2), hours < 24, minutes < 60
      else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard reader.isAtEnd else { return nil }
    let days = CivilDate.daysSince1970(year: year, month: month, day: day)
    let seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
    self.init(nanoseconds: seconds * 1_000_000_000 + Int64(fraction))
  }
}

/// The Gregorian calendar without leap seconds, by the era arithmetic of "chrono-Compatible Low-Level Date Algorithms".
private enum CivilDate {
  static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year  // the year begins in March, so that the leap day comes last
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Reads fixed-width decimal fields from the front of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ width: Int) -> Int? {
    guard rest.count >= width else { return nil }
    var value = 0
    for byte in rest.prefix(width) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(width)
    return value
  }

  /// One to `most` digits after a decimal point, as a whole number of 10^-most.
  mutating func fraction(upTo most: Int) -> Int? {
    var value = 0
    var count = 0
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      guard count < most else { return nil }
      value = value * 10 + Int(byte - 0x30)
      count += 1
      rest = rest.dropFirst()
    }
    guard count > 0 else { return nil }
    for _ in count..<most { value *= 10 }
    return value
  }

  mutating func skip(_ scalar: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
    guard let byte = rest.first, byte == UInt8(ascii: scalar) || other.map({ byte == UInt8(ascii: $0) }) ?? false
    else { return false }
    rest = rest.dropFirst()
    return true
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension BinaryInteger {
  fileprivate func floorDivided(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
  }
}
