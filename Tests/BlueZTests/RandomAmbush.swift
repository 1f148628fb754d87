import Measurements

@testable import BlueZ

// Most troubles come at any time, and would seldom meet what is seldom or soon over. So each world has a state in which they
// lie in wait for the machine, and leads it there.
extension RandomPlayer {
  /// The states that are seldom met, or soon left.
  static let ambushes: [RandomState] = [
    .releasing, .releasing, .backingOff, .backingOff, .waitingForAdapter, .streaming, .streaming, .subscribing,
    .pairing,
  ]

  /// The way to where the ambush is.
  mutating func lure() -> Bool {
    switch (ambush, state) {
    case (.releasing, .streaming), (.releasing, .subscribing):
      guard random.chance(of: 15) else { return false }
      want(false)
    case (.backingOff, .cancelling):
      // A Disconnect that is late: the link stands still.
      guard seen.device?.isConnected == true, random.chance(of: 60) else { return false }
      pass(LinkMachine.cancelLimit)
    case (.waitingForAdapter, .resolving), (.waitingForAdapter, .streaming):
      guard random.chance(of: 10) else { return false }
      world.switchAdapter(isLate: true)
    default: return false
    }
    return true
  }

  /// Trouble that comes in a state which is seldom met, or soon left.
  mutating func lieInWait() {
    switch random.next(below: 10) {
    case 0...1: world.breakSomething(isAmbush: true)
    case 2...3: world.happen(isSearched: machine.wantsDiscovery)
    case 4: take(stray())
    case 5: world.takeCall()
    case 6: if random.chance(of: 40) { askToPair() }
    default: deliver()
    }
  }
}
