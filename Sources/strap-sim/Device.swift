import Bus
import Measurements

/// What bluetoothd knows of a strap: the object below the adapter.
struct Device: Equatable {
  /// Who waits for a call's answer.
  struct Caller: Equatable {
    let client: ConnectionName?
    let serial: UInt32
    let wantsReply: Bool
  }

  enum Link: Equatable {
    /// Leaves to: connecting (Connect).
    case down
    /// A Connect is pending; `at` is nil while the strap is away or hangs, `failure` is what it will come to.
    /// Leaves to: up (the strap answers), down (Disconnect, the failure, the adapter goes off).
    case connecting(Caller, at: Tick?, failure: BusError?)
    /// Leaves to: resolved (the services are known), down (loss, the strap or a client hangs up).
    case up(resolvedAt: Tick?)
    /// Leaves to: down (loss, the strap or a client hangs up).
    case resolved
  }

  var link = Link.down
  /// Last advertisement or end of a link; the object goes 30 s later.
  var lastSeen: Tick
  /// Reported by the scan that is running, so that RSSI is shown.
  var isInScan = true
  var isPaired = false
  var isTrusted = false
  var isBlocked = false
  /// Given by a client, in place of the name.
  var alias: String?
  /// A Pair that is under way.
  var pairing: Pairing?
  /// Notifications were asked for without the bond that they need: when the link ends for it.
  var unbondedUntil: Tick?
  /// The services with objects: none before they were resolved for the first time, and kept when the link is lost.
  var services: [Service] = []
  /// By the handle of the characteristic.
  var sessions: [UInt16: NotifySession] = [:]
  var values: [UInt16: [UInt8]] = [:]

  struct Pairing: Equatable {
    var caller: Caller
    var step: Step

    enum Step: Equatable {
      /// Until the strap answers; `at` is nil where it does not. Leaves to: asked (it answers).
      case beginning(at: Tick?)
      /// The agent has the call of this serial. Leaves to: exchanging (it agrees).
      case asked(Agent, serial: UInt32, until: Tick)
      /// Leaves to: the bond.
      case exchanging(until: Tick)
    }

    /// When it goes on by itself.
    var deadline: Tick? {
      switch step {
      case .beginning(let at): at
      case .asked(_, _, let until), .exchanging(let until): until
      }
    }
  }

  /// Who has called StartNotify, in that order, and whether the strap was told.
  struct NotifySession: Equatable {
    var clients: [ConnectionName] = []
    var isNotifying = false
  }

  init(at now: Tick) {
    lastSeen = now
  }

  var isConnected: Bool {
    switch link {
    case .down, .connecting: false
    case .up, .resolved: true
    }
  }

  var isResolved: Bool { link == .resolved }

  func characteristic(_ uuid: BluetoothUUID) -> (service: Service, characteristic: Characteristic)? {
    for service in services {
      for characteristic in service.characteristics where characteristic.uuid == uuid {
        return (service, characteristic)
      }
    }
    return nil
  }
}
