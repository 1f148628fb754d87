import CSystemd
import Glibc
import Measurements

/// A timer on the boot clock, which goes on during suspend (though it does not wake the machine); letting go of it
/// disarms it.
public final class DeadlineTimer {
  /// The tick that it waits for; nil while it is disarmed, and from the moment it fires.
  public private(set) var deadline: Tick?
  private var action: (() -> Void)?
  private var source: EventSource?

  init(_ table: SourceTable, _ action: @escaping () -> Void) throws(EventLoopError) {
    self.action = action
    var source: OpaquePointer?
    let result = sd_event_add_time(
      table.event, &source, CLOCK_BOOTTIME, 0, Self.accuracy,
      { _, _, userdata in
        guard let userdata else { return 0 }
        Unmanaged<DeadlineTimer>.fromOpaque(userdata).takeUnretainedValue().fire()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard result >= 0, let source else { throw EventLoopError(.create, "a timer on the boot clock", code: -result) }
    self.source = EventSource(table, source)
    disable(source)
  }

  /// Fires once at a tick, never before it, or at once where it has passed; nil disarms.
  ///
  /// The kernel hears of it when the loop waits, and only of the earliest deadline, so that arming costs nothing by itself.
  public func arm(at deadline: Tick?) {
    guard deadline != self.deadline, let source = source?.pointer else { return }
    self.deadline = deadline
    guard let deadline else { return disable(source) }
    let timed = sd_event_source_set_time(source, deadline.wholeMicrosecondsRoundedUp)
    let enabled = sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    precondition(timed >= 0 && enabled >= 0, "a timer of this loop cannot be armed: errno \(-timed), \(-enabled)")
  }

  /// Disarms for good, from inside the action as well; the action is let go of.
  public func cancel() {
    deadline = nil
    source?.cancel()
    action = nil
  }

  /// 1 µs: with 0, sd-event takes 250 ms.
  private static let accuracy: UInt64 = 1

  private func fire() {
    deadline = nil
    action?()
  }

  private func disable(_ source: OpaquePointer) {
    let result = sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    precondition(result >= 0, "a timer of this loop cannot be disarmed: errno \(-result)")
  }
}

extension Tick {
  /// What sd-event counts in; rounded up, so that nothing fires early. A tick before this boot is its beginning.
  var wholeMicrosecondsRoundedUp: UInt64 {
    guard nanoseconds > 0 else { return 0 }
    return UInt64(nanoseconds).advanced(by: 999) / 1000
  }
}
