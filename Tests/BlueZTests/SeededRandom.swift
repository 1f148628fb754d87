/// SplitMix64: the same numbers for a seed on every run and machine.
struct SeededRandom {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }

  mutating func chance(of percent: Int) -> Bool {
    next(below: 100) < percent
  }

  mutating func one<T>(of choices: [T]) -> T {
    choices[next(below: choices.count)]
  }
}
