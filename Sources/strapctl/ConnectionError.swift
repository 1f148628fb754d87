import Glibc
import Measurements

/// Why strapd could not be spoken to: what was tried, on which socket, and what came back.
struct ConnectionError: Error, Equatable {
  enum Operation: Equatable {
    case connect, send, receive
  }

  enum Cause: Equatable {
    /// An errno.
    case system(Int32)
    /// The path does not fit a unix socket's address.
    case longPath
    case timedOut(Duration)
    /// The other side closed the connection.
    case closed
    /// What came back is not varlink.
    case nonsense
    /// This program, which was to reach the other machine, could not be started, with an errno.
    case noShell(String, Int32)
    /// It has ended, with this exit status; nil: by a signal. What went wrong it has said itself.
    case shellEnded(Int32?)
  }

  var operation: Operation
  var path: String
  var cause: Cause
  /// The call that was under way, by its full name; empty while connecting.
  var method: String

  init(_ operation: Operation, _ path: String, _ cause: Cause, method: String = "") {
    self.operation = operation
    self.path = path
    self.cause = cause
    self.method = method
  }
}

extension ConnectionError: CustomStringConvertible {
  var description: String {
    switch cause {
    case .system(EACCES), .system(EPERM):
      "you may not connect to \(path) (\(Self.text(cause))). Members of group strapd may: as root, "
        + "'usermod -aG strapd NAME', then log in again"
    case .system where operation == .connect:
      "no strapd answers at \(path) (\(Self.text(cause))). \(start)"
    case .longPath:
      "cannot connect to \(path): a socket's path has at most 107 octets"
    case .timedOut(let limit) where operation == .connect:
      "strapd at \(path) does not take the connection within \(limit.inWords). It hangs: \(look)"
    case .timedOut(let limit):
      "strapd at \(path) does not answer \(call) within \(limit.inWords). It hangs, or its disk does: \(look)"
    case .closed:
      "strapd at \(path) closed the connection \(when). It may have ended: \(look)"
    case .noShell(let program, let code):
      "cannot reach \(path): \(program) cannot be run (\(String(cString: strerror(code)))). -H needs ssh on this machine"
    case .shellEnded(127): "there is no strapctl on \(path), or not in the PATH of its ssh: install strapd there"
    case .shellEnded(255): "ssh has not come through to \(path), or was cut off; what 'ssh \(path)' says helps further"
    case .shellEnded(let status?): "strapctl on \(path) has ended before it was done (exit status \(status))"
    case .shellEnded(nil): "ssh to \(path) was ended by a signal"
    case .nonsense:
      "what \(path) answers to \(call) is no varlink reply. Is it strapd's socket?"
    case .system:
      "\(operation == .send ? "sending" : "waiting for the answer to") \(call) at \(path) failed (\(Self.text(cause)))"
    }
  }

  private var start: String {
    path == Place.defaultPath
      ? "Start it with 'systemctl start strapd'"
      : "Start it, or name its socket with --socket or $STRAPD_SOCKET (without them: \(Place.defaultPath))"
  }

  private var look: String {
    "see 'systemctl status strapd' and 'journalctl -u strapd'"
  }

  private var call: String {
    String(method.split(separator: ".").last ?? "the call")
  }

  private var when: String {
    method == "io.strapd.Watch" ? "while it was watched" : "before it answered \(call)"
  }

  private static func text(_ cause: Cause) -> String {
    guard case .system(let code) = cause else { return "" }
    return String(cString: strerror(code))
  }
}

extension Duration {
  /// "30 s", "0.1 s".
  var inWords: String {
    let tenths = (wholeNanoseconds + 50_000_000) / 100_000_000
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
