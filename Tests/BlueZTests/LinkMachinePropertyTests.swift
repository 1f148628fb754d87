import Foundation
import Testing

/// A link machine in random worlds, and what must hold whatever happens: see `RandomPlayer`.
@Suite struct LinkMachinePropertyTests {
  /// STRAPD_SEEDS=1000000 plays longer.
  static let seeds = ProcessInfo.processInfo.environment["STRAPD_SEEDS"].flatMap { UInt64($0) } ?? 20_000

  @Test func anything() {
    var reach = RandomReach()
    var failed: (connect: Set<String>, notify: Set<String>) = ([], [])
    var slowest = Duration.zero
    for seed in 0..<Self.seeds {
      var player = RandomPlayer(seed: seed)
      player.play()
      guard player.faults.isEmpty else {
        // The same again, telling what happens.
        player = RandomPlayer(seed: seed, tells: true)
        player.play()
        Issue.record("seed \(seed):\n\((player.story.suffix(60) + player.faults).joined(separator: "\n"))")
        return
      }
      reach.merge(player.reach)
      failed.connect.formUnion(player.connectErrors)
      failed.notify.formUnion(player.notifyErrors)
      slowest = max(slowest, player.recovery)
    }
    print("link machine in \(Self.seeds) worlds, inputs × states:\n\(reach.table)")
    let kinds = BlueZErrorTests.words.count
    print("errors of Connect: \(failed.connect.count) of \(kinds); of StartNotify: \(failed.notify.count) of \(kinds)")
    print("longest way back in a well world: \(slowest)")
    print("seldom met: \(reach.rarest(5).joined(separator: ", "))")
    #expect(failed.connect.count == kinds)
    #expect(failed.notify.count == kinds)
    // A world that had grown too tame would hold everything.
    var unreached: [String] = []
    var unexpected: [String] = []
    for state in RandomState.allCases {
      for input in RandomInput.allCases {
        let isImpossible = Self.impossible.contains { $0.state == state && $0.inputs.contains(input) }
        if reach[state, input] == 0, !isImpossible { unreached.append("\(state) × \(input)") }
        if reach[state, input] > 0, isImpossible { unexpected.append("\(state) × \(input)") }
      }
    }
    #expect(unreached == [], "never met, and nothing says why")
    #expect(unexpected == [], "met, and said to be impossible")
  }

  /// What cannot meet, and why.
  static let impossible: [(state: RandomState, inputs: [RandomInput], why: String)] = [
    (.connecting, [.turned], "something is under way by the adapter that it has"),
    (.cancelling, [.turned], "something is under way by the adapter that it has"),
    (.resolving, [.turned], "something is under way by the adapter that it has"),
    (.pairing, [.turned], "something is under way by the adapter that it has"),
    (.subscribing, [.turned], "something is under way by the adapter that it has"),
    (.streaming, [.turned], "something is under way by the adapter that it has"),
    (.releasing, [.turned], "something is under way by the adapter that it has"),
    (.standing, [.released, .ownPayload], "it is not wanted"),
    (.releasing, [.released, .ownPayload], "it is not wanted"),
    (.standing, [.deadline], "it waits for no time"),
    (.waitingForBluetoothd, [.deadline], "it waits for no time"),
    (.waitingForAdapter, [.deadline], "it waits for no time"),
    (.waitingForBluetoothd, [.wanted], "it is wanted"),
    (.waitingForAdapter, [.wanted], "it is wanted"),
    (.searching, [.wanted], "it is wanted"),
    (.connecting, [.wanted], "it is wanted"),
    (.cancelling, [.wanted], "it is wanted"),
    (.resolving, [.wanted], "it is wanted"),
    (.subscribing, [.wanted], "it is wanted"),
    (.streaming, [.wanted], "it is wanted"),
    (.backingOff, [.wanted], "it is wanted"),
    (
      .waitingForBluetoothd,
      [
        .deviceCame, .deviceWent, .linkUp, .linkDown, .resolved, .measurementMoved, .notifying, .heard, .ownPayload,
      ], "there is no tree"
    ),
    (.waitingForAdapter, [.daemonBack], "bluetoothd is there"),
    (.searching, [.daemonBack, .hostFit], "the host is fit"),
    (.connecting, [.daemonBack, .hostFit], "the host is fit"),
    (.cancelling, [.daemonBack, .hostFit], "the host is fit"),
    (.resolving, [.daemonBack, .hostFit], "the host is fit"),
    (.subscribing, [.daemonBack, .hostFit], "the host is fit"),
    (.streaming, [.daemonBack, .hostFit], "the host is fit"),
    (.backingOff, [.daemonBack, .hostFit], "the host is fit"),
    (.releasing, [.daemonBack], "it does not outlive bluetoothd"),
    (.waitingForAdapter, [.linkUp], "an adapter that is off makes no link"),
    (
      .searching,
      [.deviceWent, .linkUp, .linkDown, .resolved, .measurementMoved, .notifying, .heard, .ownPayload],
      "there is no device"
    ),
    (.connecting, [.deviceCame], "the device is there"),
    (.cancelling, [.deviceCame], "the device is there"),
    (.resolving, [.deviceCame], "the device is there"),
    (.subscribing, [.deviceCame], "the device is there"),
    (.streaming, [.deviceCame], "the device is there"),
    (.releasing, [.deviceCame], "the device is there"),
    (.connecting, [.linkDown, .resolved, .ownPayload], "there is no link"),
    (.subscribing, [.linkUp], "the link stands"),
    (.streaming, [.linkUp], "the link stands"),
    (.releasing, [.linkUp], "the link stands"),
    (.pairing, [.wanted], "it is wanted"),
    (.pairing, [.daemonBack, .hostFit], "the host is fit"),
    (.pairing, [.deviceCame], "the device is there"),
    (.pairing, [.linkUp], "the link stands"),
    (.standing, [.pairAbandoned], "nobody asks for a pairing where it is not wanted"),
    (.releasing, [.pairAbandoned], "nobody asks for a pairing where it is not wanted"),
    (.waitingForBluetoothd, [.bonded], "there is no tree"),
    (.searching, [.bonded], "there is no device"),
  ]
}
