import Testing
import Workout

@testable import ActivityFiles

@Suite struct FITSportsTests {
  @Test func whatFITHasAWordForComesBack() {
    // Those that share a sport of FIT come back as the one that is meant most.
    let shared: Set<ActivityType> = [
      .australianFootball, .handball, .softball, .kickboxing, .wrestling, .curling, .waterFitness, .waterPolo,
      .stairs, .stepTraining, .functionalStrengthTraining, .coreTraining, .cooldown, .taiChi, .socialDance, .barre,
      .fencing, .bowling, .play,
    ]
    for activity in ActivityType.allCases where !shared.contains(activity) {
      for location in LocationType.allCases {
        #expect(FITSport(activity, location).activity.0 == activity, "\(activity) \(location)")
      }
    }
    for activity in shared { #expect(FITSport(activity, .unknown).activity.0 != activity) }
  }

  @Test func aPlaceIsToldWhereFITHasOne() {
    #expect(FITSport(.cycling, .indoor) == FITSport(2, 6))
    #expect(FITSport(.cycling, .outdoor) == FITSport(2, 0))
    #expect(FITSport(.running, .indoor).activity == (.running, .indoor))
    #expect(FITSport(.swimming, .outdoor) == FITSport(5, 18))
    #expect(FITSport(.yoga, .indoor) == FITSport(10, 43))
  }

  @Test func allNumbersAreRead() {
    for sport in UInt8.min...UInt8.max {
      for subSport in UInt8.min...UInt8.max {
        let exact = FITSport(sport, subSport).activity.0
        if exact != FITSport(sport, 0).activity.0 { #expect(exact != .other) }
      }
    }
    #expect(FITSport(200, 7).activity == (.other, .unknown))
    #expect(FITSport(2, 200).activity == (.cycling, .unknown))
  }
}
