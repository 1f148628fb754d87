/// The checksum of FIT files: CRC-16 with the reflected polynomial 0xA001 that begins with 0 (FIT Protocol, "CRC").
struct FITChecksum: Hashable, Sendable {
  private(set) var value: UInt16 = 0

  init(_ octets: some Sequence<UInt8> = []) {
    add(octets)
  }

  mutating func add(_ octets: some Sequence<UInt8>) {
    for octet in octets {
      value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ octet)]
    }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
  }
}
