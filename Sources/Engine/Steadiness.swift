import Measurements

/// Tells the heart rates of a heart from those that a sensor makes of daylight: a heart's average moves by a few beats
/// from one second to the next.
struct Steadiness: Equatable, Sendable {
  private var last: (heartRate: UInt16, tick: Tick)?
  /// How many values must follow each other closely before they are believed again.
  private var doubt = 0

  /// Beats a minute between two values in a row.
  static let greatestStep = 20
  /// Values further apart than this say nothing of each other.
  static let longestGap = Duration.seconds(5)
  static let patience = 5

  var isSteady: Bool { doubt == 0 }

  mutating func take(_ heartRate: UInt16, at tick: Tick) {
    defer { last = (heartRate, tick) }
    guard let last, tick - last.tick <= Self.longestGap else { return }
    if abs(Int(heartRate) - Int(last.heartRate)) > Self.greatestStep {
      doubt = Self.patience
    } else if doubt > 0 {
      doubt -= 1
    }
  }

  static func == (a: Steadiness, b: Steadiness) -> Bool {
    a.doubt == b.doubt && a.last?.heartRate == b.last?.heartRate && a.last?.tick == b.last?.tick
  }
}
