import Measurements

@testable import ActivityFiles

/// Writes HCI logs record by record, by the specifications alone.
struct LogWriter {
  enum DataLink: UInt32, CaseIterable {
    case unencapsulated = 1001
    case uart = 1002
    case monitor = 2001
  }

  let dataLink: DataLink
  private(set) var bytes: [UInt8]
  /// Microseconds since 1970.
  var time: Int64 = 1_796_000_000_000_000
  var drops: UInt32 = 0
  var controller: UInt32 = 0

  init(_ dataLink: DataLink = .monitor) {
    self.dataLink = dataLink
    bytes = Array("btsnoop".utf8) + [0] + Self.big(1) + Self.big(dataLink.rawValue)
  }

  static func big(_ number: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(number >> $0 & 0xFF) }
  }

  static func little(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }

  /// A record as it stands; `original` where less was written than there was.
  mutating func record(flags: UInt32, _ packet: [UInt8], original: Int? = nil) {
    let stamp = UInt64(bitPattern: time + 0x00DC_DDB3_0F2F_8000)
    bytes += Self.big(UInt32(original ?? packet.count)) + Self.big(UInt32(packet.count))
    bytes += Self.big(flags) + Self.big(drops)
    bytes += Self.big(UInt32(stamp >> 32)) + Self.big(UInt32(stamp & 0xFFFF_FFFF)) + packet
  }

  mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
    let packet = [code, UInt8(parameters.count)] + parameters
    switch dataLink {
    case .unencapsulated: record(flags: 3, packet)
    case .uart: record(flags: 3, [4] + packet)
    case .monitor: record(flags: controller << 16 | 3, packet)
    }
  }

  /// - Parameter boundary: the packet boundary flag; else the one of a beginning in that direction.
  mutating func acl(_ handle: Int, _ data: [UInt8], boundary: Int? = nil, isReceived: Bool = true, cut: Int = 0) {
    let word = handle | (boundary ?? (isReceived ? 2 : 0)) << 12
    let packet = Self.little(word) + Self.little(data.count) + data
    let written = Array(packet.dropLast(cut))
    switch dataLink {
    case .unencapsulated: record(flags: isReceived ? 1 : 0, written, original: packet.count)
    case .uart: record(flags: isReceived ? 1 : 0, [2] + written, original: packet.count + 1)
    case .monitor: record(flags: controller << 16 | (isReceived ? 5 : 4), written, original: packet.count)
    }
  }

  /// A PDU, in ACL packets of so many octets at most.
  mutating func att(_ handle: Int, _ pdu: [UInt8], isReceived: Bool = true, fragment: Int = 1000, channel: Int = 4) {
    var rest = (Self.little(pdu.count) + Self.little(channel) + pdu)[...]
    var boundary: Int?
    while !rest.isEmpty {
      acl(handle, Array(rest.prefix(fragment)), boundary: boundary, isReceived: isReceived)
      rest = rest.dropFirst(fragment)
      boundary = 1
    }
  }

  mutating func connect(_ handle: Int, _ address: [UInt8] = LogWriter.address, subevent: UInt8 = 0x01) {
    let rest: [UInt8] = subevent == 0x01 ? [] : [UInt8](repeating: 0, count: 12)
    let timing: [UInt8] = [0x18, 0, 0, 0, 0x2A, 0, 0]
    event(0x3E, [subevent, 0] + Self.little(handle) + [0, 1] + address.reversed() + rest + timing)
  }

  mutating func disconnect(_ handle: Int, reason: UInt8 = 0x08) {
    event(0x05, [0] + Self.little(handle) + [reason])
  }

  /// Read By Type of declarations: characteristics at value handles.
  mutating func discover(_ handle: Int, _ characteristics: [(handle: Int, number: Int)]) {
    att(handle, [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
    var answer: [UInt8] = [0x09, 7]
    for characteristic in characteristics {
      answer += Self.little(characteristic.handle - 1) + [0x10] + Self.little(characteristic.handle)
      answer += Self.little(characteristic.number)
    }
    att(handle, answer)
  }

  mutating func notify(_ handle: Int, _ attribute: Int, _ value: [UInt8], after seconds: Double = 1) {
    time += Int64(seconds * 1_000_000)
    att(handle, [0x1B] + Self.little(attribute) + value)
  }

  static let address: [UInt8] = [0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5]
}

/// What a log gives, read in pieces of so many octets.
func read(_ bytes: [UInt8], pieces: Int = .max) throws(ActivityFileError) -> [WorkoutFile] {
  var reader = BtsnoopReader()
  var rest = bytes[...]
  while !rest.isEmpty {
    try reader.take(Array(rest.prefix(pieces)))
    rest = rest.dropFirst(pieces)
  }
  return try reader.finish()
}

extension WorkoutFile {
  var heartRates: [UInt16] { samples.map(\.measurement.heartRate) }
  var lossSeconds: [Double] {
    events.filter { $0.what == .linkLost }.map { Double($0.at.tick.nanoseconds) / 1e9 }
  }
}
