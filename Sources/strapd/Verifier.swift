import Glibc
import Store
import Workout

/// `strapd --verify`: looks through the store and says what is wrong, a line a finding, and in the last line what there is.
///
/// A process of its own, with a connection for reading alone: SQLite's check of a whole file cannot be done in steps, and the
/// daemon's loop waits for nothing.
enum Verifier {
  private static let isSound: Int32 = 0
  private static let isNotSound: Int32 = 1
  private static let couldNotCheck: Int32 = 2

  /// - Returns: the exit status.
  static func run(path: String) -> Int32 {
    // Whatever else there is to do goes first. Where that is refused, it is done all the same.
    _ = nice(19)
    do {
      let summary = try Verification.run(path: path, tell: say)
      say("\(summary)")
      return summary.findings == 0 ? isSound : isNotSound
    } catch {
      say("\(path) could not be checked: \(error)")
      return couldNotCheck
    }
  }

  /// At once, since somebody reads along; who does not any more has ended it by SIGPIPE.
  private static func say(_ line: String) {
    var rest = Array((line.split(separator: "\n").joined(separator: " ") + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(couldNotCheck) }
      rest = rest.dropFirst(count)
    }
  }
}
