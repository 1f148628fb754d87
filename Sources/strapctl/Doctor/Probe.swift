import Glibc
import Measurements
import Synchronization

/// A look at the system that may block, on a thread of its own: a file on a disk that does not answer, a list of groups
/// behind a network. Whoever waits for it waits for so long and no longer; the thread ends with the process.
struct Probe<Value: Sendable> {
  private let limit: Duration
  private let deadline: Deadline
  private let outcome: Outcome<Value>

  /// Begins to look.
  ///
  /// - Parameter look: what it throws becomes `failed`, in words.
  init(within limit: Duration, _ look: @escaping @Sendable () throws -> Value) {
    self.limit = limit
    deadline = Deadline(after: limit)
    let outcome = Outcome<Value>()
    self.outcome = outcome
    let code = Work.start {
      do { outcome.set(.found(try look())) } catch { outcome.set(.failed("\(error)")) }
    }
    if code != 0 { outcome.set(.failed("no thread can be started: \(String(cString: strerror(code)))")) }
  }

  /// Waits for the outcome, until the time that it was given is over.
  func result() -> Probed<Value> {
    while true {
      if let value = outcome.get() { return value }
      if Poll.wait(for: [.readable(outcome.descriptor)], until: deadline).isEmpty { return .timedOut(limit) }
    }
  }
}

/// What a thread comes to, with a descriptor that is readable from then on.
private final class Outcome<Value: Sendable>: Sendable {
  private let value = Mutex<Probed<Value>?>(nil)
  private let ends: (reader: Int32, writer: Int32)

  var descriptor: Int32 { ends.reader }

  init() {
    var pair: [Int32] = [-1, -1]
    // Where it cannot be made, poll(2) passes over the descriptor and the probe is late, which is no worse.
    _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
    ends = (pair[0], pair[1])
  }

  deinit {
    close(ends.reader)
    close(ends.writer)
  }

  func set(_ outcome: Probed<Value>) {
    value.withLock { $0 = outcome }
    var octet: UInt8 = 0
    _ = write(ends.writer, &octet, 1)
  }

  func get() -> Probed<Value>? { value.withLock { $0 } }
}

/// What a thread does.
private final class Work: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// - Returns: 0, or why no thread could be started: an errno.
  static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    if code == 0 { pthread_detach(thread) } else { work.release() }
    return code
  }
}
