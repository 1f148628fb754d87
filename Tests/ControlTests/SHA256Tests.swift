import Control
import Testing

@Suite struct SHA256Tests {
  /// FIPS 180-4's examples (NIST, "Secure Hash Standard" examples), the empty message, and lengths around a block by
  /// sha256sum of coreutils.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    (String(repeating: "x", count: 55), "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"),
    (String(repeating: "x", count: 56), "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"),
    (String(repeating: "x", count: 63), "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"),
    (String(repeating: "x", count: 64), "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"),
    (String(repeating: "x", count: 65), "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"),
    (String(repeating: "x", count: 119), "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"),
    (String(repeating: "x", count: 120), "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"),
  ])
  func vectors(_ text: String, _ value: String) {
    var digest = SHA256()
    digest.update(Array(text.utf8))
    #expect(digest.hexadecimal == value)
    #expect(digest.hexadecimal == value, "asking changes nothing")
  }

  @Test func piecesOfAnySize() {
    let octets = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var whole = SHA256()
    whole.update(octets)
    for size in [1, 3, 55, 63, 64, 65, 127, 128, 129, 999] {
      var digest = SHA256()
      for start in stride(from: 0, to: octets.count, by: size) {
        digest.update(Array(octets[start..<min(start + size, octets.count)]))
        digest.update([])
      }
      #expect(digest.hexadecimal == whole.hexadecimal, "pieces of \(size)")
    }
  }
}
