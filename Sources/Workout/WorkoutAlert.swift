import Measurements

/// What a session is to tell of while it runs.
public struct WorkoutAlert: Hashable, Sendable {
  public var kind: Kind
  /// How long a condition on the heart rate must be so, or be so no more, before that is told.
  public var debounce: Duration
  /// Nothing is told before so much running time.
  public var initialDelay: Duration

  public enum Kind: Hashable, Sendable {
    /// Above so many beats a minute.
    case above(UInt16)
    /// Below so many beats a minute.
    case below(UInt16)
    /// In another zone than this one, counted from 1.
    case outsideZone(Int)
    /// Each time when so much running time has passed, from the initial delay on.
    case every(Duration)
  }

  /// The most alerts, and the most goals, of one session.
  public static let most = 32
  public static let allowedHeartRates: ClosedRange<UInt16> = 1...500
  public static let longestDebounce = Duration.seconds(3600)
  public static let longestDelay = Duration.seconds(7 * 86_400)
  public static let allowedIntervals = Duration.seconds(1)...Duration.seconds(7 * 86_400)

  /// - Throws: where a value is out of range.
  public init(_ kind: Kind, debounce: Duration = .zero, initialDelay: Duration = .zero) throws(WorkoutAlertError) {
    switch kind {
    case .above(let heartRate), .below(let heartRate):
      guard Self.allowedHeartRates.contains(heartRate) else { throw .heartRate(Int64(heartRate)) }
    case .outsideZone(let zone):
      guard (1...HeartRateZones.allowedCount.upperBound).contains(zone) else { throw .zone(zone) }
    case .every(let interval):
      guard Self.allowedIntervals.contains(interval) else { throw .interval }
    }
    guard (Duration.zero...Self.longestDebounce).contains(debounce) else { throw .debounce }
    guard (Duration.zero...Self.longestDelay).contains(initialDelay) else { throw .initialDelay }
    self.kind = kind
    self.debounce = debounce
    self.initialDelay = initialDelay
  }

  /// Whether a heart rate is so; nil for an alert that has nothing to do with it.
  func isSo(_ heartRate: UInt16, _ zones: HeartRateZones?) -> Bool? {
    switch kind {
    case .above(let limit): heartRate > limit
    case .below(let limit): heartRate < limit
    case .outsideZone(let zone): zones.map { $0.zone(of: heartRate) != zone }
    case .every: nil
    }
  }
}

/// What a session is to come to; told once.
public enum WorkoutGoal: Hashable, Sendable {
  /// Running time.
  case duration(Duration)
  /// Kilojoules, by the strap's own counter.
  case energy(Int)

  public static let allowedDurations = Duration.seconds(1)...Duration.seconds(7 * 86_400)
  public static let allowedEnergies = 1...1_000_000

  /// Whether its value is in range.
  public var isAllowed: Bool {
    switch self {
    case .duration(let span): Self.allowedDurations.contains(span)
    case .energy(let kilojoules): Self.allowedEnergies.contains(kilojoules)
    }
  }
}

/// Why an alert is refused.
public enum WorkoutAlertError: Error, Hashable, Sendable, CustomStringConvertible {
  case heartRate(Int64)
  case zone(Int)
  case interval
  case debounce
  case initialDelay
  /// The session has no zones, or none of that number.
  case noSuchZone(Int)
  /// There are more than `WorkoutAlert.most`.
  case tooMany

  public var description: String {
    switch self {
    case .heartRate(let heartRate):
      "\(heartRate) is no heart rate to watch; allowed are \(WorkoutAlert.allowedHeartRates) beats a minute"
    case .zone(let zone): "there is no zone \(zone); zones are counted from 1, and there are 9 at most"
    case .interval: "an interval may be 1 s to 7 days"
    case .debounce: "a debounce may be 0 s to an hour"
    case .initialDelay: "an initial delay may be 0 s to 7 days"
    case .tooMany: "a session has \(WorkoutAlert.most) alerts at most"
    case .noSuchZone(let zone):
      "its zone \(zone) is not among the session's zones: set those first, or alerts without it"
    }
  }
}

// MARK: - As text

extension WorkoutAlert {
  /// The zone that it is about; nil for one of another kind.
  public var zone: Int? {
    if case .outsideZone(let zone) = kind { zone } else { nil }
  }
}

extension WorkoutAlert {
  /// One line, as the store has it: `above 160 debounce 10 delay 60`; durations in seconds.
  public var text: String {
    let condition =
      switch kind {
      case .above(let heartRate): "above \(heartRate)"
      case .below(let heartRate): "below \(heartRate)"
      case .outsideZone(let zone): "outsideZone \(zone)"
      case .every(let interval): "every \(interval.secondsText)"
      }
    return "\(condition) debounce \(debounce.secondsText) delay \(initialDelay.secondsText)"
  }

  /// Reads such a line.
  public init?(text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 6, words[2] == "debounce", words[4] == "delay", let debounce = Duration(secondsText: words[3]),
      let delay = Duration(secondsText: words[5])
    else { return nil }
    let kind: Kind? =
      switch words[0] {
      case "above": UInt16(words[1]).map(Kind.above)
      case "below": UInt16(words[1]).map(Kind.below)
      case "outsideZone": Int(words[1]).map(Kind.outsideZone)
      case "every": Duration(secondsText: words[1]).map(Kind.every)
      default: nil
      }
    guard let kind else { return nil }
    do { try self.init(kind, debounce: debounce, initialDelay: delay) } catch { return nil }
  }
}

extension WorkoutGoal {
  /// `duration 1800` in seconds, `energy 500` in kilojoules: as the store has it.
  public var text: String {
    switch self {
    case .duration(let span): "duration \(span.secondsText)"
    case .energy(let kilojoules): "energy \(kilojoules)"
    }
  }

  /// Reads such a text.
  public init?(text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "duration":
      guard let span = Duration(secondsText: words[1]) else { return nil }
      self = .duration(span)
    case "energy":
      guard let kilojoules = Int(words[1]) else { return nil }
      self = .energy(kilojoules)
    default: return nil
    }
    if !isAllowed { return nil }
  }
}

extension Duration {
  /// Seconds with up to nine decimals, exact to the nanosecond.
  var secondsText: String {
    let nanoseconds = wholeNanoseconds
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest == 0 { return String(seconds) }
    var decimals = String(rest.magnitude)
    decimals = String(repeating: "0", count: 9 - decimals.count) + decimals
    while decimals.last == "0" { decimals.removeLast() }
    return "\(seconds).\(decimals)"
  }

  init?(secondsText text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]), seconds >= 0, seconds < 1 << 32 else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      guard (1...9).contains(parts[1].count), let digits = Int64(parts[1]), digits >= 0 else { return nil }
      nanoseconds = digits
      for _ in parts[1].count..<9 { nanoseconds *= 10 }
    }
    self = .seconds(seconds) + .nanoseconds(nanoseconds)
  }
}
