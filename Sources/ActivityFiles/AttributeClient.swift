/// This machine's side of ATT on one connection (Core Specification, Vol 3, Part F, section 3.4): its requests, which say
/// what the peer's answers are about, and what the peer sends by itself.
struct AttributeClient: Sendable {
  /// What a PDU has told.
  enum Finding: Hashable, Sendable {
    /// The value at a handle has the type of this assigned number; nil where it has one of its vendor's.
    case attribute(UInt16, UInt16?)
    case service(ClosedRange<UInt16>, UInt16?)
    /// A value was read.
    case value(UInt16, [UInt8])
    case notification(UInt16, LittleEndianOctets)
  }

  private enum Request: Sendable {
    case readByType(UInt16?)
    /// By type and, of Find By Type Value, by value.
    case services(UInt16?)
    case findInformation
    case read(UInt16)
    case readBlob(UInt16, offset: Int)
  }
  /// One request at a time may be unanswered (section 3.3.2).
  private var pending: Request?
  /// The last value that was read, which Read Blob Responses may go on with.
  private var lastRead: (handle: UInt16, value: [UInt8])?

  private static let primaryService: UInt16 = 0x2800
  private static let secondaryService: UInt16 = 0x2801
  private static let characteristic: UInt16 = 0x2803
  /// Vol 3, Part F, section 3.2.9.
  private static let longestValue = 512

  mutating func take(_ pdu: LittleEndianOctets, isReceived: Bool) -> [Finding] {
    guard let opcode = pdu.octet(at: 0) else { return [] }
    let parameters = pdu.dropping(1)
    guard isReceived else {
      noteRequest(opcode, parameters)
      return []
    }
    switch opcode {
    case 0x1B, 0x1D: return parameters.number16(at: 0).map { [.notification($0, parameters.dropping(2))] } ?? []
    case 0x23: return Self.severalNotifications(parameters)
    case 0x01, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x11:
      guard let request = pending else { return [] }
      pending = nil
      return answer(opcode, parameters, to: request)
    case _: return []
    }
  }

  private mutating func noteRequest(_ opcode: UInt8, _ parameters: LittleEndianOctets) {
    switch opcode {
    case 0x04: pending = .findInformation
    case 0x06:
      let isOfServices = parameters.number16(at: 4) == Self.primaryService
      pending = isOfServices ? .services(parameters.dropping(6).assignedNumber) : nil
    case 0x08: pending = .readByType(parameters.dropping(4).assignedNumber)
    case 0x10:
      let type = parameters.dropping(4).assignedNumber
      pending = type == Self.primaryService || type == Self.secondaryService ? .services(nil) : nil
    case 0x0A: pending = parameters.number16(at: 0).map { .read($0) }
    case 0x0C:
      pending = nil
      if let handle = parameters.number16(at: 0), let offset = parameters.number16(at: 2) {
        pending = .readBlob(handle, offset: Int(offset))
      }
    // Read Multiple, Write, Prepare and Execute Write, Read Multiple Variable Length and the exchange of MTUs: what is
    // answered to them tells nothing here.
    case 0x02, 0x0E, 0x12, 0x16, 0x18, 0x20: pending = nil
    case _: break
    }
  }

  private mutating func answer(
    _ opcode: UInt8, _ parameters: LittleEndianOctets, to request: Request
  ) -> [Finding] {
    switch (request, opcode) {
    case (.findInformation, 0x05): return Self.information(parameters)
    case (.services(let number), 0x07): return Self.foundServices(parameters, number)
    case (.services, 0x11): return Self.groups(parameters)
    case (.readByType(let type), 0x09): return Self.values(parameters, of: type)
    case (.read(let handle), 0x0B):
      lastRead = (handle, parameters.keeping(Self.longestValue).array)
      return [.value(handle, parameters.keeping(Self.longestValue).array)]
    case (.readBlob(let handle, let offset), 0x0D):
      guard let last = lastRead, last.handle == handle, last.value.count == offset,
        offset + parameters.count <= Self.longestValue
      else { return [] }
      lastRead = (handle, last.value + parameters.array)
      return [.value(handle, last.value + parameters.array)]
    case _: return []
    }
  }

  /// Find Information Response (section 3.4.3.2).
  private static func information(_ parameters: LittleEndianOctets) -> [Finding] {
    let width = parameters.octet(at: 0) == 1 ? 4 : 18
    return entries(parameters.dropping(1), width).map { entry in
      .attribute(entry.number16(at: 0) ?? 0, entry.dropping(2).assignedNumber)
    }
  }

  /// Find By Type Value Response (section 3.4.3.4).
  private static func foundServices(_ parameters: LittleEndianOctets, _ number: UInt16?) -> [Finding] {
    entries(parameters, 4).compactMap { service($0, number) }
  }

  /// Read By Group Type Response (section 3.4.4.10).
  private static func groups(_ parameters: LittleEndianOctets) -> [Finding] {
    guard let width = parameters.octet(at: 0), width == 6 || width == 20 else { return [] }
    return entries(parameters.dropping(1), Int(width)).compactMap { service($0, $0.dropping(4).assignedNumber) }
  }

  private static func service(_ entry: LittleEndianOctets, _ number: UInt16?) -> Finding? {
    guard let first = entry.number16(at: 0), let last = entry.number16(at: 2), first <= last else { return nil }
    return .service(first...last, number)
  }

  /// Read By Type Response (section 3.4.4.2); of declarations, the characteristics' (Part G, section 3.3.1).
  private static func values(_ parameters: LittleEndianOctets, of type: UInt16?) -> [Finding] {
    guard let width = parameters.octet(at: 0), width >= 2 else { return [] }
    let entries = entries(parameters.dropping(1), Int(width))
    if type == characteristic {
      guard width == 7 || width == 21 else { return [] }
      return entries.map { .attribute($0.number16(at: 3) ?? 0, $0.dropping(5).assignedNumber) }
    }
    guard let type else { return [] }
    return entries.flatMap { entry -> [Finding] in
      let handle = entry.number16(at: 0) ?? 0
      return [.attribute(handle, type), .value(handle, entry.dropping(2).array)]
    }
  }

  /// Handle Value Multiple Notification (section 3.4.7.4): each with its length; one that is not whole is left out.
  private static func severalNotifications(_ parameters: LittleEndianOctets) -> [Finding] {
    var findings: [Finding] = []
    var rest = parameters
    while let handle = rest.number16(at: 0), let length = rest.number16(at: 2), rest.count >= 4 + Int(length) {
      findings.append(.notification(handle, rest.dropping(4).keeping(Int(length))))
      rest = rest.dropping(4 + Int(length))
    }
    return findings
  }

  /// The whole entries of a list.
  private static func entries(_ list: LittleEndianOctets, _ width: Int) -> [LittleEndianOctets] {
    (0..<list.count / width).map { list.dropping($0 * width).keeping(width) }
  }
}
