import Workout

/// FIT's sport and sub_sport of an activity, and the other way, by one table.
struct FITSport: Hashable, Sendable {
  var sport: UInt8
  var subSport: UInt8

  /// The first row that fits: of this location where there is one.
  init(_ activity: ActivityType, _ location: LocationType) {
    let rows = Self.rows.filter { $0.activity == activity }
    let row = rows.first { $0.location == location } ?? rows.first { $0.location == .unknown } ?? rows.first
    self.init(row?.sport ?? 0, row?.subSport ?? 0)
  }

  init(_ sport: UInt8, _ subSport: UInt8) {
    self.sport = sport
    self.subSport = subSport
  }

  /// The first row of both numbers, else that of the sport alone; `other` where FIT's sport is none of ours.
  var activity: (ActivityType, LocationType) {
    let rows = Self.rows.filter { $0.sport == sport }
    let row = rows.first { $0.subSport == subSport } ?? rows.first { $0.subSport == 0 }
    return (row?.activity ?? .other, row?.location ?? .unknown)
  }

  private struct Row {
    var activity: ActivityType
    var location: LocationType
    var sport: UInt8
    var subSport: UInt8

    init(_ activity: ActivityType, _ sport: UInt8, _ subSport: UInt8 = 0, _ location: LocationType = .unknown) {
      self.activity = activity
      self.location = location
      self.sport = sport
      self.subSport = subSport
    }
  }

  /// Where several rows have one pair of numbers, the first is what the pair is read as.
  private static let rows: [Row] = [Row(.other, 0)] + games + ways + water + rooms

  private static let games: [Row] = [
    Row(.americanFootball, 9), Row(.archery, 79), Row(.badminton, 64, 95), Row(.baseball, 49), Row(.basketball, 6),
    Row(.boxing, 47), Row(.cricket, 71), Row(.golf, 25), Row(.discSports, 69), Row(.hockey, 73), Row(.hunting, 28),
    Row(.lacrosse, 74), Row(.racquetball, 64, 96), Row(.pickleball, 64, 84), Row(.squash, 64, 94),
    Row(.tableTennis, 64, 97), Row(.racquetball, 64), Row(.rugby, 72), Row(.soccer, 7), Row(.tennis, 8),
    Row(.volleyball, 75), Row(.martialArts, 80), Row(.kickboxing, 80), Row(.wrestling, 80),
    Row(.equestrianSports, 27), Row(.other, 70), Row(.australianFootball, 70), Row(.handball, 70),
    Row(.softball, 49), Row(.fitnessGaming, 63, 77), Row(.fitnessGaming, 63),
  ]

  private static let ways: [Row] = [
    Row(.running, 1), Row(.running, 1, 0, .outdoor), Row(.running, 1, 1, .indoor), Row(.running, 1, 45, .indoor),
    Row(.running, 1, 3, .outdoor),
    Row(.running, 1, 2, .outdoor), Row(.trackAndField, 1, 4), Row(.cycling, 2), Row(.cycling, 2, 0, .outdoor),
    Row(.cycling, 2, 6, .indoor),
    Row(.cycling, 2, 5, .indoor), Row(.cycling, 2, 7, .outdoor), Row(.cycling, 2, 8, .outdoor),
    Row(.cycling, 2, 46, .outdoor), Row(.cycling, 21), Row(.handCycling, 2, 12), Row(.handCycling, 2, 88, .indoor),
    Row(.walking, 11), Row(.walking, 11, 27, .indoor), Row(.hiking, 17), Row(.hiking, 16), Row(.hiking, 35),
    Row(.climbing, 31), Row(.climbing, 31, 68, .indoor), Row(.climbing, 31, 69), Row(.climbing, 48, 0, .indoor),
    Row(.crossCountrySkiing, 12), Row(.crossCountrySkiing, 12, 25, .indoor), Row(.downhillSkiing, 13),
    Row(.snowboarding, 14), Row(.snowSports, 58), Row(.curling, 58), Row(.skatingSports, 33),
    Row(.skatingSports, 30), Row(.wheelchairWalkPace, 65), Row(.wheelchairRunPace, 66),
    Row(.wheelchairWalkPace, 65, 86, .indoor), Row(.wheelchairRunPace, 66, 87, .indoor), Row(.transition, 3),
    Row(.transition, 3, 32), Row(.transition, 3, 33), Row(.transition, 3, 34), Row(.swimBikeRun, 18),
    Row(.swimBikeRun, 18, 78),
  ]

  private static let water: [Row] = [
    Row(.swimming, 5), Row(.swimming, 5, 17, .indoor), Row(.swimming, 5, 18, .outdoor), Row(.rowing, 15),
    Row(.rowing, 4, 14, .indoor), Row(.rowing, 15, 14, .indoor), Row(.paddleSports, 19), Row(.paddleSports, 41),
    Row(.paddleSports, 88), Row(.paddleSports, 42), Row(.paddleSports, 37), Row(.sailing, 32),
    Row(.surfingSports, 38), Row(.surfingSports, 43), Row(.surfingSports, 44), Row(.surfingSports, 39),
    Row(.underwaterDiving, 53), Row(.underwaterDiving, 82), Row(.waterSports, 78), Row(.waterSports, 40),
    Row(.waterSports, 76), Row(.waterSports, 77), Row(.waterFitness, 78), Row(.waterPolo, 78), Row(.fishing, 29),
  ]

  private static let rooms: [Row] = [
    Row(.elliptical, 4, 15), Row(.stairClimbing, 4, 16), Row(.stairs, 4, 16), Row(.stepTraining, 4, 16),
    Row(.traditionalStrengthTraining, 10, 20), Row(.functionalStrengthTraining, 10, 20), Row(.coreTraining, 10, 20),
    Row(.mixedCardio, 10, 26), Row(.crossTraining, 10), Row(.mixedCardio, 4, 26), Row(.flexibility, 10, 19),
    Row(.yoga, 10, 43), Row(.pilates, 10, 44), Row(.gymnastics, 10, 23), Row(.preparationAndRecovery, 10, 21),
    Row(.cooldown, 10, 21), Row(.highIntensityIntervalTraining, 62, 70), Row(.highIntensityIntervalTraining, 62),
    Row(.mindAndBody, 67), Row(.mindAndBody, 10, 62), Row(.taiChi, 67), Row(.flexibility, 86), Row(.jumpRope, 84),
    Row(.cardioDance, 83), Row(.socialDance, 83), Row(.barre, 83), Row(.fencing, 0),
    Row(.bowling, 0), Row(.play, 0), Row(.crossTraining, 4),
  ]
}
