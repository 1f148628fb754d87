import Measurements

/// Follows the connections of a log's controllers, and gives what came on each to its strap.
struct HCILog: Sendable {
  /// Controllers have some tens at most; the handles of one are 3840 numbers (Core Specification, Vol 4, Part E, section
  /// 5.4.2), and what a damaged log says of more has to be kept for each.
  static let mostConnections = 1024
  /// Of so many peers it is kept what they have, for when they come again; of straps that have sent something, always.
  static let mostPeers = 256
  static let mostStraps = 1024

  /// By controller and handle.
  private var connections: [UInt16: [UInt16: HCIConnection]] = [:]
  private var connectionCount = 0
  private var straps: [Int: BtsnoopStrap] = [:]
  private var numbers: [StrapAddress: Int] = [:]
  private var nextNumber = 0
  private var clock = LogClock()
  private var drops = LogDrops()
  private var kept = Kept()

  mutating func take(_ record: BtsnoopRecord) throws(ActivityFileError) {
    let time = clock.time(of: record.date)
    drops.note(record.drops, at: time)
    switch record.kind {
    case .event: try takeEvent(record, at: time)
    case .sentData, .receivedData: try takeData(record, at: time)
    case .controllerGone: loseController(record.controller, at: time)
    case .other: break
    }
  }

  /// In the order of their starts.
  var workouts: [WorkoutFile] {
    let files = straps.sorted { $0.key < $1.key }.flatMap { entry in
      entry.value.heartRates.flatMap { $0.stretches.map { $0.workout(entry.value.device) } }
    }
    return files.enumerated().sorted { a, b in
      (a.element.workout.start.date, a.offset) < (b.element.workout.start.date, b.offset)
    }.map(\.element)
  }

  var warnings: [String] {
    var warnings: [String] = []
    if drops.count > 0 {
      warnings.append(
        "packets were lost while it was recorded, \(Self.times(drops.count)): heart rates may be missing there")
    }
    if clock.setBack > 0 {
      warnings.append("the clock was set back \(Self.times(clock.setBack)) while it was recorded")
    }
    let undecoded = straps.values.reduce(0) { $0 + $1.undecoded }
    if undecoded > 0 { warnings.append("notifications of heart rate that are none are left out: \(undecoded)") }
    for strap in straps.sorted(by: { $0.key < $1.key }).map(\.value) where strap.isGuessed {
      let name = strap.device.address?.description ?? "a strap without an address"
      warnings.append("the heart rates of \(name) are known by their shape only: the log begins after discovery")
    }
    return warnings
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

// MARK: - Events (Core Specification, Vol 4, Part E, section 7.7)

extension HCILog {
  private static let reset: UInt16 = 0x0C03

  private mutating func takeEvent(_ record: BtsnoopRecord, at time: LogTime) throws(ActivityFileError) {
    guard let code = record.packet.octet(at: 0) else { return }
    let parameters = record.packet.dropping(2)
    switch code {
    case 0x03:
      // Connection Complete; the other types of link carry sound.
      guard parameters.octet(at: 0) == 0, parameters.octet(at: 9) == 1 else { return }
      try connect(parameters, addressAt: 3, isClassic: true, record, at: time)
    case 0x05:
      guard parameters.octet(at: 0) == 0, let handle = parameters.number16(at: 1) else { return }
      disconnect(record.controller, handle & 0x0FFF, at: time)
    case 0x0E:
      if parameters.number16(at: 1) == Self.reset, parameters.octet(at: 3) == 0 {
        loseController(record.controller, at: time)
      }
    case 0x3E:
      // LE Connection Complete and LE Enhanced Connection Complete, of both versions: the same up to the address.
      guard let subevent = parameters.octet(at: 0), [0x01, 0x0A, 0x29].contains(subevent), parameters.octet(at: 1) == 0
      else { return }
      try connect(parameters.dropping(1), addressAt: 5, isClassic: false, record, at: time)
    case _: break
    }
  }

  private mutating func connect(
    _ parameters: LittleEndianOctets, addressAt place: Int, isClassic: Bool, _ record: BtsnoopRecord, at time: LogTime
  ) throws(ActivityFileError) {
    guard let handle = parameters.number16(at: 1).map({ $0 & 0x0FFF }),
      let address = parameters.address(at: place)
    else { return }
    // Its end may be missing.
    disconnect(record.controller, handle, at: time)
    let strap = isClassic ? nil : numbers[address]
    let connection = HCIConnection(address: address, strap: strap, isClassic: isClassic, drops: drops)
    try add(connection, record, handle)
  }

  private mutating func add(
    _ connection: HCIConnection, _ record: BtsnoopRecord, _ handle: UInt16
  ) throws(ActivityFileError) {
    guard connectionCount < Self.mostConnections else {
      throw ActivityFileError(
        .btsnoop, at: record.offset, "tells of more than \(Self.mostConnections) connections at once")
    }
    connectionCount += 1
    connections[record.controller, default: [:]][handle] = connection
  }

  private mutating func disconnect(_ controller: UInt16, _ handle: UInt16, at time: LogTime) {
    guard let connection = connections[controller]?.removeValue(forKey: handle) else { return }
    connectionCount -= 1
    if let number = connection.strap { lose(number, at: time) }
  }

  private mutating func loseController(_ controller: UInt16, at time: LogTime) {
    guard let lost = connections.removeValue(forKey: controller) else { return }
    connectionCount -= lost.count
    for connection in lost.values {
      if let number = connection.strap { lose(number, at: time) }
    }
  }

  private mutating func lose(_ number: Int, at time: LogTime) {
    straps[number]?.lose(at: time)
    guard let strap = straps[number] else { return }
    let isKept: Bool
    if let address = strap.device.address {
      isKept = strap.hasValues || strap.attributes.knowsHeartRate || straps.count <= Self.mostPeers
      if !isKept { numbers[address] = nil }
    } else {
      // Nobody comes again without an address.
      isKept = !strap.heartRates.isEmpty
    }
    if !isKept {
      strap.release(&kept)
      straps[number] = nil
    }
  }
}

// MARK: - ACL data (section 5.4.2)

extension HCILog {
  private mutating func takeData(_ record: BtsnoopRecord, at time: LogTime) throws(ActivityFileError) {
    guard let word = record.packet.number16(at: 0) else { return }
    let handle = word & 0x0FFF
    let isReceived = record.kind == .receivedData
    if connections[record.controller]?[handle] == nil {
      // It is older than the log.
      try add(HCIConnection(drops: drops), record, handle)
    }
    let packet = record.packet
    let data = packet.dropping(4)
    let length = packet.number16(at: 2).map(Int.init)
    let isWhole = !record.isTruncated && length.map { data.count >= $0 } ?? false
    // Continuing fragments are 1; 0, 2 and 3 begin a PDU.
    let isStart = (word >> 12) & 0b11 != 1
    let findings = connections[record.controller]?[handle]?.findings(
      isWhole ? data.keeping(length ?? 0) : nil, isStart: isStart, isReceived: isReceived, drops: drops)
    guard let findings, !findings.isEmpty else { return }
    let number = try strap(of: record, handle)
    for finding in findings {
      try straps[number]?.take(finding, at: time, drops: drops, &kept, offset: record.offset)
    }
  }

  /// The number of the connection's strap, which is made by what is first said of it.
  private mutating func strap(of record: BtsnoopRecord, _ handle: UInt16) throws(ActivityFileError) -> Int {
    let connection = connections[record.controller]?[handle]
    if let number = connection?.strap, straps[number] != nil { return number }
    let address = connection?.address
    let number = address.flatMap { numbers[$0] } ?? nextNumber
    if straps[number] == nil {
      guard straps.count < Self.mostStraps else {
        throw ActivityFileError(.btsnoop, at: record.offset, "tells of more than \(Self.mostStraps) straps")
      }
      straps[number] = BtsnoopStrap(address)
      nextNumber += 1
      if let address { numbers[address] = number }
    }
    connections[record.controller]?[handle]?.strap = number
    return number
  }
}
