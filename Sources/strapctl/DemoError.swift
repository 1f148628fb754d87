import Glibc

/// Why the demo did not come to its end.
enum DemoError: Error, Equatable {
  /// A program that is not there, and where it comes from.
  case missing(String, String)
  case folder(String, code: Int32)
  case cannotStart(String, code: Int32)
  /// A program of the demo ended by itself.
  case ended(String, String, log: String)
  case notReady(String, Duration, log: String)
  /// Something did not happen in time.
  case late(String, Duration)
  case nothingCounted
  /// ^C or a signal.
  case interrupted
}

extension DemoError: CustomStringConvertible {
  var description: String {
    switch self {
    case .missing(let path, let origin): "the demo needs \(path): \(origin)"
    case .folder(let path, let code): "the demo cannot make \(path) (\(Self.text(code))): is there room?"
    case .cannotStart(let path, let code): "the demo cannot start \(path) (\(Self.text(code)))"
    case .ended(let name, let how, let log): "\(name) ended in the middle of the demo (\(how))\(Self.quote(log))"
    case .notReady(let name, let limit, let log): "\(name) is not ready after \(limit.inWords)\(Self.quote(log))"
    case .late(let what, let limit): "\(what) did not come within \(limit.inWords)"
    case .nothingCounted: "the workout was saved without a single counted sample"
    case .interrupted: "the demo was interrupted, and has left nothing behind"
    }
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

  private static func quote(_ log: String) -> String {
    log.isEmpty
      ? ", without a word" : "; it said:\n\(log.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))"
  }
}
