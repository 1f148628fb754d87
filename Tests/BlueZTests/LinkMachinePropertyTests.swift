import Testing

/// A link machine in a random world, and what must hold whatever happens: see `RandomPlayer`.
@Suite struct LinkMachinePropertyTests {
  static let seeds = 3000
  static let steps = 200

  @Test func anything() {
    var reached: [String: Int] = [:]
    for seed in 0..<UInt64(Self.seeds) {
      var player = RandomPlayer(seed: seed)
      for _ in 0..<Self.steps { player.step() }
      player.getWell()
      reached.merge(player.reached) { $0 + $1 }
      guard player.faults.isEmpty else {
        Issue.record("seed \(seed):\n\(player.faults.joined(separator: "\n"))\n\(player.story.joined(separator: "\n"))")
        return
      }
    }
    print("link machine, states × inputs:\n" + Self.table(reached))
    // A world that had grown too tame would hold everything.
    for state in Self.states {
      for input in RandomPlayer.inputs {
        let isReached = reached["\(state) × \(input)"] != nil
        #expect(isReached == !Self.isImpossible(state, input), "\(state) × \(input)")
      }
    }
  }

  static let states = [
    "standing", "waitingForBluetoothd", "waitingForAdapter", "searching", "connecting", "cancelling", "resolving",
    "subscribing", "streaming", "backingOff", "releasing",
  ]

  private static func isImpossible(_ state: String, _ input: String) -> Bool {
    switch (state, input) {
    // Wanted is what it is in these already, or is not.
    case ("standing", "released"), ("releasing", "released"): true
    case ("standing", "wanted"), ("releasing", "wanted"): false
    case (_, "wanted"): true
    // They wait for the world, and for no time.
    case ("standing", "deadline"), ("waitingForBluetoothd", "deadline"), ("waitingForAdapter", "deadline"):
      true
    default: false
    }
  }

  private static func table(_ reached: [String: Int]) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    var lines = [padded("", 20) + RandomPlayer.inputs.map { padded($0, 12) }.joined()]
    for state in states {
      let counts = RandomPlayer.inputs.map { padded(reached["\(state) × \($0)"].map(String.init) ?? "-", 12) }
      lines.append(padded(state, 20) + counts.joined())
    }
    return lines.joined(separator: "\n")
  }
}
