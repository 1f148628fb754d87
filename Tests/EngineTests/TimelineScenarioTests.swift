import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Laps, segments, markers, activities: over the calls, with their statistics, and after a kill.
struct TimelineScenarioTests {
  private func laps(_ world: World) -> [JSON] {
    world.call("GetSession", ["session": .string(world.liveID)])["parameters"]?["laps"]?.asArray ?? []
  }

  private func activities(_ world: World) -> [JSON] {
    world.call("GetSession", ["session": .string(world.liveID)])["parameters"]?["activities"]?.asArray ?? []
  }

  // MARK: Laps

  @Test func t01_lapsHaveTheirOwnStatistics() {
    let world = World.running()
    world.beats(10, 100)
    world.call("Lap", ["label": .string("easy")])
    world.beats(5, 150)
    #expect(world.live["lapCount"]?.asInteger == 1)
    #expect(world.live["lap"]?["elapsedSeconds"]?.asReal == 5)
    #expect(world.live["lap"]?["statistics"]?["heartRate"]?["minimum"]?.asInteger == 150)
    world.call("Pause")
    world.beats(100, 90)
    world.call("Resume")
    world.call("Lap")
    world.beats(3, 120)
    world.call("Stop")
    world.advance(.seconds(5))
    #expect(world.outcome("Lap") == "stopped", "what is left, up to the end")
    #expect(world.outcome("Lap") == "EndNotAfterStart", "nothing is left")
    world.call("End")
    let saved = world.saved
    #expect(saved?.laps.map(\.summary.elapsed) == [.seconds(10), .seconds(5), .seconds(3)])
    #expect(saved?.laps.map(\.summary.wall) == [.seconds(10), .seconds(105), .seconds(3)])
    #expect(saved?.laps.map { $0.summary.heartRate?.count } == [10, 5, 3])
    #expect(saved?.laps.map(\.interval.label) == ["easy", nil, nil])
    #expect(saved?.laps.map { $0.summary.heartRate?.minimum } == [100, 150, 120])
    let covered = saved?.laps.compactMap(\.summary.heartRate?.covered).reduce(.zero, +)
    #expect(covered == saved?.heartRate?.covered, "laps without gaps add up to the whole")
  }

  @Test func t02_eachLapIsPublishedWithItsStatistics() {
    let world = World.running()
    world.beats(4, 100)
    world.call("Lap")
    guard case .lap(let lap) = world.kinds(["lap"]).first?.what else {
      Issue.record("no lap")
      return
    }
    #expect(lap.summary?.elapsed == .seconds(4))
    #expect(lap.summary?.heartRate?.count == 4)
    #expect(lap.number == world.kinds(["lap"]).first?.sequence)
  }

  @Test func t03_lapsWithDatesOfTheirOwn() {
    let world = World.running()
    world.beats(10, 100)
    world.beats(10, 150)
    world.beats(10, 120)
    // From 5 to 15 s, in the past; the store tells its statistics.
    #expect(world.outcome("Lap", ["startDate": world.ago(24.5), "endDate": world.ago(14.5)]) == "running")
    guard case .lap(let published) = world.kinds(["lap"]).first?.what else {
      Issue.record("no lap")
      return
    }
    #expect(published.summary == nil, "it is not known yet")
    world.advance(.zero)
    #expect(laps(world).first?["elapsedSeconds"]?.asReal == 10)
    #expect(laps(world).first?["statistics"]?["heartRate"]?["count"]?.asInteger == 10)
    // The next one without dates is from its end.
    world.beats(1, 120)
    world.call("Lap")
    #expect(laps(world).map { $0["elapsedSeconds"]?.asReal } == [10, 15.5])
    // One before it, in the gap that is left.
    #expect(world.outcome("Lap", ["startDate": world.ago(31), "endDate": world.ago(25.5)]) == "running")
    world.advance(.zero)
    #expect(laps(world).map { $0["elapsedSeconds"]?.asReal } == [5.5, 10, 15.5], "in the order of their starts")
    let overlap = world.call("Lap", ["startDate": world.ago(26), "endDate": world.ago(20)])
    #expect(overlap["error"]?.asString == "io.strapd.LapsOverlap")
    #expect(overlap["parameters"]?["otherStartDate"] != nil)
    #expect(world.outcome("Lap", ["startDate": world.ago(500)]) == "OutsideWorkout")
    #expect(world.outcome("Lap", ["endDate": world.ago(-5)]) == "DateAhead")
    #expect(laps(world).count == 3)
  }

  @Test func t04_aLapAtTheVeryTickOfASample() {
    let world = World.running()
    world.beats(3, 100)
    world.beat(200)
    world.call("Lap")
    world.advance(.seconds(1))
    world.beats(2, 120)
    world.call("End")
    #expect(world.saved?.laps.map { $0.summary.heartRate?.maximum } == [200], "it came before the lap's end")
    #expect(world.saved?.laps.map { $0.summary.heartRate?.count } == [4])
    #expect(world.saved?.heartRate?.count == 6)
  }

  // MARK: Segments and markers

  @Test func t05_segmentsAndMarkersAreEventsOfTheWorkout() {
    let world = World.running()
    world.beats(20)
    #expect(world.outcome("Segment", ["startDate": world.ago(15), "label": .string("hill")]) == "running")
    #expect(
      world.outcome("Segment", ["startDate": world.ago(18), "endDate": world.ago(3)]) == "running", "may overlap")
    #expect(world.outcome("Segment", ["startDate": world.ago(3), "endDate": world.ago(8)]) == "EndNotAfterStart")
    #expect(world.outcome("Marker", ["date": world.ago(19)]) == "running")
    #expect(world.outcome("Marker", ["date": world.ago(21)]) == "OutsideWorkout")
    world.call("Pause")
    world.advance(.milliseconds(500))
    #expect(world.outcome("RequestPauseOrResume") == "paused")
    #expect(world.live["state"]?.asString == "paused", "it is only told")
    world.advance(.milliseconds(500))
    world.call("Resume")
    let id: JSON = .string(world.liveID)
    func events(_ world: World) -> [JSON] {
      world.call("ListEvents", ["id": id])["parameters"]?["events"]?.asArray ?? []
    }
    let kinds = ["marker", "segment", "segment", "pause", "pauseOrResumeRequest", "resume"]
    #expect(events(world).map { $0["kind"]?.asString } == kinds)
    let again = world.killed()
    again.advance(.seconds(1))
    #expect(events(again).map { $0["kind"]?.asString } == kinds + ["recovered"])
    again.call("End")
    let saved = events(again)
    #expect(saved.map { $0["kind"]?.asString } == kinds + ["recovered"])
    let dates = saved.compactMap { $0["startDate"]?.asString.flatMap { WallTime(rfc3339: $0) } }
    #expect(dates == dates.sorted() && dates.count == 7)
    #expect(saved.map { $0["endDate"] != nil } == [false, true, true, false, false, false, false])
    #expect(saved.map { $0["label"]?.asString } == [nil, nil, "hill", nil, nil, nil, nil])
    let page = again.call("ListEvents", ["id": id, "from": .integer(2), "limit": .integer(3)])["parameters"]
    #expect(page?["events"]?.asArray?.map { $0["kind"]?.asString } == ["segment", "pause", "pauseOrResumeRequest"])
    #expect(page?["next"]?.asInteger == 5)
    #expect(again.outcome("ListEvents", ["id": .string("11111111-2222-4333-8444-555555555555")]) == "NoSuchWorkout")
  }

  // MARK: Activities

  @Test func t06_swimBikeRun() {
    let world = World.running()
    world.call("BeginActivity", ["activity": .string("swimming"), "location": .string("outdoor")])
    world.beats(5, 100)
    world.call("EndActivity")
    let whole = LiveDataSource(activity: .running, location: .unknown).typesToCollect.map(\.rawValue)
    #expect(world.live["typesToCollect"]?.asArray?.compactMap(\.asString) == whole, "those of the workout as a whole")
    world.beats(2, 90)  // transition, of no activity
    world.call("BeginActivity", ["activity": .string("cycling"), "location": .string("indoor")])
    world.beats(4, 130)
    #expect(world.live["currentActivity"]?["activity"]?.asString == "cycling")
    #expect(world.live["currentActivity"]?["elapsedSeconds"]?.asReal == 4)
    world.call("BeginActivity", ["activity": .string("running"), "label": .string("final")])
    world.beats(3, 160)
    world.call("End")
    let activities = world.saved?.activities ?? []
    #expect(activities.map(\.began.activity) == [.swimming, .cycling, .running])
    #expect(activities.map(\.summary.elapsed) == [.seconds(5), .seconds(4), .seconds(3)])
    #expect(activities.map { $0.summary.heartRate?.count } == [5, 4, 3])
    #expect(activities.map { $0.summary.heartRate?.maximum } == [102, 132, 162])
    #expect(activities.map(\.began.label) == [nil, nil, "final"])
    #expect(activities.last?.end == world.saved?.end)
    #expect(world.saved?.heartRate?.count == 14)
    let kinds = world.kinds(["activityBegan", "activityEnded"]).map(\.kind)
    #expect(
      kinds == [
        "activityBegan", "activityEnded", "activityBegan", "activityEnded", "activityBegan", "activityEnded",
      ])
  }

  @Test func t07_activitiesInTheWrongOrderAreRefused() {
    let world = World.running()
    world.advance(.seconds(20))
    func begin(_ seconds: Double) -> String {
      world.outcome("BeginActivity", ["activity": .string("cycling"), "date": world.ago(seconds)])
    }
    #expect(begin(10) == "running")
    #expect(begin(15) == "EndNotAfterStart", "before the one that is under way")
    #expect(world.outcome("EndActivity", ["date": world.ago(12)]) == "EndNotAfterStart")
    #expect(world.outcome("EndActivity", ["date": world.ago(5)]) == "running")
    #expect(begin(7) == "ActivitiesOverlap")
    #expect(begin(30) == "OutsideWorkout")
    #expect(world.outcome("BeginActivity", ["activity": .string("dancing")]) == "UnknownActivity")
    #expect(begin(3) == "running")
    #expect(activities(world).count == 2)
  }

  @Test func t08_anEndInThePastCutsWhatCameAfterIt() {
    let world = World.running()
    world.beats(10, 100)
    world.call("Lap")
    world.call("BeginActivity", ["activity": .string("cycling")])
    world.beats(10, 120)
    world.call("Lap")
    world.call("BeginActivity", ["activity": .string("running")])
    world.beats(10, 140)
    world.call("Stop", ["date": world.ago(14.5)])
    world.call("End")
    world.advance(.seconds(1))
    #expect(world.saved?.elapsed == .milliseconds(15_500))
    #expect(world.saved?.laps.map(\.summary.elapsed) == [.seconds(10), .milliseconds(5_500)])
    #expect(world.saved?.activities.map(\.summary.elapsed) == [.milliseconds(5_500)])
    #expect(world.saved?.activities.map { $0.summary.heartRate?.count } == [6])
    #expect(world.logs.filter { $0.priority == .error }.isEmpty)
  }

  // MARK: After a kill

  @Test(arguments: [0, 15, 35, 60])
  func t09_partsSurviveAKill(milliseconds: Int) {
    let world = World.running()
    world.beats(10, 100)
    world.call("Lap", ["label": .string("one")])
    world.call("BeginActivity", ["activity": .string("cycling")])
    world.beats(6, 120)
    world.call("Lap")
    world.call("EndActivity")
    world.beats(2, 90)
    world.call("BeginActivity", ["activity": .string("running")])
    world.beats(4, 150)
    // A slow store; and calls while the session is being taken up.
    let again = world.killed(downFor: .seconds(5), readingTime: .milliseconds(20))
    again.advance(.milliseconds(milliseconds))
    #expect(again.outcome("Lap") == "running")
    again.advance(.seconds(2))
    again.beats(5, 160)
    again.call("BeginActivity", ["activity": .string("cooldown")])
    again.beats(2, 100)
    again.call("Lap")
    again.call("End")
    again.advance(.seconds(1))
    let saved = again.saved
    let third = Duration.seconds(6 + 5) + .milliseconds(milliseconds)
    #expect(saved?.laps.map(\.summary.elapsed).prefix(3) == [.seconds(10), .seconds(6), third])
    #expect(saved?.laps.map { $0.summary.heartRate?.count } == [10, 6, 6, 7])
    #expect(saved?.laps.map(\.interval.label) == ["one", nil, nil, nil])
    #expect(saved?.activities.map(\.began.activity) == [.cycling, .running, .cooldown])
    #expect(saved?.activities.map { $0.summary.heartRate?.count } == [6, 9, 2])
    #expect(saved?.heartRate?.count == 29)
    #expect(again.logs.filter { $0.priority == .error }.isEmpty)
  }

  /// Dates that lie ahead by less than a second mean now: what is dated agrees with what lasted.
  @Test func t20_datesALittleAhead() throws {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    func ahead(_ milliseconds: Int) -> JSON {
      .string((world.now.wall + .milliseconds(milliseconds)).rfc3339)
    }
    let start = (now: world.now.wall, given: ahead(900))
    #expect(world.outcome("Start", ["date": start.given]) == "running")
    #expect(world.live["startDate"]?.asString == start.now.rfc3339)
    #expect(world.live["requestedStartDate"] == start.given)
    world.beats(10, 100)
    #expect(world.outcome("Lap", ["endDate": ahead(1000)]) == "running")
    world.advance(.milliseconds(300))
    #expect(world.outcome("Lap", ["endDate": ahead(500)]) == "running")
    #expect(world.outcome("BeginActivity", ["activity": .string("cycling"), "date": ahead(700)]) == "running")
    world.beats(5, 120)
    #expect(world.outcome("EndActivity", ["date": ahead(800)]) == "running")
    for part in laps(world) + activities(world) {
      let (from, to) = (part["startDate"]?.asString, part["endDate"]?.asString)
      let length = try #require(to.flatMap { WallTime(rfc3339: $0) }) - #require(from.flatMap { WallTime(rfc3339: $0) })
      #expect(length.inSeconds == part["wallSeconds"]?.asReal)
    }
    #expect(laps(world).first?["endDate"] == laps(world).last?["startDate"])
    let stop = (now: world.now.wall, given: ahead(1000))
    world.call("Stop", ["date": stop.given])
    world.advance(.seconds(1))
    #expect(world.live["endDate"]?.asString == stop.now.rfc3339)
    #expect(world.live["requestedEndDate"] == stop.given)
    #expect(world.live["wallSeconds"]?.asReal == (stop.now - start.now).inSeconds)
    guard case .transition(let transition)? = world.kinds(["transition"]).last?.what else {
      Issue.record("no transition")
      return
    }
    #expect(transition.at.requested?.rfc3339 == stop.given.asString)
    #expect(world.outcome("Marker", ["date": ahead(1001)]) == "DateAhead")
  }
}
