import BlueZ
import Bus

/// What bluetoothd knows of the strap by one of its adapters.
struct RandomSide {
  /// How often bluetoothd has died or has forgotten the strap here.
  var incarnation = 0
  var adapter = LinkWorld.Host.ready
  /// Of the paths in `RandomWorld.devices`: an adapter that comes back may have another number.
  var number: Int
  var isKnown = false
  var isHeard = false
  var isConnected = false
  /// The link was made by a Connect of ours.
  var linkIsOurs = false
  /// There was such a link when bluetoothd died.
  var hadOurLink = false
  var isResolved = false
  var measurement: ObjectPath?
  /// The number of the Connect that is pending.
  var pendingConnect: Int?
  /// The number of the Pair that is pending.
  var pendingPair: Int?
  var isBonded = false
  /// Survives the link's loss.
  var weNotify = false
  var othersNotify = false
  var othersHaveAcquired = false
  /// Connected as far as bluetoothd knows, and nothing comes any more.
  var isZombie = false
}

// The side on which something happens, in place of the world's own.
extension RandomWorld {
  var incarnation: Int {
    get { sides[side].incarnation }
    set { sides[side].incarnation = newValue }
  }
  var adapter: LinkWorld.Host {
    get { sides[side].adapter }
    set { sides[side].adapter = newValue }
  }
  var number: Int {
    get { sides[side].number }
    set { sides[side].number = newValue }
  }
  var isKnown: Bool {
    get { sides[side].isKnown }
    set { sides[side].isKnown = newValue }
  }
  var isHeard: Bool {
    get { sides[side].isHeard }
    set { sides[side].isHeard = newValue }
  }
  var isConnected: Bool {
    get { sides[side].isConnected }
    set { sides[side].isConnected = newValue }
  }
  var linkIsOurs: Bool {
    get { sides[side].linkIsOurs }
    set { sides[side].linkIsOurs = newValue }
  }
  var hadOurLink: Bool {
    get { sides[side].hadOurLink }
    set { sides[side].hadOurLink = newValue }
  }
  var isResolved: Bool {
    get { sides[side].isResolved }
    set { sides[side].isResolved = newValue }
  }
  var measurement: ObjectPath? {
    get { sides[side].measurement }
    set { sides[side].measurement = newValue }
  }
  var pendingConnect: Int? {
    get { sides[side].pendingConnect }
    set { sides[side].pendingConnect = newValue }
  }
  var pendingPair: Int? {
    get { sides[side].pendingPair }
    set { sides[side].pendingPair = newValue }
  }
  var isBonded: Bool {
    get { sides[side].isBonded }
    set { sides[side].isBonded = newValue }
  }
  var weNotify: Bool {
    get { sides[side].weNotify }
    set { sides[side].weNotify = newValue }
  }
  var othersNotify: Bool {
    get { sides[side].othersNotify }
    set { sides[side].othersNotify = newValue }
  }
  var othersHaveAcquired: Bool {
    get { sides[side].othersHaveAcquired }
    set { sides[side].othersHaveAcquired = newValue }
  }
  var isZombie: Bool {
    get { sides[side].isZombie }
    set { sides[side].isZombie = newValue }
  }
}
