import CSystemd
import Glibc

/// What systemd is told of the daemon (sd_notify(3)).
public enum ServiceNotice: Hashable, Sendable {
  /// Started, or done with reloading.
  case ready
  case reloading
  case stopping
  /// One line for a person, shown by `systemctl status`.
  case status(String)
}

extension EventLoop {
  /// Tells systemd; false where nobody listens ($NOTIFY_SOCKET is unset) or the message could not be sent.
  @discardableResult
  public static func notify(_ notices: ServiceNotice...) -> Bool {
    sd_notify(0, notices.map(\.assignment).joined(separator: "\n")) > 0
  }

  /// The sockets that systemd has passed ($LISTEN_FDS), each with the name that its unit gives it (FileDescriptorName=).
  ///
  /// They come once: the variables are cleared, so that no child takes them for its own.
  public static func passedSockets() throws(EventLoopError) -> [(name: String, descriptor: Int32)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count >= 0 else { throw EventLoopError(.takeOver, "the sockets of $LISTEN_FDS", code: -count) }
    var sockets: [(name: String, descriptor: Int32)] = []
    for index in 0..<Int(count) {
      let name = names?[index]
      sockets.append((name.map { String(cString: $0) } ?? "unknown", Self.firstPassedDescriptor + Int32(index)))
      free(name)
    }
    free(names)
    return sockets
  }

  /// SD_LISTEN_FDS_START.
  private static let firstPassedDescriptor: Int32 = 3
}

extension ServiceNotice {
  /// Lines that systemd reads. A line break in a status would begin an assignment of its own.
  fileprivate var assignment: String {
    switch self {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Clocks.monotonicMicroseconds())"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
    }
  }
}
