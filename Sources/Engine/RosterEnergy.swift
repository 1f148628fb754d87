import BlueZ
import Bus
import Control
import Measurements
import Workout

// The Heart Rate Control Point, by which a strap's energy counter is set to zero.
extension Roster {
  /// Asks the strap, or the only one that streams; the answer comes as an event.
  mutating func resetEnergy(_ named: StrapAddress?, for client: ClientID, at now: Moment) throws(ControlError)
    -> [RosterEffect]
  {
    let streaming = links.filter { $0.value.machine.status == .streaming }.keys.sorted()
    if named == nil, streaming.count > 1 { throw .strapAmbiguous(streaming) }
    guard let strap = named ?? streaming.first, streaming.contains(strap), let device = links[strap]?.world.device
    else {
      throw .notStreaming(named)
    }
    guard let path = mirror.tree.characteristic(.heartRateControlPoint, of: device.path) else {
      throw .notSupported(strap)
    }
    send(.resetEnergy(strap, client)) {
      BlueZCall.writeValue(path, HeartRateControlPoint.resetEnergyExpended.value, serial: $0)
    }
    return takeEffects()
  }

  mutating func resetAnswered(_ strap: StrapAddress, _ client: ClientID, _ error: BlueZError?) {
    let reply: ControlReply = error.map { .error(.strapFailed(strap, $0.description)) } ?? .done(strap: strap)
    effects.append(.event(.answered(client, reply)))
  }

  /// The link is gone, and with it the answers that were waited for.
  mutating func abandonResets(of strap: StrapAddress) {
    for (serial, call) in calls {
      guard case .resetEnergy(strap, let client) = call else { continue }
      calls[serial] = nil
      effects.append(.event(.answered(client, .error(.notStreaming(strap)))))
    }
  }
}
