import CSystemd
import Glibc
import Measurements

extension EventLoop {
  /// Names this boot of the kernel: 32 lower-case hexadecimal digits, as the journal's `_BOOT_ID` has them.
  ///
  /// $STRAPD_BOOT_ID goes first (with or without dashes), for sandboxes that hide /proc/sys/kernel/random/boot_id and
  /// for tests that play a reboot.
  public static func bootID() throws(EventLoopError) -> String {
    if let given = getenv("STRAPD_BOOT_ID") {
      let text = String(cString: given)
      guard let id = normalisedBootID(text) else {
        throw EventLoopError(.read, "STRAPD_BOOT_ID=\(text)", code: 0, advice: "it must have 32 hexadecimal digits")
      }
      return id
    }
    var id = sd_id128_t()
    let result = sd_id128_get_boot(&id)
    guard result >= 0 else {
      throw EventLoopError(
        .read, "/proc/sys/kernel/random/boot_id", code: -result,
        advice: "let the sandbox show it or set STRAPD_BOOT_ID")
    }
    return withUnsafeBytes(of: id) { Hex.text($0) }
  }

  /// The kernel's random octets, for ids and jitter (getrandom(2)); waits until the pool is seeded, early in a boot.
  public static func randomBytes(_ count: Int) throws(EventLoopError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = bytes.withUnsafeMutableBytes {
        strapd_getrandom($0.baseAddress?.advanced(by: filled), count - filled)
      }
      if result < 0 && errno == EINTR { continue }
      guard result > 0 else { throw EventLoopError(.read, "random octets", code: errno) }
      filled += result
    }
    return bytes
  }

  static func normalisedBootID(_ text: String) -> String? {
    let digits = text.lowercased().filter { $0 != "-" }
    guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return digits
  }
}
