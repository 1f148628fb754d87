import Bus
import Measurements

/// Whether a link may stand that is ours to end once nobody wants it.
enum OwnLink: Equatable, Sendable {
  case none
  /// It was made or used by us.
  case ours
  /// It was, and then bluetoothd died, or the daemon did: the kernel may have kept it. Whoever lives on looks for it
  /// until then, which begins when bluetoothd is seen again. One that is made later is somebody else's.
  case left(until: Tick?)
}

// A link that outlives whoever made it: bluetoothd keeps links of clients that are dead, and the kernel may keep one for a
// bluetoothd that is.
extension LinkMachine {
  /// How long after bluetoothd is there its tree may take to show a link that the kernel has kept.
  static let remnantLimit = Duration.seconds(10)

  /// A daemon that died may have left the strap's link up. It is ended if bluetoothd shows it soon, nobody wants the strap
  /// and no other client listens.
  public mutating func mayHaveLeftLink() {
    if !isWanted, ownLink == .none { ownLink = .left(until: nil) }
  }

  /// Keeps what may be left in step with the world.
  mutating func noteOwnLink(_ world: LinkWorld, _ now: Moment) {
    switch world.host {
    case .bluetoothdAbsent:
      if ownLink != .none { ownLink = .left(until: nil) }
      return
    case .refused: return
    case .ready, .noAdapter, .adapterOff, .adapterBlocked: break
    }
    switch ownLink {
    case .left(until: nil): ownLink = .left(until: now.tick + Self.remnantLimit)
    case .left(let until?): if until < now.tick { ownLink = .none }
    case .ours: if !isWanted, state == .standing, world.device?.isConnected != true { ownLink = .none }
    case .none: break
    }
    if isWanted, world.device?.isConnected == true { ownLink = .ours }
  }

  /// Nobody wants the strap, and nothing of ours is under way: what is left of an earlier life is ended.
  mutating func endRemnant(_ world: LinkWorld) -> [LinkAction] {
    guard case .left = ownLink, world.host == .ready, let device = world.device, device.isConnected,
      !device.isNotifying
    else { return [] }
    // If it dies before it has done that, it is asked again.
    ownLink = .ours
    return [.disconnect(device.path)]
  }
}
