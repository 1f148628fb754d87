import Testing
import Workout

@Suite struct CollectedTypeTests {
  @Test func namesAreHealthKits() {
    #expect(
      CollectedType.allCases.map(\.rawValue) == [
        "heartRate", "activeEnergyBurned", "stepCount", "runningSpeed", "distanceWalkingRunning", "cyclingCadence",
        "cyclingSpeed", "distanceCycling",
      ])
  }

  @Test func theActivityAndTheLocationChooseTheTypes() {
    let expected: [(ActivityType, LocationType, [CollectedType])] = [
      (.running, .outdoor, [.heartRate, .activeEnergyBurned, .stepCount, .runningSpeed, .distanceWalkingRunning]),
      (.running, .indoor, [.heartRate, .activeEnergyBurned, .stepCount, .runningSpeed, .distanceWalkingRunning]),
      (.walking, .outdoor, [.heartRate, .activeEnergyBurned, .stepCount, .distanceWalkingRunning]),
      (.cycling, .outdoor, [.heartRate, .activeEnergyBurned, .cyclingCadence, .cyclingSpeed, .distanceCycling]),
      (.cycling, .unknown, [.heartRate, .activeEnergyBurned, .cyclingCadence, .cyclingSpeed, .distanceCycling]),
      (.cycling, .indoor, [.heartRate, .activeEnergyBurned]),
      (.rowing, .indoor, [.heartRate, .activeEnergyBurned]),
    ]
    for (activity, location, types) in expected {
      let source = LiveDataSource(activity: activity, location: location)
      #expect(source.typesToCollect == types, "\(activity) \(location)")
      #expect(!source.isTunedByHand)
    }
    for activity in ActivityType.allCases {
      let source = LiveDataSource(activity: activity, location: .outdoor)
      #expect(source.types.isSuperset(of: [.heartRate, .activeEnergyBurned]), "\(activity)")
    }
  }

  @Test func aChangeOfActivityRetunesIt() {
    var source = LiveDataSource(activity: .running, location: .outdoor)
    source.retune(to: .cycling, at: .indoor)
    #expect(source.typesToCollect == [.heartRate, .activeEnergyBurned])
  }

  @Test func byHandEndsTheRetuning() {
    var source = LiveDataSource(activity: .running, location: .outdoor)
    source.disable(.stepCount)
    source.enable(.cyclingCadence)
    let types: [CollectedType] = [
      .heartRate, .activeEnergyBurned, .runningSpeed, .distanceWalkingRunning, .cyclingCadence,
    ]
    #expect(source.typesToCollect == types)
    source.retune(to: .cycling, at: .indoor)
    #expect(source.typesToCollect == types)
    #expect(LiveDataSource(byHand: Set(types)) == source)
    var same = LiveDataSource(activity: .rowing, location: .indoor)
    same.enable(.heartRate)
    same.retune(to: .running, at: .outdoor)
    #expect(same.typesToCollect == [.heartRate, .activeEnergyBurned], "though nothing was changed by it")
  }

  @Test func theTextIsTheNames() {
    #expect([CollectedType.heartRate, .stepCount].text == "heartRate stepCount")
    #expect([CollectedType](text: "heartRate stepCount") == [.heartRate, .stepCount])
    #expect([CollectedType](text: "") == [])
    #expect([CollectedType](text: "heartRate steps") == nil)
  }
}
