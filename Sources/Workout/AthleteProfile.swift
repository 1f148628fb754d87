import Measurements

/// What is known of a person who wears straps.
public struct AthleteProfile: Hashable, Sendable {
  public var name: AthleteName
  public var yearOfBirth: Int?
  public var biologicalSex: BiologicalSex?
  /// Body mass in kilograms.
  public var massKilograms: Double?
  /// Beats a minute.
  public var restingHeartRate: Int?
  /// Beats a minute, the most that this person's heart comes to.
  public var maximumHeartRate: Int?
  /// By which the time of this person's workouts is told, where neither the strap nor a client says others.
  public var zones: HeartRateZones?
  /// Workouts are this person's where nobody is known to wear the strap.
  public var isDefault = false

  public init(_ name: AthleteName) {
    self.name = name
  }

  public static let allowedYears = 1900...2100
  public static let allowedMasses = 10.0...500.0
  public static let allowedResting = 20...150
  public static let allowedMaximum = 60...250

  /// What of it is out of range, by the name of the member on the wire, and what is allowed there; nil where all is right.
  public var fault: (member: String, allowed: String)? {
    if let yearOfBirth, !Self.allowedYears.contains(yearOfBirth) { return ("yearOfBirth", "1900 to 2100") }
    if let massKilograms, !Self.allowedMasses.contains(massKilograms) { return ("massKilograms", "10 to 500") }
    if let restingHeartRate, !Self.allowedResting.contains(restingHeartRate) {
      return ("restingHeartRate", "20 to 150 beats a minute")
    }
    if let maximumHeartRate, !Self.allowedMaximum.contains(maximumHeartRate) {
      return ("maximumHeartRate", "60 to 250 beats a minute")
    }
    if let restingHeartRate, let maximumHeartRate, maximumHeartRate <= restingHeartRate {
      return ("maximumHeartRate", "more than the resting heart rate")
    }
    return nil
  }
}

/// HKBiologicalSex, but for notSet.
public enum BiologicalSex: String, Hashable, Sendable, CaseIterable {
  case female, male, other
}
