import Measurements

/// How long sessions may be left alone before they end by themselves, and how much of them is held in memory.
public struct Limits: Hashable, Sendable {
  /// Running without heart rate, though this machine could receive it; nil: for ever.
  public var absence: Duration? = .seconds(1800)
  /// Made or prepared, and not started.
  public var prepare = Duration.seconds(1800)
  /// Paused.
  public var pause = Duration.seconds(43_200)
  /// Stopped, and finished by nobody.
  public var stopped = Duration.seconds(60)
  /// Running while the daemon was away.
  public var recovery = Duration.seconds(3600)
  /// Records (samples, events) that are held while the store cannot be written; one takes about 400 octets.
  public var heldRecords = 20_000

  public init() {}

  var json: JSON {
    .object([
      "absenceSeconds": absence.map { .real($0.inSeconds) },
      "prepareSeconds": .real(prepare.inSeconds),
      "pauseSeconds": .real(pause.inSeconds),
      "stoppedSeconds": .real(stopped.inSeconds),
      "recoverySeconds": .real(recovery.inSeconds),
      "heldRecords": .integer(Int64(heldRecords)),
    ])
  }
}
