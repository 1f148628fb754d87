import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// A strap's battery on its way down, in virtual time.
struct BatteryScenarioTests {
  private static func streaming(_ world: World = World()) -> World {
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    return world
  }

  private static func told(_ world: World) -> [String] {
    world.events.compactMap { event in
      if case .battery(let level, let threshold, _) = event.what { "\(level.percent)/\(threshold)" } else { nil }
    }
  }

  @Test func eachCrossingIsToldOnce() throws {
    let world = Self.streaming()
    world.arrive(world.bluez.batteryAppears(World.a, 25))
    for level in [22, 20, 20, 18, 11, 10, 8, 6, 5, 3] as [UInt8] {
      world.arrive(world.bluez.batteryChanges(World.a, level))
    }
    #expect(Self.told(world) == ["20/20", "10/10", "5/5"])
    let event = try #require(world.events.first { if case .battery = $0.what { true } else { false } })
    #expect(event.strap == World.a)
    #expect(event.session != nil, "the session on the strap is named")
    let warnings = world.logs.filter { $0.text.contains("battery") }
    #expect(
      warnings
        == [20, 10, 5].map { level in
          LogEntry(.warning, "the battery of Demo HR (\(World.a)) is low: \(level) %", strap: World.a)
        })
    #expect(world.knownStraps.first?.battery == BatteryLevel(percent: 3))
  }

  @Test func aFallThroughSeveralIsOneEvent() {
    let world = Self.streaming()
    world.arrive(world.bluez.batteryAppears(World.a, 25))
    world.arrive(world.bluez.batteryChanges(World.a, 4))
    #expect(Self.told(world) == ["4/5"])
  }

  /// The level is read anew on each connection, and bluetoothd shows it anew.
  @Test func aReconnectTellsNothingAgain() {
    let world = Self.streaming()
    world.arrive(world.bluez.batteryAppears(World.a, 19))
    for _ in 0..<3 {
      world.lose()
      world.arrive(world.bluez.batteryGoes(World.a))
      world.advance(.seconds(5))
      world.come()
      world.advance(.seconds(40))
      world.beat(70)
      world.arrive(world.bluez.batteryAppears(World.a, 19))
    }
    #expect(world.strap()["reconnects"]?.asInteger == 3)
    #expect(Self.told(world) == ["19/20"])
  }

  /// The level 22 of the second life would not be low, and was low before without having risen far enough since.
  @Test func aRestartTellsNothingAgain() {
    var world = Self.streaming()
    world.arrive(world.bluez.batteryAppears(World.a, 18))
    world.arrive(world.bluez.batteryChanges(World.a, 22))
    #expect(Self.told(world) == ["18/20"])
    world = world.killed()
    world.advance(.seconds(2))
    world.beat(70)
    #expect(world.strap()["link"]?.asString == "streaming")
    for level in [22, 17, 12, 9] as [UInt8] { world.arrive(world.bluez.batteryChanges(World.a, level)) }
    #expect(Self.told(world) == ["9/10"])
    world = world.killed()
    world.arrive(world.bluez.batteryChanges(World.a, 26))
    world.arrive(world.bluez.batteryChanges(World.a, 20))
    #expect(Self.told(world) == ["20/20"], "after it has risen far enough")
  }

  /// Where BlueZ does not claim the service, the level is read over GATT.
  @Test func aLevelThatIsReadOverGATTCounts() {
    var bluez = World.straps
    bluez.straps[World.a]?.battery = 7
    bluez.showsBatteryService = true
    let world = Self.streaming(World(bluez: bluez))
    world.advance(.seconds(1))
    #expect(Self.told(world) == ["7/10"])
    #expect(world.strap()["batteryPercent"]?.asInteger == 7)
  }

  @Test func aLevelThatIsNoneIsPassedOver() {
    let world = Self.streaming()
    world.arrive(world.bluez.batteryAppears(World.a, 30))
    world.arrive(world.bluez.batteryChanges(World.a, 101))
    #expect(Self.told(world) == [])
    #expect(world.knownStraps.first?.battery == BatteryLevel(percent: 30))
  }

  @Test func eachStrapHasItsOwn() {
    let world = Self.streaming()
    world.call("Prepare", ["strap": .string(World.b.description)])
    world.advance(.seconds(2))
    world.arrive(world.bluez.batteryAppears(World.a, 15))
    world.arrive(world.bluez.batteryAppears(World.b, 15))
    world.arrive(world.bluez.batteryChanges(World.a, 14))
    #expect(Self.told(world) == ["15/20", "15/20"])
  }
}
