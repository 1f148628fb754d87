import Measurements

/// SHA-256 (FIPS 180-4) of octets that come piece by piece.
///
/// Of all check values this is the one that every system has a program for, sha256sum, so that a file can be held against
/// it years later and without strapd.
public struct SHA256: Hashable, Sendable {
  private var hash: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// What does not fill a block of 64 octets yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  public init() {}

  public mutating func update(_ octets: [UInt8]) {
    count += UInt64(octets.count)
    var taken = 0
    if !rest.isEmpty {
      taken = min(64 - rest.count, octets.count)
      rest += octets[..<taken]
      guard rest.count == 64 else { return }
      rest.withUnsafeBytes { mix($0) }
      rest.removeAll(keepingCapacity: true)
    }
    octets.withUnsafeBytes { octets in
      while octets.count - taken >= 64 {
        mix(UnsafeRawBufferPointer(rebasing: octets[taken..<taken + 64]))
        taken += 64
      }
    }
    rest += octets[taken...]
  }

  /// The value of all octets so far, as 64 digits.
  public var hexadecimal: String { Hex.text(octets) }

  /// The value of all octets so far: 32 octets.
  public var octets: [UInt8] {
    var whole = self
    // A one, zeros up to 8 octets before the end of a block, and the number of bits.
    let zeros = (119 - Int(count % 64)) % 64
    whole.update([0x80] + [UInt8](repeating: 0, count: zeros) + Self.octets(of: count * 8, 8))
    return whole.hash.flatMap { Self.octets(of: UInt64($0), 4) }
  }

  private static func octets(of number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
  }

  /// One block.
  private mutating func mix(_ block: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let small = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early >> 3)
        let large = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late >> 10)
        words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
      }
      var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
      var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
      Self.constants.withUnsafeBufferPointer { constants in
        for index in 0..<64 {
          let sum = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
          let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
          let other = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
          let second = other &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
      }
      for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { hash[index] &+= value }
    }
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
