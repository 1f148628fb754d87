import BlueZ
import Bus
import Measurements

// Links that the daemon's last life has left standing: bluetoothd keeps those of clients that are dead.
extension Roster {
  /// How long whoever wants a strap again has for it, before its link is ended.
  static let leftLinkLimit = Duration.seconds(10)

  mutating func lookForLeftLinks(at now: Moment) {
    guard !hasLookedForLinks, mirror.presence == .ready else { return }
    effects.append(.deadline(.leftLinks, now.tick + Self.leftLinkLimit))
  }

  /// Of the links that stand and nobody has adopted, those to known straps are ended by their machines.
  mutating func endLeftLinks(at now: Moment) {
    guard !hasLookedForLinks, mirror.presence == .ready else { return }
    hasLookedForLinks = true
    let connected = Set(mirror.tree.devices.values.filter(\.isConnected).map(\.address))
    for strap in connected.sorted() where known.records[strap]?.lastSeen != nil || strap == usualStrap {
      if links[strap] == nil {
        addLink(strap)
        mayHaveStrangers = true
      }
      links[strap]?.machine.mayHaveLeftLink()
      // Nothing of the world has changed for it.
      step(strap, at: now) { $0.worldChanged($1, at: now) }
    }
  }
}
