import Testing

@testable import Engine

struct EngineTests {
  /// The world of the scenarios has a bus when it starts.
  @Test func aBusThatIsAbsentFromTheStartIsToldOnce() {
    let entropy = [UInt8](repeating: 7, count: Engine.entropyCount)
    var engine = Engine(configuration: Configuration(), entropy: entropy, nextSequence: 1)
    var effects = engine.start(recovering: [], lastAlive: nil, at: World.start)
    for _ in 0..<3 { effects += engine.handle(.busLost("no such file"), at: World.start) }
    let told = effects.filter { effect in
      if case .log(let entry) = effect { entry.text.contains("the system bus is gone (no such file)") } else { false }
    }
    #expect(told.count == 1)
  }
}
