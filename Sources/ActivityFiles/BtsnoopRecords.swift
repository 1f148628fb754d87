/// One packet of an HCI log.
struct BtsnoopRecord: Sendable {
  enum Kind: Hashable, Sendable {
    case event, sentData, receivedData
    /// The controller was shut or taken away, and its connections with it.
    case controllerGone
    case other
  }

  var kind: Kind
  /// Which of the machine's controllers; 0 where the log does not say.
  var controller: UInt16
  /// In microseconds since 1970-01-01T00:00:00Z.
  var date: Int64
  /// How many packets had been lost while the log was written, counted from a moment of the writer's choice.
  var drops: UInt32
  /// Where the record begins in the log.
  var offset: Int
  /// Less of the packet was written than there was.
  var isTruncated: Bool
  /// The HCI packet, without the octet for its kind.
  var packet: LittleEndianOctets
}

/// Cuts octets that come piece by piece into the records of a log (btsnoop file format, version 1; the numbers of Linux'
/// monitor are those of BlueZ' doc/btsnoop.txt).
struct BtsnoopRecords: Sendable {
  static let identification: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0]
  /// From the year 0, which the dates of a log count from, to 1970, in microseconds.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
  static let headerLength = 16
  static let recordHeaderLength = 24
  /// An ACL packet's header and data, and the octet for its kind (Core Specification, Vol 4, Part E, section 5.4.2).
  static let longestPacket = 1 + 4 + 0xFFFF

  private enum DataLink: UInt32 {
    /// HCI packets whose kind is in the flags.
    case unencapsulated = 1001
    /// HCI packets behind an octet for their kind (Core Specification, Vol 4, Part A, section 2).
    case uart = 1002
    /// The monitor of Linux, the kind and the controller in the flags.
    case monitor = 2001
  }

  private var buffer: [UInt8] = []
  private var consumed = 0
  /// Where in the log the buffer begins, and how many octets have come.
  private var base = 0
  private var taken = 0
  private var dataLink: DataLink?
  /// Nothing but zeros follows: what a file system gives back that lost power before the data was on the disk.
  private var isInZeros = false

  /// How far the log has been read.
  var offset: Int { base + consumed }
  var isCutShort: Bool { isInZeros || (dataLink != nil && consumed < buffer.count) }

  mutating func append(_ bytes: [UInt8]) throws(ActivityFileError) {
    taken += bytes.count
    if isInZeros {
      if let index = bytes.firstIndex(where: { $0 != 0 }) {
        throw Self.zerosEnd(at: taken - bytes.count + index)
      }
      return
    }
    if consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      base += consumed
      consumed = 0
    }
    buffer += bytes
  }

  /// The next whole record; nil where it has not come yet.
  mutating func next() throws(ActivityFileError) -> BtsnoopRecord? {
    guard let dataLink = try knownDataLink(), !isInZeros else { return nil }
    let header = LittleEndianOctets(buffer[consumed...])
    guard header.count >= Self.recordHeaderLength, let original = header.bigEndian32(at: 0),
      let included = header.bigEndian32(at: 4), let flags = header.bigEndian32(at: 8),
      let drops = header.bigEndian32(at: 12), let late = header.bigEndian32(at: 16),
      let early = header.bigEndian32(at: 20)
    else { return nil }
    let time = UInt64(late) << 32 | UInt64(early)
    if time == 0, original == 0, included == 0, flags == 0, drops == 0 {
      try enterZeros()
      return nil
    }
    let date = try Self.date(Int64(bitPattern: time), at: offset)
    guard included <= original, original <= Self.longestPacket else {
      throw ActivityFileError(
        .btsnoop, at: offset, "a record of \(included) octets of a packet of \(original), which cannot be")
    }
    guard header.count >= Self.recordHeaderLength + Int(included) else { return nil }
    let packet = header.dropping(Self.recordHeaderLength).keeping(Int(included))
    let (kind, controller, behind) = Self.kind(flags, packet, dataLink)
    let record = BtsnoopRecord(
      kind: kind, controller: controller, date: date, drops: drops, offset: offset, isTruncated: included < original,
      packet: packet.dropping(behind))
    consumed += Self.recordHeaderLength + Int(included)
    return record
  }

  /// - Throws: where what has come is not even a header.
  func finish() throws(ActivityFileError) {
    if dataLink == nil { throw ActivityFileError(.btsnoop, at: taken, "ends inside its header") }
  }

  private mutating func knownDataLink() throws(ActivityFileError) -> DataLink? {
    if let dataLink { return dataLink }
    let header = LittleEndianOctets(buffer[...])
    // What is no log is refused by its first octets, however few have come.
    guard zip(buffer, Self.identification).allSatisfy({ $0 == $1 }) else {
      throw ActivityFileError(.btsnoop, at: 0, "does not begin as a log does")
    }
    guard let version = header.bigEndian32(at: 8) else { return nil }
    guard version == 1 else { throw ActivityFileError(.btsnoop, at: 8, "is of version \(version), not 1") }
    guard let number = header.bigEndian32(at: 12) else { return nil }
    guard let known = DataLink(rawValue: number) else {
      throw ActivityFileError(.btsnoop, at: 12, "has data link type \(number); 1001, 1002 and 2001 are read")
    }
    dataLink = known
    consumed = Self.headerLength
    return known
  }

  private mutating func enterZeros() throws(ActivityFileError) {
    isInZeros = true
    if let index = buffer[consumed...].firstIndex(where: { $0 != 0 }) { throw Self.zerosEnd(at: base + index) }
    buffer.removeLast(buffer.count - consumed)
  }

  private static func zerosEnd(at offset: Int) -> ActivityFileError {
    ActivityFileError(.btsnoop, at: offset, "goes on behind a record of zeros, which cannot be")
  }

  private static func date(_ time: Int64, at offset: Int) throws(ActivityFileError) -> Int64 {
    let (date, overflow) = time.subtractingReportingOverflow(epoch)
    // What nanoseconds in 64 bits can say.
    guard !overflow, (-9_223_372_036_854_775...9_223_372_036_854_775).contains(date) else {
      throw ActivityFileError(.btsnoop, at: offset, "a record with a date outside of the years 1678 to 2261")
    }
    return date
  }

  /// The packet's kind, the controller, and how many octets stand before the packet itself.
  private static func kind(
    _ flags: UInt32, _ packet: LittleEndianOctets, _ dataLink: DataLink
  ) -> (BtsnoopRecord.Kind, UInt16, Int) {
    // Bit 0: to the host; bit 1: a command or an event.
    let data: BtsnoopRecord.Kind = flags & 1 == 0 ? .sentData : .receivedData
    switch dataLink {
    case .unencapsulated: return (flags & 2 == 0 ? data : flags & 1 == 0 ? .other : .event, 0, 0)
    case .uart:
      switch packet.octet(at: 0) {
      case 2: return (data, 0, 1)
      case 4: return (.event, 0, 1)
      case _: return (.other, 0, 0)
      }
    case .monitor:
      let controller = UInt16(flags >> 16)
      switch flags & 0xFFFF {
      case 1, 9: return (.controllerGone, controller, 0)
      case 3: return (.event, controller, 0)
      case 4: return (.sentData, controller, 0)
      case 5: return (.receivedData, controller, 0)
      case _: return (.other, controller, 0)
      }
    }
  }
}
