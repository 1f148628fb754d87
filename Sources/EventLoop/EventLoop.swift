import CSystemd
import Glibc
import Measurements

/// The daemon's one loop, on sd-event: descriptors, deadlines on the boot clock, signals and the watchdog, one thread.
///
/// A turn is one wake-up: all that was ready is dispatched, oldest first, then the `beforeWaiting` actions run, then the
/// loop waits again. What is waited for is given back as an object; letting go of it ends the wait.
public final class EventLoop {
  /// Both clocks, read once for the action that is running, after what woke it: a deadline that fires has passed.
  public private(set) var now: Moment
  /// The boot clock as it is right now, to measure how long something takes.
  public static var tick: Tick { Clocks.tick() }

  let table: SourceTable
  private var actionsBeforeWaiting: [() -> Void] = []
  private var signalWatches: [SignalWatch] = []
  private var clockWatches: [ClockWatch] = []
  private var exitCode: Int32?

  /// Makes a loop that waits for nothing yet.
  ///
  /// SIGPIPE is ignored from here on: a reader of standard error that goes away must not end the daemon.
  public init() throws(EventLoopError) {
    signal(SIGPIPE, SIG_IGN)
    table = try SourceTable()
    now = Clocks.read()
  }

  /// Waits for a descriptor, which stays the caller's; cancel the watch before closing it.
  public func watch(
    _ descriptor: Int32, for interest: Readiness, _ action: @escaping (Readiness) -> Void
  ) throws(EventLoopError) -> FileWatch {
    try FileWatch(table, descriptor, interest, action)
  }

  /// Makes a timer that is not armed.
  public func timer(_ action: @escaping () -> Void) throws(EventLoopError) -> DeadlineTimer {
    try DeadlineTimer(table, action)
  }

  /// Answers signals in the loop instead of dying of them.
  ///
  /// They are blocked in the calling thread: call it before any other thread is made, so that those inherit it.
  public func onSignals(_ signals: [Signal], _ action: @escaping (Signal) -> Void) throws(EventLoopError) {
    for signal in signals {
      signalWatches.append(try SignalWatch(table, signal, action))
    }
  }

  /// Runs an action whenever the wall clock is set (clock_settime(2)), by hand or by a time server; slewing is not told.
  public func onClockSet(_ action: @escaping () -> Void) throws(EventLoopError) {
    clockWatches.append(try ClockWatch(table, action))
  }

  /// Runs an action at the end of every turn, before the loop waits, and once when it starts; in the order of adding.
  public func beforeWaiting(_ action: @escaping () -> Void) {
    actionsBeforeWaiting.append(action)
  }

  /// Runs until `stop`, whose code is given back. The turn in which it was called is finished first.
  public func run() throws(EventLoopError) -> Int32 {
    exitCode = nil
    now = Clocks.read()
    defer { for connection in table.lingering.values { connection.close() } }
    while true {
      for action in actionsBeforeWaiting { action() }
      if let exitCode { return exitCode }
      try turn()
    }
  }

  /// Ends `run` after this turn. The first code counts.
  public func stop(_ code: Int32) {
    if exitCode == nil { exitCode = code }
  }

  /// Feeds systemd's watchdog from now on, if it asked for that ($WATCHDOG_USEC); true if it did.
  public func startWatchdog() throws(EventLoopError) -> Bool {
    let result = sd_event_set_watchdog(table.event, 1)
    guard result >= 0 else { throw EventLoopError(.feed, "systemd's watchdog ($WATCHDOG_USEC)", code: -result) }
    return result > 0
  }

  /// Waits, then dispatches as many sources as were ready at that moment.
  ///
  /// sd-event looks for news between any two sources that it dispatches, so that under a steady stream of input it never
  /// runs dry; counting what was ready at the start is what ends the turn.
  private func turn() throws(EventLoopError) {
    var left: Int?
    repeat {
      var result = sd_event_prepare(table.event)
      if result == 0 { result = sd_event_wait(table.event, left == nil ? .max : 0) }
      guard result >= 0 else { throw EventLoopError(.waitIn, "the event loop", code: -result) }
      now = Clocks.read()
      guard result > 0 else { return }
      let ready = left ?? table.pendingCount
      result = sd_event_dispatch(table.event)
      guard result >= 0 else { throw EventLoopError(.dispatchIn, "the event loop", code: -result) }
      left = ready - 1
    } while left ?? 0 > 0
  }
}
