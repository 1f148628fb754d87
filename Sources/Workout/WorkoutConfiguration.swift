import Measurements

/// What a session is made from (HKWorkoutConfiguration, and the strap it wants).
public struct WorkoutConfiguration: Hashable, Sendable {
  public var activity: ActivityType
  public var location: LocationType
  /// The strap that the client asked for; nil leaves the choice to the configuration or to the strongest signal.
  public var strap: StrapAddress?
  /// The adapter that is to reach it, by its address; nil leaves it to the configuration or to the strongest signal.
  public var adapter: StrapAddress?

  public init(
    activity: ActivityType = .other, location: LocationType = .unknown, strap: StrapAddress? = nil,
    adapter: StrapAddress? = nil
  ) {
    self.activity = activity
    self.location = location
    self.strap = strap
    self.adapter = adapter
  }
}

/// Where the workout takes place (HKWorkoutSessionLocationType).
public enum LocationType: String, Hashable, Sendable, CaseIterable {
  case unknown, indoor, outdoor
}

/// The activity, by HealthKit's names (HKWorkoutActivityType, without its deprecated cases).
public enum ActivityType: String, Hashable, Sendable, CaseIterable {
  case americanFootball, archery, australianFootball, badminton, barre, baseball, basketball, bowling, boxing
  case cardioDance, climbing, cooldown, coreTraining, cricket, crossCountrySkiing, crossTraining, curling, cycling
  case discSports, downhillSkiing, elliptical, equestrianSports, fencing, fishing, fitnessGaming, flexibility
  case functionalStrengthTraining, golf, gymnastics, handball, handCycling, highIntensityIntervalTraining, hiking
  case hockey, hunting, jumpRope, kickboxing, lacrosse, martialArts, mindAndBody, mixedCardio, other, paddleSports
  case pickleball, pilates, play, preparationAndRecovery, racquetball, rowing, rugby, running, sailing, skatingSports
  case snowboarding, snowSports, soccer, socialDance, softball, squash, stairClimbing, stairs, stepTraining
  case surfingSports, swimBikeRun, swimming, tableTennis, taiChi, tennis, trackAndField, traditionalStrengthTraining
  case transition, underwaterDiving, volleyball, walking, waterFitness, waterPolo, waterSports, wheelchairRunPace
  case wheelchairWalkPace, wrestling, yoga
}
