import Control
import Foundation
import Measurements
import Testing
import Workout

@testable import Engine

/// Long workouts: what the engine keeps does not grow with them.
struct EnduranceTests {
  /// How many values the engine keeps, arrays and dictionaries counted through.
  private func weight(_ value: Any) -> Int {
    Mirror(reflecting: value).children.reduce(1) { $0 + weight($1.value) }
  }

  /// What it keeps but for the last events, which are as many as may be, and larger or smaller.
  private func weight(of world: World) -> Int {
    var engine = world.engine
    #expect(engine.subscriptions.recent.count <= RecentEvents.mostEvents)
    #expect(engine.subscriptions.recent.octets <= RecentEvents.mostOctets)
    engine.subscriptions.recent = RecentEvents(after: 0)
    return weight(engine)
  }

  private func resident() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  @Test func twoDaysAt1HzWithRR() {
    let world = World.running()
    world.forgets = true
    var weights: [Int: Int] = [:]
    var memory: [Int: Int] = [:]
    for hour in 1...48 {
      for second in 0..<3600 {
        world.beat(UInt8(60 + (second + hour) % 120), rr: [870, 512])
        world.advance(.seconds(1))
        if second % 60 == 0 { world.sync() }
      }
      weights[hour] = weight(of: world)
      memory[hour] = resident()
    }
    let live = world.live
    #expect(live["elapsedSeconds"]?.asReal == 172_800)
    #expect(live["statistics"]?["heartRate"]?["count"]?.asInteger == 172_800)
    #expect(live["statistics"]?["heartRate"]?["coveredSeconds"]?.asReal == 172_800)
    #expect(live["statistics"]?["rrCount"]?.asInteger == 345_600)
    print(
      "48 h at 1 Hz: the engine keeps \(weights[1] ?? 0) values after an hour, \(weights[48] ?? 0) after 48;",
      "resident \((memory[1] ?? 0) >> 20) and \((memory[48] ?? 0) >> 20) MiB of this process")
    #expect(abs((weights[48] ?? 0) - (weights[1] ?? 0)) <= 20, "\(weights.sorted { $0.key < $1.key })")
  }

  /// 10,000 pauses of a second, with running stretches of 1.001 s: exact to the nanosecond, and nothing of them is kept.
  @Test func tenThousandPauses() {
    var configuration = World.configured
    configuration.limits.absence = nil  // nobody beats in it
    let world = World.running(configuration)
    world.forgets = true
    var weights: [Int] = []
    for pause in 1...10_000 {
      world.advance(.milliseconds(1001))
      #expect(world.outcome("Pause") == "paused")
      world.advance(.seconds(1))
      #expect(world.outcome("Resume") == "running")
      if pause % 60 == 0 { world.sync() }
      if pause == 100 || pause == 10_000 { weights.append(weight(of: world)) }
    }
    #expect(world.live["elapsedSeconds"]?.asReal == 10_010)
    #expect(world.live["wallSeconds"]?.asReal == 20_010)
    print("10,000 pauses: the engine keeps \(weights) values after 100 and after all of them")
    #expect(abs(weights[1] - weights[0]) <= 20)
  }
}
