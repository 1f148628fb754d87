/// A kind of data that a workout collects, by HealthKit's names (HKQuantityTypeIdentifier).
public enum CollectedType: String, Hashable, Sendable, CaseIterable {
  case heartRate, activeEnergyBurned
  case stepCount, runningSpeed, distanceWalkingRunning
  case cyclingCadence, cyclingSpeed, distanceCycling
}

/// Which types a session collects (HKLiveWorkoutDataSource): those of its activity and location, until one is enabled or
/// disabled by hand; from then on a change of activity changes nothing any more.
///
/// A type is listed whether or not a sensor gives it.
public struct LiveDataSource: Hashable, Sendable {
  /// What is collected.
  public private(set) var types: Set<CollectedType>
  /// Whether a type has been enabled or disabled by hand.
  public private(set) var isTunedByHand = false

  public init(activity: ActivityType, location: LocationType) {
    types = Self.types(for: activity, at: location)
  }

  /// A choice that was made by hand.
  public init(byHand types: Set<CollectedType>) {
    self.types = types
    isTunedByHand = true
  }

  /// The types in the order of their names' listing.
  public var typesToCollect: [CollectedType] { CollectedType.allCases.filter(types.contains) }

  public mutating func enable(_ type: CollectedType) {
    types.insert(type)
    isTunedByHand = true
  }

  public mutating func disable(_ type: CollectedType) {
    types.remove(type)
    isTunedByHand = true
  }

  /// The activity has changed.
  public mutating func retune(to activity: ActivityType, at location: LocationType) {
    if !isTunedByHand { types = Self.types(for: activity, at: location) }
  }

  /// What an activity is worth collecting: heart rate and energy for all; on foot also steps, pace and distance, on a
  /// bicycle cadence, speed and distance where it moves.
  static func types(for activity: ActivityType, at location: LocationType) -> Set<CollectedType> {
    var types: Set<CollectedType> = [.heartRate, .activeEnergyBurned]
    switch activity {
    case .running, .trackAndField: types.formUnion([.stepCount, .runningSpeed, .distanceWalkingRunning])
    case .walking, .hiking: types.formUnion([.stepCount, .distanceWalkingRunning])
    case .swimBikeRun:
      types.formUnion([.stepCount, .runningSpeed, .distanceWalkingRunning, .cyclingSpeed, .distanceCycling])
    case .cycling:
      if location != .indoor { types.formUnion([.cyclingCadence, .cyclingSpeed, .distanceCycling]) }
    case .handCycling:
      if location != .indoor { types.formUnion([.cyclingSpeed, .distanceCycling]) }
    case .americanFootball, .archery, .australianFootball, .badminton, .barre, .baseball, .basketball, .bowling,
      .boxing, .cardioDance, .climbing, .cooldown, .coreTraining, .cricket, .crossCountrySkiing, .crossTraining,
      .curling, .discSports, .downhillSkiing, .elliptical, .equestrianSports, .fencing, .fishing, .fitnessGaming,
      .flexibility, .functionalStrengthTraining, .golf, .gymnastics, .handball, .highIntensityIntervalTraining,
      .hockey, .hunting, .jumpRope, .kickboxing, .lacrosse, .martialArts, .mindAndBody, .mixedCardio, .other,
      .paddleSports, .pickleball, .pilates, .play, .preparationAndRecovery, .racquetball, .rowing, .rugby, .sailing,
      .skatingSports, .snowboarding, .snowSports, .soccer, .socialDance, .softball, .squash, .stairClimbing, .stairs,
      .stepTraining, .surfingSports, .swimming, .tableTennis, .taiChi, .tennis, .traditionalStrengthTraining,
      .transition, .underwaterDiving, .volleyball, .waterFitness, .waterPolo, .waterSports, .wheelchairRunPace,
      .wheelchairWalkPace, .wrestling, .yoga:
      break
    }
    return types
  }
}

/// Statistics of one type (HKStatistics): an average for what is sampled, a sum for what adds up.
public enum TypeStatistics: Hashable, Sendable {
  case heartRate(HeartRateSummary)
  /// Kilojoules.
  case energy(sum: Int)
}

// MARK: - As text

extension [CollectedType] {
  /// The names, parted by blanks: as the store has them.
  public var text: String { map(\.rawValue).joined(separator: " ") }

  /// Reads such a list.
  public init?(text: String) {
    let names = text.split(separator: " ").map { CollectedType(rawValue: String($0)) }
    if names.contains(nil) { return nil }
    self = names.compactMap { $0 }
  }
}
