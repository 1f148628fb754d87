import Measurements

/// The waits between tries: 0, 1, 2, 5, 15, 30 seconds, then 30 for as long as it takes, each shortened by up to a
/// quarter so that many straps do not try in step.
struct BackOff: Equatable, Sendable {
  private static let waits: [Duration] = [.zero, .seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30)]
  private var tries = 0
  private var jitter: UInt64

  init(seed: UInt64) {
    jitter = seed
  }

  mutating func reset() {
    tries = 0
  }

  mutating func next() -> Duration {
    let wait = Self.waits[min(tries, Self.waits.count - 1)]
    tries += 1
    jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return wait - .nanoseconds(wait.wholeNanoseconds / 1024 * Int64(jitter >> 56))
  }
}
