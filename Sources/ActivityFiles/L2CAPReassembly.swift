/// Puts the ATT PDUs of one direction of a connection together from its ACL packets (Core Specification, Vol 3, Part A,
/// sections 3.1 and 7.2.1); other channels are passed over without being kept.
struct L2CAPReassembly: Sendable {
  /// The fixed channel of ATT on LE links (Vol 3, Part A, table 2.3).
  private static let attChannel: UInt16 = 4
  /// An attribute has at most 512 octets (Vol 3, Part F, section 3.2.9); several in one PDU are longer by a few of them.
  private static let longestPDU = 4096
  private static let headerLength = 4

  private enum State: Sendable {
    /// Nothing is expected. Leaves to: `header`, `body`, by a packet that begins a PDU.
    case idle
    /// The header has not come whole. Leaves to: `body`, or `idle` where the PDU is not wanted.
    case header([UInt8])
    /// So many octets are missing. Leaves to: `idle`, when they have come or too many have.
    case body([UInt8], length: Int)
  }
  private var state = State.idle

  /// What is under way can never become whole.
  mutating func interrupt() { state = .idle }

  /// Takes the data of an ACL packet.
  ///
  /// - Returns: the PDU, where that has ended it.
  mutating func take(_ data: LittleEndianOctets, isStart: Bool) -> LittleEndianOctets? {
    if isStart { return begin(data) }
    switch state {
    case .idle: return nil
    case .header(let octets): return begin(LittleEndianOctets((octets + data.array)[...]))
    case .body(var octets, let length):
      // Not copied when it grows.
      state = .idle
      octets += data.array
      if octets.count == length { return LittleEndianOctets(octets[...]) }
      if octets.count < length { state = .body(octets, length: length) }
      return nil
    }
  }

  private mutating func begin(_ data: LittleEndianOctets) -> LittleEndianOctets? {
    state = .idle
    guard let length = data.number16(at: 0).map(Int.init), let channel = data.number16(at: 2) else {
      if data.count > 0 { state = .header(data.array) }
      return nil
    }
    guard channel == Self.attChannel, length <= Self.longestPDU else { return nil }
    let body = data.dropping(Self.headerLength)
    if body.count == length { return body }
    if body.count < length { state = .body(body.array, length: length) }
    return nil
  }
}
