import Bus
import Measurements

/// One strap and the heart under it: and what bluetoothd knows of it.
struct Strap: Equatable {
  let declaration: StrapDeclaration
  /// Within reach, and advertising while it is not connected.
  var isPresent = true
  var rssi: Int16
  var battery: UInt8
  var contact = SensorContact.detected
  /// Sent with every tenth packet.
  var energyKilojoules: UInt16?
  private(set) var rhythm: Rhythm
  /// What it sends instead of beating.
  private(set) var recording: Recording?
  /// When it sends next; nil while it is mute.
  private(set) var nextPacket: Tick?
  var faults = Faults()
  /// Its notifications are for bonded clients.
  var needsBond = false
  /// It has forgotten the keys of the bond that the host has.
  var hasLostBond = false
  /// What it insists on when it is paired; nil takes the bond that needs no person.
  var asks: Question?
  /// bluetoothd's object for it; nil where a scan has not found it, or bluetoothd has forgotten it.
  var device: Device?

  private var period = Duration.seconds(1)
  private var packetCount = 0

  /// What a script has told it to do wrong.
  struct Faults: Equatable {
    /// The next Connect fails so.
    var connectError: BusError?
    var connectHangs = false
    var resolveHangs = false
    var lacksHeartRate = false
    var notifyError: BusError?
    /// Each Pair fails so.
    var pairError: BusError?
    var pairHangs = false
    var isSilent = false
    /// How often each notification is signalled.
    var copies = 1
  }

  init(_ declaration: StrapDeclaration, at now: Tick) {
    self.declaration = declaration
    rssi = declaration.rssi
    battery = declaration.battery
    rhythm = Rhythm(.auto, at: now)
    nextPacket = now + period
  }

  /// A strap that sends a recording again, and then nothing.
  init(_ recorded: RecordedStrap, at now: Tick) {
    self.init(recorded.declaration, at: now)
    recording = recorded.recording
    nextPacket = nil
  }

  var tag: String { declaration.tag }

  /// Whether notifications can be switched on, as far as that hangs on a bond.
  var notifies: Bool {
    guard device?.isPaired == true else { return !needsBond }
    return !hasLostBond
  }

  /// The host encrypts each link of a bond that it has.
  var hangsUpOnEncryption: Bool { device?.isPaired == true && hasLostBond }

  mutating func beat(_ pace: Rhythm.Pace, hertz: Double?, at now: Tick) {
    recording = nil
    // What the heart did while nothing was sent is past.
    _ = rhythm.intervals(until: now)
    rhythm.pace = pace
    if let hertz { period = .nanoseconds(Int64(1e9 / hertz)) }
    nextPacket = now + period
  }

  mutating func mute() {
    recording = nil
    nextPacket = nil
  }

  /// Somebody has subscribed to it: a recording begins, the first time.
  mutating func beginRecording(at now: Tick) {
    guard recording != nil else { return }
    recording?.begin(at: now)
    nextPacket = recording?.due
  }

  /// The packet that is due, by a Heart Rate Measurement's layout (HRS 1.0, section 3.1).
  mutating func packet(at now: Tick) -> [UInt8] {
    if let payload = recording?.take() {
      nextPacket = recording?.due
      return payload
    }
    nextPacket = (nextPacket ?? now) + period
    if let next = nextPacket, next <= now { nextPacket = now + period }
    let intervals = rhythm.intervals(until: now)
    let rate = rhythm.rate(at: now)
    packetCount += 1
    let energy = packetCount % 10 == 1 ? energyKilojoules : nil

    var flags: UInt8 = rate > 255 ? 1 : 0
    switch contact {
    case .detected: flags |= 0b110
    case .notDetected: flags |= 0b100
    case .unknown: break
    }
    if energy != nil { flags |= 1 << 3 }
    if !intervals.isEmpty { flags |= 1 << 4 }
    var packet = [flags]
    packet += rate > 255 ? Self.octets(UInt16(rate)) : [UInt8(rate)]
    if let energy { packet += Self.octets(energy) }
    for interval in intervals { packet += Self.octets(interval.ticks1024) }
    return packet
  }

  private static func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}
