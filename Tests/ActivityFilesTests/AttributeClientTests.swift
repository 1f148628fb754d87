import Testing

@testable import ActivityFiles

@Suite struct AttributeClientTests {
  typealias Finding = AttributeClient.Finding

  private static func octets(_ array: [UInt8]) -> LittleEndianOctets { LittleEndianOctets(array[...]) }

  /// What the answer to a request tells.
  private static func findings(_ request: [UInt8], _ answer: [UInt8]) -> [Finding] {
    var client = AttributeClient()
    #expect(client.take(octets(request), isReceived: false) == [])
    return client.take(octets(answer), isReceived: true)
  }

  /// 0x2A37 in 128 bits, and a vendor's.
  static let long: [UInt8] = [
    0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, 0x37, 0x2A, 0x00, 0x00,
  ]
  static let vendor: [UInt8] = [
    0x49, 0xFF, 0xAC, 0xDC, 0x4B, 0xCF, 0x05, 0x14, 0xDA, 0xB2, 0xF9, 0x36, 0x04, 0x2D, 0xB8, 0xBF,
  ]

  /// A request, its answer, and what that tells.
  struct Vector {
    var request: [UInt8]
    var answer: [UInt8]
    var findings: [Finding]

    init(_ request: [UInt8], _ answer: [UInt8], uuid: [UInt8] = [], _ findings: [Finding]) {
      self.request = request
      self.answer = answer + uuid
      self.findings = findings
    }
  }

  /// Of the recorded log, some of them shortened, and their like by the specification.
  static let vectors: [Vector] = [
    Vector(
      [0x08, 0x01, 0x00, 0x26, 0x00, 0x03, 0x28],
      [0x09, 7, 0x02, 0x00, 0x02, 0x03, 0x00, 0x00, 0x2A, 0x0F, 0x00, 0x10, 0x10, 0x00, 0x37, 0x2A],
      [.attribute(0x03, 0x2A00), .attribute(0x10, 0x2A37)]
    ),
    Vector(
      [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 21, 0x0F, 0, 0x10, 0x10, 0], uuid: long, [.attribute(0x10, 0x2A37)]),
    Vector(
      [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 21, 0x0F, 0, 0x10, 0x10, 0], uuid: vendor, [.attribute(0x10, nil)]),
    Vector(
      [0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A], [0x09, 6, 0x03, 0x00, 0x53, 0x70, 0x69, 0x6B],
      [.attribute(3, 0x2A00), .value(3, [0x53, 0x70, 0x69, 0x6B])]
    ),
    Vector(
      [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28],
      [0x11, 6, 0x0E, 0x00, 0x15, 0x00, 0x0D, 0x18, 0x16, 0x00, 0x19, 0x00, 0x0F, 0x18],
      [.service(0x0E...0x15, 0x180D), .service(0x16...0x19, 0x180F)]
    ),
    Vector(
      [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28], [0x11, 20, 0x20, 0, 0x2F, 0], uuid: vendor, [.service(0x20...0x2F, nil)]),
    Vector(
      [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0D, 0x18], [0x07, 0x0E, 0, 0x15, 0], [.service(0x0E...0x15, 0x180D)]),
    Vector(
      [0x04, 0x10, 0x00, 0x11, 0x00], [0x05, 1, 0x10, 0x00, 0x37, 0x2A, 0x11, 0x00, 0x02, 0x29],
      [.attribute(0x10, 0x2A37), .attribute(0x11, 0x2902)]
    ),
    Vector([0x04, 0x10, 0x00, 0x10, 0x00], [0x05, 2, 0x10, 0x00], uuid: long, [.attribute(0x10, 0x2A37)]),
    Vector([0x0A, 0x18, 0x00], [0x0B, 0x57], [.value(0x18, [0x57])]),
  ]

  @Test(arguments: vectors.indices) func discoveryAndReadsAreUnderstood(index: Int) {
    let vector = Self.vectors[index]
    #expect(Self.findings(vector.request, vector.answer) == vector.findings)
  }

  @Test(arguments: vectors.indices) func everyPrefixTellsTheSameOrLess(index: Int) {
    let vector = Self.vectors[index]
    for count in 0..<vector.answer.count {
      let found = Self.findings(vector.request, Array(vector.answer.prefix(count)))
      #expect(found.count <= vector.findings.count)
    }
    for count in 0..<vector.request.count {
      #expect(Self.findings(Array(vector.request.prefix(count)), vector.answer).count <= vector.findings.count)
    }
  }

  @Test func anAnswerToNothingOrToAnotherRequestTellsNothing() {
    var client = AttributeClient()
    #expect(client.take(Self.octets([0x0B, 0x57]), isReceived: true) == [])
    #expect(Self.findings([0x0A, 0x18, 0], [0x05, 1, 0x10, 0, 0x37, 0x2A]) == [])
    #expect(Self.findings([0x12, 0x18, 0, 1], [0x0B, 0x57]) == [])
    // An error answers as well.
    _ = client.take(Self.octets([0x0A, 0x18, 0]), isReceived: false)
    _ = client.take(Self.octets([0x01, 0x0A, 0x18, 0, 0x0A]), isReceived: true)
    #expect(client.take(Self.octets([0x0B, 0x57]), isReceived: true) == [])
    // What the peer asks this machine is not what it is asked.
    _ = client.take(Self.octets([0x0A, 0x18, 0]), isReceived: true)
    #expect(client.take(Self.octets([0x0B, 0x57]), isReceived: true) == [])
  }

  @Test func aLongValueIsReadInParts() {
    var client = AttributeClient()
    _ = client.take(Self.octets([0x0A, 3, 0]), isReceived: false)
    #expect(client.take(Self.octets([0x0B, 0x41, 0x42]), isReceived: true) == [.value(3, [0x41, 0x42])])
    _ = client.take(Self.octets([0x0C, 3, 0, 2, 0]), isReceived: false)
    #expect(client.take(Self.octets([0x0D, 0x43]), isReceived: true) == [.value(3, [0x41, 0x42, 0x43])])
    // Not where that has ended, and not of this handle.
    for request: [UInt8] in [[0x0C, 3, 0, 9, 0], [0x0C, 4, 0, 3, 0]] {
      _ = client.take(Self.octets(request), isReceived: false)
      #expect(client.take(Self.octets([0x0D, 0x44]), isReceived: true) == [])
    }
  }

  @Test func notificationsAndIndicationsHaveHandleAndValue() {
    var client = AttributeClient()
    for opcode: UInt8 in [0x1B, 0x1D] {
      let findings = client.take(Self.octets([opcode, 0x10, 0, 0x06, 60]), isReceived: true)
      #expect(findings == [.notification(0x10, Self.octets([0x06, 60]))])
      #expect(client.take(Self.octets([opcode, 0x10]), isReceived: true) == [])
    }
  }

  @Test func severalNotificationsInOnePDUAreTakenApart() throws {
    let pdu: [UInt8] = [0x23, 0x10, 0, 2, 0, 0x06, 60, 0x18, 0, 1, 0, 0x57, 0x10, 0, 2, 0, 0x06]
    var client = AttributeClient()
    let findings = client.take(Self.octets(pdu), isReceived: true)
    #expect(findings == [.notification(0x10, Self.octets([0x06, 60])), .notification(0x18, Self.octets([0x57]))])
    for count in pdu.indices {
      #expect(client.take(Self.octets(Array(pdu.prefix(count))), isReceived: true).count <= 2)
    }
    var log = HCILogTests.log()
    log.att(0x40, pdu)
    log.att(0x40, [0x1D, 0x10, 0, 0x06, 61])
    #expect(try read(log.bytes).map(\.heartRates) == [[60, 61]])
  }
}
