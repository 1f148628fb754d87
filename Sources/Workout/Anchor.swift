import Measurements

/// What leads from the ticks of one boot to dates: both clocks at one moment of it, and whether the wall clock was known
/// to be right (`Moment.isSynchronised`). A session has one for each boot that it lived in.
public struct Anchor: Hashable, Sendable {
  /// The kernel's name for the boot.
  public var boot: String
  public var clocks: Moment

  public init(boot: String, clocks: Moment) {
    self.boot = boot
    self.clocks = clocks
  }
}

/// What came between the daemon's last life and this one.
public enum Interruption: String, Hashable, Sendable, CaseIterable {
  /// The daemon alone was away: the boot clock has counted the time.
  case restart
  /// The machine was started anew, and both wall clocks were known to be right.
  case reboot
  /// The machine was started anew, and a wall clock was not known to be right: how long it was away is provisional.
  case provisionalReboot
}

/// How long the daemon was away.
public struct Gap: Hashable, Sendable {
  public var duration: Duration
  /// The machine was started anew meanwhile.
  public var isReboot: Bool
  /// The duration rests on a wall clock that was not known to be right.
  public var isProvisional: Bool

  public init(duration: Duration, isReboot: Bool, isProvisional: Bool) {
    self.duration = duration
    self.isReboot = isReboot
    self.isProvisional = isProvisional
  }
}

/// What the store knows of this boot when it is opened.
public struct BootReport: Hashable, Sendable {
  /// The kernel's name for it.
  public var id: String
  /// What came between the daemon's last life and this one.
  public var interruption: Interruption
  /// Whether this boot's wall clock is known to be right.
  public var isClockSure: Bool
  /// By how much the wall clock was set while the daemon was away, in this boot.
  public var step: Duration?

  public init(
    id: String = "", interruption: Interruption = .restart, isClockSure: Bool = true, step: Duration? = nil
  ) {
    self.id = id
    self.interruption = interruption
    self.isClockSure = isClockSure
    self.step = step
  }
}
