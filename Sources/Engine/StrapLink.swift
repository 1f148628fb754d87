import BlueZ
import Bus
import Control
import Measurements
import Workout

/// One strap as the roster knows it: its link, what claims it, and what it has said.
struct StrapLink: Sendable {
  var machine: LinkMachine
  var claims: Set<Claim> = []
  /// The address that it has now: another one once it has changed a private address.
  var address: StrapAddress
  /// The name by which it is known again then.
  var name: String?
  /// How strong it was when a scan last heard it, in dBm.
  var signal: Int16?
  /// A client has had it forgotten while it was being put down; it goes as soon as it is at rest.
  var isForgotten = false
  /// The world as the machine has last seen it, and by which adapter that was.
  var world: LinkWorld
  var worldAdapter: StrapAddress?
  var choice = AdapterChoice()
  /// It is being released by one adapter, to be connected by another one that somebody has asked for.
  var isMoving = false
  var availability = Availability.unknown
  var freshness = Freshness()
  /// Whether the deadline of `freshness` is set.
  var isFreshnessTimed = false
  var last: (measurement: HeartRateMeasurement, tick: Tick)?
  var lastPayload: [UInt8] = []
  var timeline = BeatTimeline()
  var refusedPackets = 0
  var repeats = 0
  var information = DeviceInformation()
  /// What is known of straps of its kind, as far as it has told what it is.
  var quirks: [Quirk] = []
  var drops = DropRhythm()
  /// What keeps it from streaming, when that was looked at last.
  var currentTrouble: String?
  /// What kept it from streaming last, and when that was found.
  var lastTrouble: (text: String, date: WallTime)?
  /// Why it did not stream when it was tried for somebody who takes any strap: known while others are tried, and while it
  /// is tried again.
  var trialTrouble: LinkTrouble?
  var steadiness = Steadiness()
  var location: BodySensorLocation?
  /// Read over GATT; BlueZ's own reading goes before it.
  var battery: BatteryLevel?
  /// Reading has begun on this connection.
  var hasBeenRead = false
  /// Characteristics that are still to be read on this connection.
  var toRead: [BluetoothUUID] = []
  var reading: UInt32?
  /// What clients were last told of the link.
  var told: LinkNews?
  /// What the journal was last told, so that it is told once per change and not once per retry.
  var logged = ""
  /// Whether measurements have come since it was wanted: of a strap that was only tried, the journal is not told that it is
  /// let go.
  var hasServed = false

  /// Whether it was tried, and what kept it from streaming stays until somebody does something about it; it is known still.
  var hasFailedForGood: Bool { trialTrouble?.kind.isLasting == true && world.device != nil }

  /// Two equal payloads less than this apart are most likely one measurement that was signalled twice.
  static let repeatWindow = Duration.milliseconds(100)
}

/// What clients are told of a link, each time that any of it changes.
struct LinkNews: Equatable, Sendable {
  let link: String
  let trouble: String?
  let battery: BatteryLevel?
  let isBatteryUnreliable: Bool

  init(_ strap: StrapSnapshot) {
    link = strap.link
    trouble = strap.trouble
    battery = strap.battery
    isBatteryUnreliable = strap.isBatteryUnreliable
  }
}

/// How old the last measurement may be before the series counts as unavailable.
struct Freshness: Equatable, Sendable {
  /// The learned time between measurements.
  private(set) var period: Duration?
  /// How much that time varies: the mean deviation.
  private(set) var jitter: Duration?
  private var last: Tick?
  private var isInterrupted = false

  static let least = Duration.seconds(3)

  /// A measurement came; learns the strap's period from the time since the one before.
  mutating func refresh(at tick: Tick) {
    if let last, !isInterrupted {
      let interval = min(tick - last, .seconds(10))
      let deviation = period.map { max($0 - interval, interval - $0) } ?? .zero
      jitter = jitter.map { ($0 * 7 + deviation) / 8 } ?? deviation
      period = period.map { ($0 * 7 + interval) / 8 } ?? interval
    }
    last = tick
    isInterrupted = false
  }

  /// A new connection: the time without one says nothing of the strap's period.
  mutating func interrupt() {
    isInterrupted = true
  }

  /// Nobody waits for measurements any more.
  mutating func stop() {
    last = nil
    isInterrupted = false
  }

  /// When the last measurement is too old: after three seconds or three periods, whichever is longer.
  var limit: Tick? {
    last.map { $0 + max(Self.least, (period ?? .zero) * 3) }
  }
}
