import Bus
import Measurements

/// The link to one strap: from not wanted to streaming, and back to streaming whatever happens in between.
///
/// It looks at the world as it is now, and not at single signals, so that several changes in one signal, signals in
/// another order and links found half-way are all the same to it.
public struct LinkMachine: Equatable, Sendable {
  public let strap: StrapAddress
  public internal(set) var isWanted = false
  /// What went wrong last, until measurements flow again.
  public internal(set) var trouble: LinkTrouble?
  /// Connections that were lost or given up since the strap was wanted.
  public internal(set) var reconnects = 0
  /// Whether a strap that shows that it answers bonded clients only is paired without being asked.
  public var pairsWhenNeeded = false
  /// Whether the descriptor of the notifications is read before it is written: because straps of this kind are known to
  /// hang up else, or because this one has.
  public var readsDescriptorFirst = false
  /// How far the pairing has come that was asked for, or that the strap has shown to need.
  public internal(set) var pairing = LinkPairing.none
  var state = State.standing
  var backOff: BackOff
  /// The object whose Connect is with bluetoothd and unanswered; a second one must not be made.
  var pendingConnect: ObjectPath?
  /// The characteristic that we have switched notifications on for. It survives the loss of the link: bluetoothd
  /// renews the subscription of a living client by itself, and values may come before the services are resolved.
  var subscribed: ObjectPath?
  /// What bluetoothd has answered to StartNotify.
  var subscriptionAnswer = SubscriptionAnswer.none
  /// The subscription brought nothing, and a renewal of it by bluetoothd itself would show even less: it is taken back
  /// before the next link.
  var isSubscriptionInVain = false
  /// The link is put down only to be made again for a pairing, which is no failure to wait after.
  var goesOnAtOnce = false
  /// The descriptor that could have been read before StartNotify was sent last.
  var configuration: ObjectPath?
  /// Some controllers connect only while they scan, others only while they do not: after a failure it is the other way.
  var scansWhileConnecting = false
  /// Links in a row that ended before their first measurement.
  var earlyLosses = 0
  /// Whether the tree showed a bond when it was last looked at.
  var wasBonded = false
  /// When the step that is under way has lasted for too long to go well, though it is given more time; and whether it has.
  var doubt: Tick?
  var isDoubtful = false
  /// Whether a link may stand that is to be ended when nobody wants it.
  var ownLink = OwnLink.none

  enum SubscriptionAnswer: Equatable, Sendable {
    /// None: while a strap wants a bond and has none, there is none.
    case none
    /// That it has it from an earlier link. It renews it by itself, and does not say whether the strap has let it.
    case renewed
    case taken
  }

  enum State: Equatable, Sendable {
    /// Not wanted. Leaves to: waiting, absent, connecting, cancelling, resolving.
    case standing
    /// The host cannot use Bluetooth now. Leaves to: absent, connecting, cancelling, resolving, standing.
    case waiting(LinkWorld.Host)
    /// bluetoothd does not know the strap; the roster scans. After `noted` the person is told that it does not
    /// advertise. Leaves to: connecting, resolving, waiting, standing.
    case absent(noted: Tick?)
    /// Connect is sent. Leaves to: resolving, cancelling, backingOff, absent, waiting, standing.
    /// `isLenient`: the strap was heard when the time was nearly over, and got more of it.
    case connecting(until: Tick, isLenient: Bool)
    /// Disconnect is sent, to be done with a Connect or a link that leads nowhere. bluetoothd answers it before the
    /// tree shows the link's end, so it is left only when both are done. Leaves to: backingOff, where a wait of zero
    /// leads, waiting, releasing, standing.
    case cancelling(ObjectPath, until: Tick)
    /// Connected, the services are being read, or the strap is being paired. `isSeen`: the tree has shown the
    /// connection, so that its absence there means a loss. Leaves to: subscribing, streaming, cancelling, backingOff, waiting, releasing, standing.
    case resolving(isSeen: Bool, until: Tick)
    /// StartNotify is sent; only a payload shows that it worked. Leaves to: streaming, resolving, cancelling,
    /// backingOff, waiting, releasing.
    case subscribing(ObjectPath, isSecondTry: Bool, until: Tick)
    /// Measurements flow. `check` is when to look at their age again. Leaves to: cancelling, backingOff, connecting,
    /// resolving, absent, waiting, releasing.
    case streaming(ObjectPath, last: Tick, check: Tick)
    /// Leaves to: connecting, resolving, streaming, absent, cancelling, waiting, releasing, standing.
    case backingOff(until: Tick)
    /// No longer wanted: notifications are switched off, the link follows unless somebody else uses it.
    /// Leaves to: standing, and to where a wanted strap goes.
    case releasing(ObjectPath, until: Tick)
  }

  /// - Parameter seed: random octets for the jitter of the waits, which only shortens them.
  public init(strap: StrapAddress, seed: UInt64) {
    self.strap = strap
    backOff = BackOff(seed: seed)
  }

  /// How long a strap may not be heard before the person is told.
  static let advertisingLimit = Duration.seconds(10)
  /// How long bluetoothd may take to connect.
  static let connectLimit = Duration.seconds(30)
  /// How long it has at least from when the strap is heard: Linux 6.1 does not notice a link that is made while the
  /// attempt is being cancelled, and a strap with a link is not heard again.
  static let heardLimit = Duration.seconds(5)
  /// How long the services may take.
  static let resolveLimit = Duration.seconds(30)
  static let lateObjectLimit = Duration.seconds(2)
  /// How long the first payload may take after StartNotify, since success of that is not a subscription.
  static let firstPayloadLimit = Duration.seconds(10)
  /// After how long of connecting, of reading the services, of waiting for the answer to StartNotify, and then for the first
  /// payload, a reason is told for it: a strap that goes well has taken a small part of that.
  static let connectDoubt = Duration.seconds(10)
  static let resolveDoubt = Duration.seconds(10)
  static let subscribeDoubt = Duration.seconds(3)
  static let payloadDoubt = Duration.seconds(5)
  /// How old the last payload may be before the link is made anew, whatever `Connected` says.
  static let silenceLimit = Duration.seconds(15)
  static let cancelLimit = Duration.seconds(10)
  /// How long to wait for `Notifying` to fall, which shows that no other client uses the strap.
  static let releaseLimit = Duration.seconds(2)
  /// How long Pair may take: bluetoothd itself gives a person a minute to answer its agent.
  static let pairLimit = Duration.seconds(70)
  /// How old a link is to be at most before Pair is sent, whether or not its services are resolved.
  static let settleLimit = Duration.seconds(1)
  /// How long a bond may take to show after Pair was answered with success.
  static let bondLimit = Duration.seconds(2)
  /// After so many of them it has probably lost its bond, or wants one: it hangs up when the link is not encrypted.
  static let suspiciousEarlyLosses = 2
}

// MARK: - What it shows

extension LinkMachine {
  public var status: LinkStatus {
    switch state {
    case .standing: .standing
    case .waiting(.bluetoothdAbsent), .waiting(.refused): .waitingForBluetoothd
    case .waiting(.noAdapter), .waiting(.adapterOff), .waiting(.adapterBlocked), .waiting(.ready): .waitingForAdapter
    case .absent: .searching
    case .connecting, .cancelling: .connecting
    case .resolving: pairing.isAsked ? .pairing : .resolving
    case .subscribing: .subscribing
    case .streaming: .streaming
    case .backingOff: .backingOff
    case .releasing: .releasing
    }
  }

  /// When it is to be woken by `deadlinePassed`, if nothing happens before.
  public var deadline: Tick? {
    [stateDeadline, pairing.deadline, doubtDeadline].compactMap { $0 }.min()
  }

  var doubtDeadline: Tick? {
    switch state {
    case .connecting, .subscribing: isDoubtful ? nil : doubt
    // A pairing has a deadline of its own.
    case .resolving: isDoubtful || pairing.isUnderWay ? nil : doubt
    case .standing, .waiting, .absent, .cancelling, .streaming, .backingOff, .releasing: nil
    }
  }

  /// Why the step that is under way has probably not come to its end yet; `trouble` is what has ended one.
  public var suspicion: LinkTrouble? {
    guard isDoubtful else { return nil }
    switch state {
    // What has ended the link before says more.
    case .connecting: return trouble == nil ? .silentWhileConnecting : nil
    case .subscribing:
      guard subscriptionAnswer == .none else { return .silentAfterSubscribing }
      // It is going to be paired, or has refused that.
      let isForPairing = pairsWhenNeeded && !wasBonded
      return isForPairing ? nil : .neverSubscribed
    case .resolving where !pairing.isAsked: return trouble == nil ? .neverResolved : nil
    case .standing, .waiting, .absent, .cancelling, .resolving, .streaming, .backingOff, .releasing: return nil
    }
  }

  var stateDeadline: Tick? {
    switch state {
    case .standing, .waiting: nil
    case .absent(let noted): noted
    case .connecting(let until, _), .cancelling(_, let until), .resolving(_, let until), .subscribing(_, _, let until),
      .streaming(_, _, let until), .backingOff(let until), .releasing(_, let until):
      until
    }
  }

  /// Whether the roster should scan: to find the strap, or to keep bluetoothd from forgetting it during a wait.
  public var wantsDiscovery: Bool {
    switch state {
    case .absent, .backingOff: true
    case .connecting: scansWhileConnecting
    case .standing, .waiting, .cancelling, .resolving, .subscribing, .streaming, .releasing: false
    }
  }

  /// Whether nothing is under way that would have to end before the strap could be reached by another adapter.
  public var mayTurn: Bool {
    switch state {
    case .standing, .waiting, .absent, .backingOff: true
    case .connecting, .cancelling, .resolving, .subscribing, .streaming, .releasing: false
    }
  }

  /// Whether nothing is left to be undone.
  public var isAtRest: Bool {
    state == .standing
  }
}
