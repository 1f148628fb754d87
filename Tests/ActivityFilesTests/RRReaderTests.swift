import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct RRReaderTests {
  static let end = WallTime(nanoseconds: 1_796_029_811_000_000_000)

  /// A packet a second, by the milliseconds of its intervals.
  static func assembly(_ packets: [[Int]]) -> WorkoutAssembly {
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(packets.count + 5))
    var last = Duration.zero
    for packet in packets {
      let intervals = packet.map { RRInterval(ticks1024: UInt16($0 * 1024 / 1000)) }
      last += .nanoseconds(intervals.reduce(0) { $0 + $1.nanoseconds })
      assembly.add(heartRate: 60, intervals: intervals, at: last, lastBeat: last)
    }
    return assembly
  }

  static func read(_ text: String) throws -> WorkoutFile {
    let files = try WorkoutFile.readRR(Array(text.utf8), end: end)
    try #require(files.count == 1)
    return files[0]
  }

  static func failure(_ octets: [UInt8]) -> ActivityFileError? {
    do { _ = try WorkoutFile.readRR(octets, end: end) } catch { return error }
    return nil
  }

  private func ticks(_ file: WorkoutFile) -> [UInt16] {
    file.samples.flatMap { $0.measurement.rrIntervals.map(\.ticks1024) }
  }

  @Test func plainMilliseconds() throws {
    let file = try Self.read("800\n400\n500\n1000\n")
    // 800 ms are 819.2 ticks.
    #expect(ticks(file) == [819, 410, 512, 1024])
    #expect(file.samples.map(\.measurement.rrIntervals.count) == [1, 2, 1])
    #expect(file.samples.map(\.measurement.heartRate) == [75, 133, 60])
    #expect(file.samples.map { $0.beats?.lastBeat } == file.samples.map { Optional($0.tick) })
    // 2765 ticks before the date of the file.
    #expect(file.workout.start.date == Self.end + .nanoseconds(-2_700_195_312))
    #expect(file.workout.rrCount == 4)
    #expect(file.workout.heartRate?.count == 3)
    #expect(file.workout.id == SessionID(contentOf: Array("800\n400\n500\n1000\n".utf8)))
  }

  @Test(arguments: [
    "0.8\n0.4\n0.5\n1.0\n", "0,8\r\n0,4\r\n0,5\r\n1,0", "\u{FEFF}800\r400\r\r500\r1000", " 800 \n\n\t400\n500.0\n1e3\n",
    "RR\n800\n400\n500\n1000\n", "RR-interval [s]\n.8\n.4\n.5\n1\n", "# comment\n% another\n800\n# 5\n400\n500\n1000",
    "Phone timestamp;RR-interval [ms]\n2026-04-24T14:10:16.752;800\n2026-04-24T14:10:17.2;400\n2026;500\n;1000\n",
    "date,rr,since start\n2026-11-30 09:00:15.123,800,0\n2026-11-30 09:00:15.946,400,823\n,500,\n,1000,\n",
    "8.000000000000000000e+02\n4.000000000000000000e+02\n5.000000000000000000e+02\n1.000000000000000000e+03\n",
  ])
  func whatOthersWrite(text: String) throws {
    #expect(WorkoutFile.isRR(Array(text.utf8)))
    #expect(ticks(try Self.read(text)) == [819, 410, 512, 1024])
  }

  @Test func gapsAndTheStart() throws {
    let text = """
      # start 2026-11-30T10:10:11+01:00
      # strap Polar H10
      1000
      # gap 29 s
      500
      500
      # gap
      1000
      """
    let file = try Self.read(text)
    #expect(file.workout.start.date == Self.end)
    #expect(file.device.name == "Polar H10")
    #expect(file.samples.map(\.tick.nanoseconds) == [1_000_000_000, 31_000_000_000, 32_000_000_000])
    #expect(file.events.count { $0.what == .linkLost } == 2)
    // A second until the loss; the value before the second gap has no time of its own.
    #expect(file.workout.heartRate?.covered == .seconds(1) + .milliseconds(1))
  }

  @Test(arguments: [
    ("", nil, "has no interval"), ("# RR\n\n", nil, "has no interval"),
    ("800\nabc\n", 4, "has 'abc' in line 2, which is no interval"),
    ("800 810 820\n", 0, "has '800 810 820' in line 1, which is no interval"),
    ("\r\n800\r\n-5\r\n", 7, "has an interval of -5.0 ms in line 3; allowed are 1 to 63999"),
    ("800\n0\n", 4, "has an interval of 0.0 ms in line 2; allowed are 1 to 63999"),
    ("800\n64000\n", 4, "has an interval of 64000.0 ms in line 2; allowed are 1 to 63999"),
    ("0.8\n1e99\n0.8\n", 4, "has an interval of 1e+102 ms in line 2; allowed are 1 to 63999"),
    ("RR\nRR\n", 3, "has 'RR' in line 2, which is no interval"),
    ("time;heart rate\n1;2\n", 0, "has 'time;heart rate' in line 1, which is no interval"),
    ("a,b,c,rr\n1,2,3,800\n", 0, "has 'a,b,c,rr' in line 1, which is no interval"),
    ("rr;x\n800\n", nil, nil), ("x;rr\n800\n", 5, "has '800' in line 2, which is no interval"),
    ("800\n# gap 31536000 s\n", nil, "is longer than 30 days"),
  ])
  func refusals(text: String, offset: Int?, words: String?) {
    let error = Self.failure(Array(text.utf8))
    #expect(error?.text == words)
    #expect(error?.offset == offset)
  }

  @Test func hostileTexts() {
    let long = [UInt8](repeating: UInt8(ascii: "1"), count: 1_000_000)
    #expect(Self.failure(long)?.text == "has '\(String(repeating: "1", count: 40))' in line 1, which is no interval")
    #expect(!WorkoutFile.isRR(long))
    let many = [UInt8](repeating: UInt8(ascii: "9"), count: 2_000_004).enumerated().map { $0 % 2 == 0 ? $1 : 0x0A }
    #expect(Self.failure(many)?.text == "has more than 1000000 intervals")
    let gaps = Array(String(repeating: "# gap 31536000 s\n", count: 1000).utf8) + Array("800".utf8)
    #expect(Self.failure(gaps)?.text == "is longer than 30 days")
  }

  @Test func everyPrefixIsShorterOrAnError() throws {
    let octets = Array(
      "\u{FEFF}# start 2026-11-30T09:10:11Z\r\nRR [ms]\r\n812.5\r\n# gap 1.25 s\r\n830,078125\r\n790\r\n".utf8)
    let whole = try WorkoutFile.readRR(octets, end: Self.end)[0]
    for count in octets.indices {
      let prefix = Array(octets[..<count])
      if let error = Self.failure(prefix) {
        #expect(error.format == .rr)
        continue
      }
      let read = ticks(try WorkoutFile.readRR(prefix, end: Self.end)[0])
      // The last number may be cut.
      #expect(read.count <= ticks(whole).count)
      #expect(read.dropLast().elementsEqual(ticks(whole).prefix(max(0, read.count - 1))))
    }
  }

  @Test func ourOwnComesBackToTheTick() throws {
    var random = TCXReaderTests.Random(state: 11)
    for _ in 0..<60 {
      var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(4000))
      var last = Duration.milliseconds(random.next(below: 5000))
      for _ in 0..<(1 + random.next(below: 300)) {
        let intervals = (0...random.next(below: 3)).map { _ in
          RRInterval(
            ticks1024: UInt16(
              random.next(below: 30) == 0 ? 2 + random.next(below: 65_534) : 300 + random.next(below: 900)))
        }
        last += .nanoseconds(intervals.reduce(0) { $0 + $1.nanoseconds })
        if last > .seconds(3900) { break }
        assembly.add(heartRate: 60, intervals: intervals, at: last, lastBeat: last)
        if random.next(below: 20) == 0 {
          assembly.addLoss(at: last)
          last += .nanoseconds(random.next(below: 20_000_000_000))
        }
      }
      let file = TCXSamples.file(assembly)
      let octets = file.rr()
      let back = try WorkoutFile.readRR(octets, end: WallTime(nanoseconds: 0))[0]
      #expect(RRSeries(back).entries == RRSeries(file).entries)
      #expect(back.rr() == octets)
      #expect(back.workout.rrCount == file.workout.rrCount)
    }
  }

  @Test func everyTickComesBack() throws {
    let octets = (2...UInt16.max).map { DecimalText.milliseconds(RRInterval(ticks1024: $0)) + "\n" }.joined()
    let lines = octets.split(separator: "\n")
    for (ticks, line) in zip(2...UInt16.max, lines) {
      guard let milliseconds = Double(String(line)) else {
        Issue.record("\(line)")
        return
      }
      if UInt16((milliseconds * 1.024).rounded()) != ticks { Issue.record("\(ticks)") }
    }
    #expect(lines.count == 65_534)
    // 1/1024 s is less than a millisecond.
    #expect(DecimalText.milliseconds(RRInterval(ticks1024: 1)) == "0.9765625")
  }

  @Test func damagedOctetsNeverTrap() {
    var random = TCXReaderTests.Random(state: 5)
    let octets = Array("# start 2026-11-30T09:10:11Z\nRR [ms];x\n812.5;1\n# gap 1.25 s\n830,078125\n790\n".utf8)
    for _ in 0..<5000 {
      var damaged = octets
      for _ in 0..<(1 + random.next(below: 4)) {
        damaged[random.next(below: damaged.count)] = UInt8(random.next(below: 256))
      }
      _ = WorkoutFile.isRR(damaged)
      do { _ = try WorkoutFile.readRR(damaged, end: Self.end) } catch { #expect(error.format == .rr) }
    }
  }

  @Test func otherFilesAreNone() {
    let others = ["", "error\n5\n", "{\"a\":1}", "<TrainingCenterDatabase/>", "\u{E}\u{10}", "heart rate\n80\n"]
    for text in others { #expect(!WorkoutFile.isRR(Array(text.utf8)), "\(text)") }
    #expect(!WorkoutFile.isRR(TCXSamples.long().csv()))
    #expect(!WorkoutFile.isRR(TCXSamples.long().tcx()))
  }
}
