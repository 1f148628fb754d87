import Glibc

/// Signals as octets of a pipe, so that poll(2) meets them among everything else.
///
/// A pipe and not signalfd(2), which Swift's Glibc does not show.
enum SignalPipe {
  /// Made once; the handler may run at any moment and must find it made.
  private static let ends: (reader: Int32, writer: Int32) = {
    var ends: [Int32] = [-1, -1]
    // A pair of sockets, since pipe2(2) is not shown either, and these can close on exec from the beginning.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return (-1, -1) }
    return (ends[0], ends[1])
  }()

  /// For poll(2): readable when a signal has come.
  static var descriptor: Int32 { ends.reader }

  /// From now on these signals only fill the pipe. Where it could not be made, they keep their meaning.
  static func redirect(_ signals: [Int32]) {
    guard ends.writer >= 0 else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var octet = UInt8(truncatingIfNeeded: number)
      _ = write(SignalPipe.ends.writer, &octet, 1)
      errno = saved
    }
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals {
      sigaction(signal, &action, nil)
      sigaddset(&set, signal)
    }
    // Who starts us may have them blocked, as `swift test` has ^C, and we would inherit that.
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signals that have come since the last time.
  static func takeArrived() -> Set<Int32> {
    var octets = [UInt8](repeating: 0, count: 64)
    let count = read(ends.reader, &octets, octets.count)
    return Set(octets.prefix(max(0, count)).map(Int32.init))
  }
}
