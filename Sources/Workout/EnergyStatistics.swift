import Measurements

/// Energy over the counted time, from a strap's running counter; it never falls, whatever the counter does.
public struct EnergyStatistics: Hashable, Sendable {
  /// Kilojoules; nil before the counter has been seen twice.
  public private(set) var kilojoules: Int?
  private var last: UInt16?

  /// What is spent between two readings is less, were they a quarter of an hour of the hardest work apart.
  private static let mostUpToTheEnd: UInt16 = 1_000

  public init() {}

  /// Takes a reading of the counter. One that is lower than the one before it is the start of a new count: somebody has
  /// reset the counter, or it is another strap's. At 65535 the counter sticks, and adds nothing until it is reset;
  /// come upon from far below, that value is no count at all, and is passed over.
  public mutating func add(_ reading: UInt16) {
    if reading == .max, let last, reading - last > Self.mostUpToTheEnd {
      kilojoules = kilojoules ?? 0
      return
    }
    defer { last = reading }
    guard let last else { return }
    kilojoules = (kilojoules ?? 0) + Int(reading > last ? reading - last : 0)
  }

  /// What was spent from here to the next reading does not count: a pause.
  public mutating func cut() {
    last = nil
  }

  /// Energy of a part that begins here: what is spent up to the next reading is the part's.
  public func continued() -> EnergyStatistics {
    var next = EnergyStatistics()
    next.last = last
    return next
  }
}
