import Measurements
import Testing

@testable import Workout

/// After every k inputs of a random stream the builder says what a computation over those k at once says: of the whole,
/// of each lap and of each activity.
@Suite struct LiveBuilderBatchTests {
  private static let zones = HeartRateZones(text: "2 100 140") ?? HeartRateZones(text: "30 100 140")

  private func stream(_ seed: UInt64, count: Int) -> [StreamInput] {
    var random = SeededRandom(state: seed)
    var tick = Tick.at(100)
    var inputs = [StreamInput.mark(.began, tick)]
    var isPaused = false
    var part: Tick?
    while inputs.count < count {
      if Int.random(in: 0..<4, using: &random) > 0 {
        tick = tick + .nanoseconds(Int64.random(in: 0...14_000_000_000, using: &random))
      }
      let number = Int64(inputs.count)
      switch Int.random(in: 0..<16, using: &random) {
      case 0:
        inputs.append(.mark(isPaused ? .resumed : .paused, tick))
        isPaused.toggle()
      case 1: inputs.append(.mark(.linkLost, tick))
      case 2: inputs.append(.mark(.lapEnded(number), tick))
      case 3:
        // Activities last, as the timeline has it.
        if let part, part >= tick { continue }
        let ends = part != nil && Bool.random(using: &random)
        inputs.append(.mark(ends ? .activityEnded : .activityBegan(number), tick))
        part = ends ? nil : tick
      default:
        let contact = SensorContact.allCases.randomElement(using: &random) ?? .unknown
        let heartRate = Bool.random(using: &random) ? UInt8.random(in: 0...3, using: &random) : 150
        let rr = (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt16.random(in: 0...2, using: &random) }
        inputs.append(
          .sample(.example(heartRate, at: tick, contact: contact, rr: rr, isRepeat: .random(using: &random))))
      }
    }
    inputs.append(.mark(.ended, tick + .seconds(1)))
    return inputs
  }

  private func check(_ inputs: [StreamInput]) throws -> Bool {
    var builder = LiveBuilder(zones: Self.zones)
    var isRight = true
    for k in inputs.indices {
      switch inputs[k] {
      case .mark(let mark, let tick): try builder.take(mark, at: tick)
      case .sample(let sample): builder.add(sample)
      }
      let later = [Duration.zero, .milliseconds(3_333), .seconds(20)][k % 3]
      isRight = isRight && Self.agree(builder, Batch(inputs[...k], zones: Self.zones), inputs[k].tick + later)
    }
    return isRight
  }

  private static func agree(_ builder: LiveBuilder, _ batch: Batch, _ now: Tick) -> Bool {
    guard let whole = builder.whole, batch.summary(of: .whole, at: now) == whole.summary(at: now) else { return false }
    for (number, lap) in builder.laps where batch.summary(of: .lap(number), at: now) != lap.summary(at: now) {
      return false
    }
    for (number, activity) in builder.activities
    where batch.summary(of: .activity(number), at: now) != activity.summary(at: now) {
      return false
    }
    if let lap = builder.currentLap, batch.summary(of: .currentLap, at: now) != lap.summary(at: now) { return false }
    if let current = builder.currentActivity {
      return batch.summary(of: .activity(current.number), at: now) == current.statistics.summary(at: now)
    }
    return true
  }

  /// 10,000 streams, in ten arguments so that they run side by side.
  @Test(arguments: 0..<10)
  func afterEveryInputOfAThousandStreams(_ thousand: Int) throws {
    for index in 0..<1000 {
      let seed = UInt64(thousand * 1000 + index + 1)
      #expect(try check(stream(seed, count: 8 + index % 13)), "seed \(seed)")
    }
  }

  @Test(arguments: UInt64(1)...4)
  func afterEveryInputOfALongStream(_ seed: UInt64) throws {
    #expect(try check(stream(seed, count: 150)), "seed \(seed)")
  }

  @Test func theStreamsAreWorthIt() throws {
    let inputs = (1...200).flatMap { stream(UInt64($0), count: 8 + $0 % 13) }
    let marks = inputs.compactMap { if case .mark(let mark, _) = $0 { mark.description } else { nil } }
    for mark in ["paused", "resumed", "linkLost", "lapEnded", "activityBegan", "activityEnded"] {
      #expect(marks.count { $0 == mark } > 20, "\(mark)")
    }
    #expect(inputs.count - marks.count > 1_000)
  }
}

enum StreamInput {
  case mark(Mark, Tick)
  case sample(HeartRateSample)

  var tick: Tick {
    switch self {
    case .mark(_, let tick): tick
    case .sample(let sample): sample.tick
    }
  }
}
