import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

@Suite struct BtsnoopReaderTests {
  /// Recorded by btmon 5.66 with an emulated strap: the connection events and the ACL data of two connections.
  static func btmon() throws -> [UInt8] { try LogFile.octets("btmon.btsnoop") }

  /// The dates, handles and values are those that tshark 4.0 decodes of the same frames.
  @Test func aLogOfBtmonIsAWorkout() throws {
    let workouts = try read(try Self.btmon())
    try #require(workouts.count == 1)
    let file = workouts[0]
    #expect(
      file.samples.map { Hex.text($0.payload) } == [
        "1e41050080039003", "172c012a00", "1e43070080039003", "1e44080080039003", "1e45090080039003",
        "1e460a0080039003", "1e4a020080039003",
      ])
    #expect(file.heartRates == [65, 300, 67, 68, 69, 70, 74])
    let microseconds = file.samples.map { file.date(of: $0.tick).nanoseconds / 1000 }
    #expect(
      microseconds == [
        1_796_022_715_357_712, 1_796_022_715_976_169, 1_796_022_717_419_773, 1_796_022_718_436_338,
        1_796_022_719_456_673, 1_796_022_720_479_437, 1_796_022_724_511_236,
      ])
    #expect(file.workout.start.date.rfc3339 == "2026-11-30T07:11:55.357712Z")
    #expect(file.workout.wall == .microseconds(9_154_524))
    #expect(file.device.address == StrapAddress("F0:F1:F2:F3:F4:F5"))
    #expect(file.workout.strap == file.device.address)
    #expect(file.device.name == "Spike HR")
    #expect(file.device.battery?.percent == 87)
  }

  @Test func everyPrefixOfARecordedLogIsAnErrorOrShorter() throws {
    let bytes = try Self.btmon()
    for count in 0..<bytes.count {
      var reader = BtsnoopReader()
      do {
        try reader.take(Array(bytes.prefix(count)))
        let workouts = try reader.finish()
        #expect(count >= 16)
        #expect(workouts.reduce(0) { $0 + $1.samples.count } <= 7)
        #expect(reader.warnings.isEmpty == !reader.isCutShort)
      } catch {
        #expect(count < 16)
        #expect(error == ActivityFileError(.btsnoop, at: count, "ends inside its header"))
      }
    }
  }

  @Test func aLogThatWasBeingWrittenIsReadUpToThere() throws {
    let bytes = try Self.btmon()
    var reader = BtsnoopReader()
    try reader.take(bytes.dropLast(3))
    #expect(try reader.finish() == read(bytes))
    #expect(reader.isCutShort)
    #expect(reader.warnings == ["it ends inside a record, at octet 3053: what comes before has been read"])
    // What a file system leaves where the data had not been written.
    reader = BtsnoopReader()
    try reader.take(bytes + [UInt8](repeating: 0, count: 30))
    try reader.take([0, 0])
    #expect(reader.isCutShort)
    #expect(try reader.finish() == read(bytes))
    #expect(throws: ActivityFileError(.btsnoop, at: 3115, "goes on behind a record of zeros, which cannot be")) {
      try reader.take([1])
    }
  }

  @Test(arguments: [UInt64](1...20)) func itDoesNotMatterHowTheOctetsAreSplit(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var bytes = try Self.btmon()
    // Of some the log is damaged, and the error is the same as well.
    if seed % 4 == 0 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0xFF }
    let whole = Result { () throws(ActivityFileError) in try read(bytes) }
    var reader = BtsnoopReader()
    let most = [1, 7, 100, 5000][Int(seed % 4)]
    let pieces = Result { () throws(ActivityFileError) -> [WorkoutFile] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...most, using: &random)
        try reader.take(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return try reader.finish()
    }
    #expect(whole == pieces)
  }

  @Test(arguments: LogWriter.DataLink.allCases) func threeDataLinksSayTheSame(dataLink: LogWriter.DataLink) throws {
    var log = LogWriter(dataLink)
    log.connect(0x40)
    log.discover(0x40, [(handle: 0x10, number: 0x2A37)])
    log.notify(0x40, 0x10, [0x16, 72, 0x55, 0x03])
    log.notify(0x40, 0x10, [0x16, 73, 0x54, 0x03])
    let workouts = try read(log.bytes)
    #expect(workouts.map(\.heartRates) == [[72, 73]])
    #expect(workouts.map(\.workout.start.date.nanoseconds) == [1_796_000_001_000_000_000])
    #expect(workouts.map(\.workout.wall) == [.milliseconds(1001)])
    #expect(workouts.map(\.device.address) == [StrapAddress("F0:F1:F2:F3:F4:F5")])
  }

  @Test func theSameLogGivesTheSameIDsAndAnotherGivesOthers() throws {
    let bytes = try Self.btmon()
    #expect(try read(bytes).map(\.workout.id) == read(bytes).map(\.workout.id))
    var other = bytes
    // The last heart rate.
    other[other.count - 849] ^= 1
    #expect(try read(bytes).map(\.workout.id) != read(other).map(\.workout.id))
  }

  @Test func nothingIsTakenBehindAnError() {
    var reader = BtsnoopReader()
    let error = ActivityFileError(.btsnoop, at: 0, "does not begin as a log does")
    #expect(throws: error) { try reader.take([1]) }
    #expect(throws: error) { try reader.take(LogWriter().bytes) }
    #expect(throws: error) { try reader.finish() }
  }

  @Test func itIsRecognisedByItsBeginning() {
    #expect(BtsnoopReader.recognises(LogWriter().bytes))
    #expect(!BtsnoopReader.recognises(Array("btsnoop".utf8)))
    #expect(!BtsnoopReader.recognises([]))
  }

  @Test func randomOctetsNeverTrap() {
    var random = SeededRandom(8)
    for _ in 0..<2000 {
      var log = LogWriter(LogWriter.DataLink.allCases.randomElement(using: &random) ?? .monitor)
      for _ in 0..<20 {
        log.record(flags: UInt32(random.next() & 7), random.octets(Int(random.next() % 40)))
        log.time += Int64(random.next() % 2_000_000) - 500_000
      }
      #expect(throws: Never.self) { try read(log.bytes) }
    }
  }
}
