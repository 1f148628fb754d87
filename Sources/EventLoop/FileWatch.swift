import CSystemd

/// What a descriptor is waited for, and what it is ready for: bits of epoll(7).
public struct Readiness: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let readable = Readiness(rawValue: strapd_epoll_in)
  public static let writable = Readiness(rawValue: strapd_epoll_out)
  /// The other side is gone; reported whether waited for or not.
  public static let hangUp = Readiness(rawValue: strapd_epoll_hup)
  /// Reported whether waited for or not.
  public static let failed = Readiness(rawValue: strapd_epoll_err)

  /// Report each change once, so that a state that cannot be answered yet does not spin the loop.
  static let changesOnly = Readiness(rawValue: strapd_epoll_et)
}

/// A wait for a descriptor; letting go of it ends the wait.
public final class FileWatch {
  /// What is waited for; with nothing in it, hang-ups and errors are still reported.
  public private(set) var interest: Readiness
  private let descriptor: Int32
  private var action: ((Readiness) -> Void)?
  private var source: EventSource?

  init(
    _ table: SourceTable, _ descriptor: Int32, _ interest: Readiness, _ action: @escaping (Readiness) -> Void
  ) throws(EventLoopError) {
    self.descriptor = descriptor
    self.interest = interest
    self.action = action
    var source: OpaquePointer?
    let result = sd_event_add_io(
      table.event, &source, descriptor, interest.rawValue,
      { _, _, events, userdata in
        guard let userdata else { return 0 }
        let watch = Unmanaged<FileWatch>.fromOpaque(userdata).takeUnretainedValue()
        watch.action?(Readiness(rawValue: events))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard result >= 0, let source else { throw EventLoopError(.watch, "descriptor \(descriptor)", code: -result) }
    self.source = EventSource(table, source)
  }

  /// Waits for something else from now on; no system call where nothing changes.
  public func change(to interest: Readiness) {
    guard interest != self.interest, let source = source?.pointer else { return }
    self.interest = interest
    let result = sd_event_source_set_io_events(source, interest.rawValue)
    precondition(result >= 0, "descriptor \(descriptor) was closed before its watch was cancelled: errno \(-result)")
  }

  /// Ends the wait, from inside the action as well; the action is let go of.
  public func cancel() {
    source?.cancel()
    action = nil
  }
}
