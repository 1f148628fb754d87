import CSystemd
import Glibc

/// The signals that the daemon answers.
public enum Signal: Hashable, Sendable, CaseIterable {
  /// SIGTERM: systemd asks for the end.
  case terminate
  /// SIGINT: the terminal's ^C.
  case interrupt
  /// SIGHUP: read the configuration again.
  case hangUp

  var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    }
  }

  var name: String {
    switch self {
    case .terminate: "SIGTERM"
    case .interrupt: "SIGINT"
    case .hangUp: "SIGHUP"
    }
  }
}

/// A signal that arrives as an event of the loop.
final class SignalWatch {
  private let signal: Signal
  private let action: (Signal) -> Void
  private var source: EventSource?

  /// Blocks the signal in the calling thread and waits for it.
  init(_ table: SourceTable, _ signal: Signal, _ action: @escaping (Signal) -> Void) throws(EventLoopError) {
    self.signal = signal
    self.action = action
    // sd-event refuses a signal that is not blocked; its own flag for that (SD_EVENT_SIGNAL_PROCMASK) is younger than
    // systemd 250 and would unblock the signal again at the end, so that a second SIGTERM could cut short the shutdown.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal.number)
    let blocked = pthread_sigmask(SIG_BLOCK, &mask, nil)
    guard blocked == 0 else { throw EventLoopError(.takeOver, signal.name, code: blocked) }

    var source: OpaquePointer?
    let result = sd_event_add_signal(
      table.event, &source, signal.number,
      { _, _, userdata in
        guard let userdata else { return 0 }
        let watch = Unmanaged<SignalWatch>.fromOpaque(userdata).takeUnretainedValue()
        watch.action(watch.signal)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard result >= 0, let source else { throw EventLoopError(.takeOver, signal.name, code: -result) }
    self.source = EventSource(table, source)
  }
}
