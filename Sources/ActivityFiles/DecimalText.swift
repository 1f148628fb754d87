import Measurements

/// Numbers and times as files of text hold them: with a decimal point, whatever the language of the machine.
enum DecimalText {
  /// Nanoseconds as seconds, with as many decimals as it takes to be exact.
  static func seconds(_ duration: Duration) -> String {
    scaled(duration.wholeNanoseconds, decimals: 9)
  }

  /// A whole number of 10^-decimals, without zeros at the end.
  static func scaled(_ value: Int64, decimals: Int) -> String {
    let digits = Array(String(value.magnitude).utf8)
    let padded = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 ? "-" : ""
    let whole = String(decoding: padded[..<(padded.count - decimals)], as: UTF8.self)
    var fraction = padded[(padded.count - decimals)...]
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    return fraction.isEmpty ? sign + whole : "\(sign)\(whole).\(String(decoding: fraction, as: UTF8.self))"
  }

  /// The interval in milliseconds, exact: a tick is 125/128 ms, whose multiples have seven decimals at most.
  static func milliseconds(_ interval: RRInterval) -> String {
    scaled(Int64(interval.ticks1024) * 9_765_625, decimals: 7)
  }

  /// A date with three decimals, always: readers that know one form only can read a whole file.
  static func milliseconds(_ time: WallTime) -> String {
    let perMillisecond: Int64 = 1_000_000
    let remainder = time.nanoseconds % perMillisecond
    let past = remainder < 0 ? remainder + perMillisecond : remainder
    let text = (time + .nanoseconds(-past)).rfc3339
    return text.utf8.contains(UInt8(ascii: ".")) ? text : "\(text.dropLast()).000Z"
  }
}
