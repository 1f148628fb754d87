import Measurements
import Testing
import Workout

@testable import Store

@Suite struct SamplePieceTests {
  private func pieces(_ samples: [StoredSample]) throws -> [[UInt8]] {
    try stride(from: 0, to: samples.count, by: SamplePiece.mostSamples).map { start in
      let part = Array(samples[start..<min(start + SamplePiece.mostSamples, samples.count)])
      let octets = try SamplePiece.encode(part)
      #expect(try SamplePiece.decode(octets) == part, "from \(start)")
      return octets
    }
  }

  private static func error(_ octets: [UInt8]) -> SamplePieceError? {
    do { _ = try SamplePiece.decode(octets) } catch { return error }
    return nil
  }

  /// At most 20 kB an hour at 1 Hz with intervals; printed, since it is what is promised.
  @Test func anHourTakesLessThan20Kilobytes() throws {
    let straps: [(String, Workouts.Strap, Double?)] = [
      ("1 Hz, late by 0.1 ms", .init(jitter: 0.0001), 20_000), ("1 Hz, late by 0.5 ms", .init(), 20_000),
      ("1 Hz, late by 1 ms", .init(jitter: 0.001), 20_000),
      ("1 Hz, late by 5 ms", .init(jitter: 0.005), 20_000),
      ("1 Hz, late by 1 ms, 40 ms from beat to beat", .init(jitter: 0.001, variability: 0.04), 20_000),
      ("1 Hz in connection events of 48.75 ms", .init(connectionInterval: 0.04875), 20_000),
      ("1 Hz in connection events of 30 ms, late by 1 ms", .init(jitter: 0.001, connectionInterval: 0.03), 20_000),
      (
        "1 Hz in connection events of 48.75 ms, 40 ms from beat to beat",
        .init(connectionInterval: 0.04875, variability: 0.04), 20_000
      ),
      ("1 Hz without intervals", .init(hasIntervals: false), 14_000),
      ("1 Hz with energy", .init(hasEnergy: true), 20_000),
      ("4 Hz", .init(hertz: 4), 75_000),
    ]
    for (name, strap, most) in straps {
      let samples = try Workouts.samples(Int(3600 * strap.hertz), strap).map { StoredSample($0) }
      var (octets, count, rest) = (0, 0, samples[...])
      while !rest.isEmpty {
        let piece = try SamplePiece.encodeFirst(of: Array(rest.prefix(SamplePiece.mostSamples)))
        rest = rest.dropFirst(piece.samples.count)
        (octets, count) = (octets + piece.octets.count, count + 1)
        #expect(piece.octets.count <= SamplePiece.usualOctets)
        #expect(try SamplePiece.decode(piece.octets) == piece.samples)
      }
      let raw = samples.reduce(0) { $0 + $1.octetCount }
      print("bench an hour of \(name): \(octets) octets in \(count) pieces, \(raw) of payloads and rr")
      #expect(Double(octets) < most ?? 0, "\(name)")
    }
  }

  @Test func oneSampleIsAPiece() throws {
    let sample = StoredSample(try .example(1))
    #expect(try pieces([sample]).count == 1)
    #expect(throws: SamplePieceError.tooLarge) { try SamplePiece.encode([]) }
    #expect(throws: SamplePieceError.tooLarge) {
      try SamplePiece.encode(Array(repeating: sample, count: SamplePiece.mostSamples + 1))
    }
    var long = sample
    long.payload = [UInt8](repeating: 6, count: SamplePiece.mostOctets + 1)
    #expect(throws: SamplePieceError.tooLarge) { try SamplePiece.encode([long]) }
  }

  /// Whatever stands in the columns comes back: octets that are no measurement, and numbers that nothing would write.
  @Test func anythingComesBack() throws {
    var random = SeededRandom(state: 3)
    func any(_ most: Int) -> [UInt8] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    let odd: [Int64] = [.min, .max, -1, 0, 1, 1 << 40, -(1 << 33)]
    for round in 0..<400 {
      var samples: [StoredSample] = []
      for index in 0..<Int.random(in: 1...60, using: &random) {
        let isWild = Int.random(in: 0..<3, using: &random) == 0
        func number(_ usual: Int64) -> Int64 { isWild ? odd.randomElement(using: &random) ?? 0 : usual }
        let payload = any(round % 4 == 0 ? 200 : 12)
        samples.append(
          StoredSample(
            sequence: number(Int64(index)), boot: number(2), tick: number(Int64(index) * 1_000_000_000),
            isRepeat: Bool.random(using: &random), lastBeat: Bool.random(using: &random) ? number(77) : nil,
            uncertainty: Bool.random(using: &random) ? number(1000) : nil,
            intervals: Bool.random(using: &random) ? any(8) : nil, warnings: number(0), payload: payload))
      }
      #expect(try pieces(samples).count == 1, "round \(round)")
    }
  }

  /// What quirks leave out of the payload's intervals.
  @Test(arguments: [[], [0], [1], [0, 2], [0, 1, 2]])
  func intervalsThatAreLeftOut(_ kept: [Int]) throws {
    let intervals: [UInt16] = [1069, 53, 1024]
    var sample = StoredSample(try .example(1, [0x10, 56, 0x2D, 0x04, 0x35, 0x00, 0x00, 0x04]))
    sample.intervals = []
    for index in kept { sample.intervals?.append(number: intervals[index]) }
    sample.warnings = 256
    var none = sample
    none.intervals = nil
    var foreign = sample
    foreign.intervals = [1, 2, 3]
    #expect(try pieces([sample, none, foreign, sample]).count == 1)
  }

  @Test func everyPrefixIsRefused() throws {
    let octets = try pieces(try Workouts.samples(120).map { StoredSample($0) })[0]
    for count in 0..<octets.count { #expect(Self.error(Array(octets.prefix(count))) != nil, "\(count) octets") }
    #expect(Self.error(octets + [0]) != nil)
    #expect(Self.error([]) == .version(nil))
    #expect(Self.error([2] + octets.dropFirst()) == .version(2))
  }

  /// A damaged piece is noticed, or the damage is in a bit that says nothing.
  @Test func everyBitThatIsTurnedIsNoticed() throws {
    let samples = try Workouts.samples(100).map { StoredSample($0) }
    let octets = try pieces(samples)[0]
    var silent = 0
    for bit in 0..<octets.count * 8 {
      var damaged = octets
      damaged[bit / 8] ^= 1 << (bit % 8)
      if Self.error(damaged) == nil {
        silent += 1
        #expect(try SamplePiece.decode(damaged) == samples, "bit \(bit)")
      }
    }
    print("of \(octets.count * 8) bits of a piece \(silent) say nothing")
    #expect(silent < 20, "unused ones of zstd's headers (RFC 8878, 3.1.1.1.1.3), and padding")
  }

  /// Behind a frame that is whole may be anything as well: the check value keeps out accidents alone.
  @Test func contentsThatAreNoPieceAreRefused() throws {
    let samples = try Workouts.samples(100, .init(hasEnergy: true)).map { StoredSample($0) }
    let parts = SamplePieceWriter(samples, SampleRhythm.candidates(samples)[0]).parts
    let contents = parts.flatMap { $0 }
    func read(_ contents: [UInt8]) -> [StoredSample]? {
      do { return try SamplePiece.decode([SamplePiece.version] + (try Zstd.pack([contents]))) } catch { return nil }
    }
    #expect(read(contents) == samples)
    for count in 1..<contents.count { #expect(read(Array(contents.prefix(count))) == nil, "\(count) octets") }
    #expect(read(contents + [1]) == nil)
    var random = SeededRandom(state: 8)
    var taken = 0
    for _ in 0..<20_000 {
      var damaged = contents
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        damaged[Bool.random(using: &random) ? index : index % 200] = UInt8.random(in: 0...255, using: &random)
      }
      taken += read(damaged) == nil ? 0 : 1
    }
    print("of 20000 damaged contents \(taken) were a piece, of other samples")
    for _ in 0..<5_000 {
      let noise = (0..<Int.random(in: 1...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = read(noise)
      _ = Self.error([SamplePiece.version] + noise)
    }
  }

  /// A frame that says that it holds a gigabyte is refused by what it says.
  @Test func aFrameThatIsTooLargeIsNotUnpacked() throws {
    let packed = try Zstd.pack([[UInt8](repeating: 0, count: SamplePiece.mostUnpacked + 1)])
    #expect(packed.count < 200)
    #expect(Self.error([SamplePiece.version] + packed) == .damaged("it does not say a size that can be"))
  }

  /// What is on disk is read for ever: these octets were written by the first version of the coder, and zstd 1.5.4.
  @Test func aPieceOfVersion1() throws {
    #expect(try pieces(Self.everyKind).count == 1)
    let octets = try #require(Hex.bytes(Self.version1))
    #expect(try SamplePiece.decode(octets) == Self.everyKind)
  }

  private static let everyKind: [StoredSample] = (0..<48).map { index in
    let number = Int64(index)
    let jitter = number * 7_919_131 % 1_000_003
    let interval = UInt8(index * 37 % 90)
    var payload: [UInt8] = [0x16, UInt8(120 + index % 5), 0x80 + interval, 0x01]
    if index % 3 == 0 { payload += [0x70 + interval / 4, 0x01] }
    if index % 10 == 4 { payload = [0x1F, 0x2C, 0x01, UInt8(index), 0x02, 0x00, 0x02, 0x7F] }
    if index % 10 == 7 { payload = [0x06, UInt8(index), 0xAA, 0xBB] }
    var intervals: [UInt8]? = index % 10 == 7 ? nil : index % 10 == 4 ? [0x00, 0x02] : Array(payload.dropFirst(2))
    if index == 20 { payload = [0x01, 0x05] }
    if index % 10 == 9 { intervals = Array(payload[2..<4]) }
    if index == 30 { intervals = [1, 2, 3] }
    let tick = 5_000_000_000_000 + number * 1_000_100_000 + jitter + (index > 25 ? 90_000_000_000 : 0)
    let lastBeat: Int64? = index % 7 == 6 ? nil : index % 8 == 3 ? tick : tick - 700_000_000 - jitter
    return StoredSample(
      sequence: 4000 + number + (index > 11 ? 5 : 0), boot: index > 40 ? 4 : 3, tick: index > 40 ? tick / 50 : tick,
      isRepeat: index == 15, lastBeat: lastBeat,
      uncertainty: lastBeat.map { index % 4 == 0 ? tick - $0 : 650_000_000 + number / 9 }, intervals: intervals,
      warnings: index % 10 == 9 ? 256 : 0, payload: payload)
  }

  private static let version1 =
    "0128b52ffd648a02c40c00e41530c03e0680c0caf384a302c6d2d8b9070038014c0c2c2c4c0c002c4c8c2c2c4c000c2d4c0c"
    + "0c2c822c2c004c0cac0c2cac4c000c2c0c0c2c2c0900010c0a09000129020900040909090980020001161616161f16160601"
    + "020103010303010903030103050305030303030f0700020000020002081414141404000000000102020006ff8b91009da3af"
    + "b5bbc100cd5f656b717700898f959b272d393f454b515700696ffb01071c7aa4e82c704d5ae200f27a8a129a220032c74fd7"
    + "5fe7007f078f1724acbc44cc54dc6400fc849019a1a8253074b9fd728e8b0086847f7d7a7800738c8a878582007b79767490"
    + "8d888683817e7c0074728e8c8979d226fcd2a85353530053a76f91057aef00252626272727000904ff9db3cb690297334b61"
    + "ff1815e085a5c56a00aa4f6f8f335454f50a00f60b00f70c02f80d0303050606050600060601010000010103047faabb7faa"
    + "bb0105940102037faabb7faabb1800548239e50a6805401a386237318001542420e0040193012d2d042be142c9e8d92c99f8"
    + "51ac031d580ab4185809c8dc703f47e7825906e5080064100100c090d00340773bd5c3d6e4ff992012b0764acb44a8a27960"
    + "82fa2a4e40799524d23028fcde22d9a292f2d3edf3cbdd6e831aec27514994e46f0a9c7692a52af454b814433b0000a01542"
    + "474f010000180a24aed290cbe1e560d379d2876ed7e5461efd5eadf38cf698e44eed5df5702579adb7b1580000a8c415312c"
    + "4980b2d56a3a0000385bada6030080b3007800008082820228f25cc071f4020f0a0a0a28e6b9c0a7d4020b050514f35ce04e"
    + "60c143414101c53c17789255f05050504031cf054e0000e01f0000e0a7ba72fa8f16eb957e032bff5b2a2beda42934fca6e0"
    + "6755d0cf7a46a52e9b953f95d39b62a62bb7893057e9227b7a29bc72fa5087064bc7ba000700e955c0a9021c670db086b59a"
    + "036c0f61357036b4a39c"
}
