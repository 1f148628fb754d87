import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Stories of clients that watch: which events they are told, how often, and what they have missed.
struct WatchScenarioTests {
  static func watch(_ world: World, _ parameters: KeyValuePairs<String, JSON?> = [:]) -> ClientID {
    let client = world.connect()
    world.send(client, VarlinkCall("io.strapd.Watch", .object(parameters), more: true))
    return client
  }

  static func take(_ world: World, _ client: ClientID) -> [JSON] {
    world.take(client).compactMap { $0["parameters"] }
  }

  static func numbers(_ told: [JSON]) -> [Int64] {
    told.filter { $0["kind"]?.asString != "snapshot" }.compactMap { $0["sequence"]?.asInteger }
  }

  static func kinds(_ told: [JSON]) -> [String] { told.compactMap { $0["kind"]?.asString } }

  /// How many measurements a watcher was told of, by itself or by others.
  static func measurements(_ told: [JSON]) -> Int64 {
    told.map { message in
      switch message["kind"]?.asString {
      case "heartRate": message["coalesced"]?.asInteger ?? 1
      case "lagged": message["count"]?.asInteger ?? 0
      default: 0
      }
    }.reduce(0, +)
  }

  /// Measurements, ten a second.
  static func beat(_ world: World, _ count: Int, _ heartRate: UInt8 = 70, _ straps: [StrapAddress] = [World.a]) {
    for _ in 0..<count {
      for strap in straps { world.beat(heartRate, strap, rr: [870]) }
      world.advance(.milliseconds(100))
    }
  }

  /// A session that runs.
  @discardableResult
  static func run(_ world: World, _ strap: StrapAddress = World.a) -> String {
    let id = world.call("Prepare", ["strap": .string(strap.description)])["parameters"]?["session"]?.asString ?? ""
    world.advance(.seconds(2))
    world.beat(70, strap)
    world.call("Start", ["session": .string(id)])
    return id
  }

  // MARK: Filters

  @Test func v01_ofOneSession() throws {
    let world = World()
    let (first, second) = (Self.run(world), Self.run(world, World.b))
    let client = Self.watch(world, ["sessions": .array([.string(first)])])
    let snapshot = try #require(Self.take(world, client).first)
    #expect(snapshot["sessions"]?.asArray?.map { $0["id"]?.asString } == [first])
    #expect(snapshot["straps"]?.asArray?.map { $0["address"]?.asString } == [World.a.description])
    Self.beat(world, 5, 80, [World.a, World.b])
    world.call("Lap", ["session": .string(first)])
    world.call("Lap", ["session": .string(second)])
    world.setClock(by: .seconds(3600))
    let told = Self.take(world, client)
    #expect(Set(told.map { $0["session"]?.asString }) == [first])
    #expect(Self.kinds(told).filter { $0 == "heartRate" }.count == 5)
    #expect(Self.kinds(told).filter { $0 == "lap" }.count == 1)
    #expect(Self.kinds(told).contains("clockStep"))
  }

  @Test func v02_ofOneStrapWhoseLinkIsNotHeld() {
    let world = World()
    let client = Self.watch(world, ["ofStraps": .array([.string(World.b.description)])])
    world.advance(.seconds(5))
    #expect(world.bluez.calls.filter { $0 == "Connect" } == [])
    #expect(world.strap(World.b)["monitors"]?.asInteger ?? 0 == 0)
    Self.run(world)
    Self.run(world, World.b)
    Self.beat(world, 5, 80, [World.a, World.b])
    let told = Self.take(world, client).dropFirst()
    #expect(told.allSatisfy { $0["strap"]?.asString == World.b.description })
    #expect(Self.kinds(Array(told)).filter { $0 == "heartRate" }.count == 6)
    world.setClock(by: .seconds(-7))
    #expect(Self.take(world, client).allSatisfy { $0["strap"]?.asString == World.b.description })
    for strap in [World.a, World.b] { world.call("End", ["session": session(world, on: strap)]) }
    _ = Self.take(world, client)
    world.setClock(by: .seconds(7))
    #expect(Self.kinds(Self.take(world, client)) == ["clockStep"], "what is nobody's is everybody's")
  }

  private func session(_ world: World, on strap: StrapAddress) -> JSON? {
    world.status["sessions"]?.asArray?.first { $0["strap"]?.asString == strap.description }?["id"]
  }

  @Test func v03_ofSomeKinds() {
    let world = World()
    let client = Self.watch(world, ["kinds": .array([.string("transition"), .string("lap")])])
    Self.run(world)
    Self.beat(world, 5)
    world.call("Lap")
    world.call("Pause")
    world.call("End")
    #expect(
      Self.kinds(Self.take(world, client))
        == ["snapshot", "transition", "transition", "lap", "transition", "transition", "transition"])
  }

  @Test func v04_anIdOfNoSessionIsNoError() {
    let world = World()
    let id = "0f0e0d0c-0b0a-4908-8706-050403020100"
    let client = Self.watch(world, ["sessions": .array([.string(id)])])
    Self.run(world)
    Self.beat(world, 5)
    #expect(Self.kinds(Self.take(world, client)) == ["snapshot"])
  }

  // MARK: Since

  @Test func v05_whoComesAgainIsToldEachEventOnce() throws {
    let world = World()
    let whole = Self.watch(world)
    Self.run(world)
    Self.beat(world, 10)
    var since = try #require(world.events.last?.sequence)
    _ = Self.take(world, whole)
    var (all, pieced): ([JSON], [JSON]) = ([], [])
    for round in 0..<5 {
      Self.beat(world, 7, 80 + UInt8(round))
      world.call("Lap")
      let client = Self.watch(world, ["since": .integer(since)])
      Self.beat(world, 5)
      world.call(round % 2 == 0 ? "Pause" : "Resume")
      let told = Self.take(world, client)
      #expect(told[0]["kind"]?.asString == "snapshot")
      #expect(told[0]["replaysAfter"]?.asInteger == since && told[0]["missed"]?.asBool == false)
      pieced += told.dropFirst()
      since = try #require(Self.numbers(told).last)
      world.input(.clientGone(client))
    }
    all = Self.take(world, whole)
    #expect(all.count > 60)
    #expect(pieced == all, "the same octets, in the same order, without a gap or a repetition")
  }

  @Test func v06_sinceTheLastOneNothingIsMissing() throws {
    let world = World()
    Self.run(world)
    let last = try #require(world.events.last?.sequence)
    let client = Self.watch(world, ["since": .integer(last)])
    let told = Self.take(world, client)
    #expect(Self.kinds(told) == ["snapshot"])
    #expect(told[0]["replaysAfter"]?.asInteger == last && told[0]["missed"]?.asBool == false)
    let plain = Self.take(world, Self.watch(world))
    #expect(plain[0]["replaysAfter"] == nil && plain[0]["missed"] == nil)
    let future = world.connect()
    world.send(future, VarlinkCall("io.strapd.Watch", .object(["since": .integer(last + 1)]), more: true))
    let refusal = world.take(future)
    #expect(refusal[0]["error"]?.asString == "org.varlink.service.InvalidParameter")
    #expect(refusal[0]["parameters"]?["parameter"]?.asString == "since")
  }

  @Test func v07_whatIsNotKnownAnyMoreIsSaid() throws {
    let world = World()
    Self.run(world)
    let first = try #require(world.events.first?.sequence)
    Self.beat(world, RecentEvents.mostEvents + 100)
    let told = Self.take(world, Self.watch(world, ["since": .integer(first)]))
    let after = try #require(told[0]["replaysAfter"]?.asInteger)
    #expect(told[0]["missed"]?.asBool == true)
    #expect(after > first)
    #expect(Self.numbers(told) == Array((after + 1)...(world.events.last?.sequence ?? 0)))
    #expect(told.count == RecentEvents.mostEvents + 1)
  }

  @Test func v08_anEarlierLifeIsNotKnown() throws {
    let world = World()
    Self.run(world)
    Self.beat(world, 5)
    let last = try #require(world.events.last?.sequence)
    let again = world.killed()
    again.advance(.seconds(3))
    let told = Self.take(again, Self.watch(again, ["since": .integer(last)]))
    #expect(told[0]["missed"]?.asBool == true)
    #expect(Self.numbers(told) == again.events.map(\.sequence), "all of this life")
    #expect(Self.kinds(told).contains("recovered"))
  }

  @Test func v09_filtersGoForWhatIsReplayed() throws {
    let world = World()
    Self.run(world)
    let since = try #require(world.events.last?.sequence)
    Self.beat(world, 30)
    world.call("Lap")
    Self.beat(world, 5)
    let laps = Self.watch(world, ["since": .integer(since), "kinds": .array([.string("lap")])])
    #expect(Self.kinds(Self.take(world, laps)) == ["snapshot", "lap"])
    // By when they came, and not by when they are told again.
    let slow = Self.watch(world, ["since": .integer(since), "rate": .string("second")])
    world.advance(.seconds(1))
    let told = Self.take(world, slow)
    #expect(Self.kinds(told).filter { $0 == "heartRate" }.count == 5)
    #expect(Self.measurements(told) == 35)
    #expect(Self.numbers(told) == Self.numbers(told).sorted())
  }

  // MARK: Rates

  @Test(arguments: [("second", 1), ("fiveSeconds", 5)])
  func v10_theNewestOnceInAWhile(_ rate: String, _ seconds: Int) throws {
    let world = World()
    Self.run(world)
    world.advance(.seconds(10))
    let (client, every) = (Self.watch(world, ["rate": .string(rate)]), Self.watch(world))
    for index in 0..<200 { Self.beat(world, 1, UInt8(60 + index % 50)) }
    let rates = Self.take(world, client).filter { $0["kind"]?.asString == "heartRate" }
    #expect(rates.count == 20 / seconds + 1)
    let all = Self.take(world, every).filter { $0["kind"]?.asString == "heartRate" }
    #expect(all.count == 200)
    #expect(all.allSatisfy { $0["coalesced"] == nil })
    let samples = 10 * seconds
    #expect(rates[0]["sequence"] == all[0]["sequence"] && rates[0]["coalesced"] == nil)
    for (index, message) in rates.dropFirst().enumerated() {
      let newest = all[(index + 1) * samples - 1]
      #expect(message["sequence"] == newest["sequence"] && message["heartRate"] == newest["heartRate"])
    }
    world.advance(.seconds(6))
    let last = Self.take(world, client).filter { $0["kind"]?.asString == "heartRate" }
    #expect(Self.measurements(rates + last) == 200, "none is left out without being counted")
    #expect((rates + last).last?["sequence"] == all.last?["sequence"])
  }

  @Test func v11_theLastValueIsToldBeforeATransition() throws {
    let world = World()
    Self.run(world)
    world.advance(.seconds(2))
    let client = Self.watch(world, ["rate": .string("fiveSeconds")])
    let only = Self.watch(world, ["rate": .string("fiveSeconds"), "kinds": .array([.string("heartRate")])])
    Self.beat(world, 13, 80)
    world.beat(99)
    world.call("Pause")
    let told = Self.take(world, client).filter { ["heartRate", "transition"].contains($0["kind"]?.asString) }
    #expect(told.map { $0["heartRate"]?.asInteger } == [80, 99, nil])
    #expect(told[1]["coalesced"]?.asInteger == 13)
    #expect(told[2]["to"]?.asString == "paused")
    #expect(Self.numbers(told) == Self.numbers(told).sorted())
    let rates = Self.take(world, only).dropFirst()
    #expect(rates.map { $0["heartRate"]?.asInteger } == [80, 99], "whether or not it is told of the transition")
  }

  @Test func v12_onChange() {
    let world = World()
    Self.run(world)
    let client = Self.watch(world, ["rate": .string("change")])
    Self.beat(world, 10, 80)
    Self.beat(world, 10, 81)
    world.call("Pause")
    Self.beat(world, 10, 81)
    world.raw([0x04, 81])
    let told = Self.take(world, client)
    let rates = told.filter { $0["kind"]?.asString == "heartRate" }
    #expect(rates.map { $0["heartRate"]?.asInteger } == [80, 81, 81, 81])
    #expect(rates.map { $0["coalesced"]?.asInteger } == [nil, 10, 10, 10])
    #expect(rates.map { $0["counted"]?.asBool } == [true, true, false, false])
    #expect(rates.map { $0["contact"]?.asString } == ["detected", "detected", "detected", "notDetected"])
    #expect(Self.numbers(told) == Self.numbers(told).sorted())
  }

  @Test func v13_theNumbersRiseWithSeveralStraps() {
    let world = World()
    Self.run(world)
    Self.run(world, World.b)
    let client = Self.watch(world, ["rate": .string("second")])
    for round in 0..<40 {
      Self.beat(world, 3, 70, round % 3 == 0 ? [World.b, World.a] : [World.a, World.b])
      if round % 7 == 0 { world.call("Lap", ["session": session(world, on: World.b)]) }
    }
    world.advance(.seconds(1))
    let numbers = Self.numbers(Self.take(world, client))
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
  }
}
