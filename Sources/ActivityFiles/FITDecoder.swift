/// Takes one FIT file apart into its data messages (FIT Protocol, "FIT File Structure"); what it does not know it passes on.
struct FITDecoder: Sendable {
  /// The first octet behind the file and its checksum: where a chained one begins.
  let end: Int
  private let octets: [UInt8]
  /// The first octet behind the messages.
  private let messagesEnd: Int
  private var place: Int
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  /// The last time that was told, which compressed timestamps count from.
  private var lastTimestamp: UInt32?

  /// Checks the header and both checksums.
  ///
  /// - Parameter start: where the file begins.
  init(_ octets: [UInt8], at start: Int = 0) throws(ActivityFileError) {
    guard octets.count - start >= 12 else {
      throw ActivityFileError(.fit, at: start, "ends inside the header")
    }
    let headerSize = Int(octets[start])
    guard headerSize == 12 || headerSize == 14 else {
      throw ActivityFileError(.fit, at: start, "has a header of \(headerSize) octets, which is neither 12 nor 14")
    }
    guard octets[(start + 8)..<(start + 12)].elementsEqual(Self.signature) else {
      throw ActivityFileError(.fit, at: start + 8, "is no FIT file: .FIT does not stand here")
    }
    guard octets[start + 1] >> 4 <= 2 else {
      throw ActivityFileError(.fit, at: start + 1, "is of protocol version \(octets[start + 1] >> 4), and 2 is known")
    }
    let dataSize = Int(octets.little32(at: start + 4))
    guard octets.count - start >= headerSize + dataSize + 2 else {
      let (told, there) = (headerSize + dataSize + 2, octets.count - start)
      throw ActivityFileError(.fit, at: start + 4, "is cut short: it says \(told) octets, and there are \(there)")
    }
    if headerSize == 14 {
      // A header's checksum of 0 is one that was not computed.
      let told = octets.little16(at: start + 12)
      guard told == 0 || told == FITChecksum(octets[start..<(start + 12)]).value else {
        throw ActivityFileError(.fit, at: start + 12, "has a header whose checksum is wrong")
      }
    }
    messagesEnd = start + headerSize + dataSize
    guard FITChecksum(octets[start..<messagesEnd]).value == octets.little16(at: messagesEnd) else {
      throw ActivityFileError(.fit, at: messagesEnd, "has a wrong checksum: it is damaged")
    }
    end = messagesEnd + 2
    place = start + headerSize
    self.octets = octets
  }

  static let signature = Array(".FIT".utf8)

  /// The next data message; nil behind the last.
  mutating func next() throws(ActivityFileError) -> FITMessage? {
    while place < messagesEnd {
      let start = place
      let header = octets[place]
      place += 1
      if header & 0x80 != 0 {
        return try message(local: header >> 5 & 0x03, at: start, timeOffset: header & 0x1F)
      }
      if header & 0x40 == 0 { return try message(local: header & 0x0F, at: start, timeOffset: nil) }
      definitions[Int(header & 0x0F)] = try definition(hasDeveloperFields: header & 0x20 != 0, at: start)
    }
    return nil
  }

  private mutating func definition(
    hasDeveloperFields: Bool, at start: Int
  ) throws(ActivityFileError) -> FITDefinition {
    let head = try take(5, of: "a definition message", at: start)
    guard head[head.startIndex + 1] <= 1 else {
      throw ActivityFileError(.fit, at: start, "has a definition message of no known order of octets")
    }
    let isBigEndian = head[head.startIndex + 1] == 1
    let (first, second) = (UInt16(head[head.startIndex + 2]), UInt16(head[head.startIndex + 3]))
    var definition = FITDefinition(
      message: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian)
    for _ in 0..<head[head.startIndex + 4] {
      let field = Array(try take(3, of: "a definition message", at: start))
      definition.fields.append(FITDefinition.Field(number: field[0], size: field[1], baseType: field[2]))
    }
    guard hasDeveloperFields else { return definition }
    let count = try take(1, of: "a definition message", at: start)
    for _ in 0..<count[count.startIndex] {
      let field = Array(try take(3, of: "a definition message", at: start))
      definition.developerFields.append(
        FITDefinition.DeveloperField(number: field[0], size: field[1], developer: field[2]))
    }
    return definition
  }

  private mutating func message(
    local: UInt8, at start: Int, timeOffset: UInt8?
  ) throws(ActivityFileError) -> FITMessage {
    guard let definition = definitions[Int(local)] else {
      throw ActivityFileError(.fit, at: start, "has a message of local type \(local), which nothing before it defines")
    }
    let content = try take(definition.size, of: "a message", at: start)
    var message = FITMessage(definition: definition, offset: start, timestamp: nil, content: content)
    if let timeOffset {
      guard let last = lastTimestamp else {
        throw ActivityFileError(.fit, at: start, "has a compressed timestamp with no whole one before it")
      }
      // The five bits go on from those of the last time, and have rolled over where they are less (FIT Protocol,
      // "Compressed Timestamp Header").
      lastTimestamp = last &+ UInt32((timeOffset &- UInt8(last & 0x1F)) & 0x1F)
      message.timestamp = lastTimestamp
    } else if let told = message.whole(FITProfile.timestamp).flatMap({ UInt32(exactly: $0) }) {
      lastTimestamp = told
      message.timestamp = told
    }
    return message
  }

  private mutating func take(_ count: Int, of what: String, at start: Int) throws(ActivityFileError) -> ArraySlice<
    UInt8
  > {
    guard messagesEnd - place >= count else {
      throw ActivityFileError(.fit, at: start, "ends inside \(what)")
    }
    defer { place += count }
    return octets[place..<(place + count)]
  }
}

extension ActivityFormat {
  /// Whether these octets are a FIT file's, or its beginning's: ".FIT" stands at the ninth (FIT Protocol, "File Header").
  public static func isFIT(_ octets: [UInt8]) -> Bool {
    octets.count >= 12 && octets[8..<12].elementsEqual(FITDecoder.signature)
  }
}

extension [UInt8] {
  fileprivate func little16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  fileprivate func little32(at offset: Int) -> UInt32 {
    UInt32(little16(at: offset)) | UInt32(little16(at: offset + 2)) << 16
  }
}
