import Measurements
import TestSupport
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

  static func ticks(_ file: WorkoutFile) -> [UInt16] {
    file.samples.flatMap { $0.measurement.rrIntervals.map(\.ticks1024) }
  }

  @Test func plainMilliseconds() throws {
    let file = try Self.read("800\n400\n500\n1000\n")
    // 800 ms are 819.2 ticks.
    #expect(Self.ticks(file) == [819, 410, 512, 1024])
    #expect(file.samples.map(\.measurement.rrIntervals.count) == [1, 2, 1])
    #expect(file.samples.map(\.measurement.heartRate) == [75, 133, 60])
    #expect(file.samples.map { $0.beats?.lastBeat } == file.samples.map { Optional($0.tick) })
    // 2765 ticks before the date of the file.
    #expect(file.workout.start.date == Self.end + .nanoseconds(-2_700_195_312))
    #expect(file.workout.rrCount == 4)
    #expect(file.workout.heartRate?.count == 3)
    #expect(file.workout.id == SessionID(contentOf: Array("800\n400\n500\n1000\n".utf8)))
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

  @Test func timesTellOfGaps() throws {
    let file = try Self.read(
      """
      Phone timestamp;RR-interval [ms]
      2026-04-24T23:59:50.752;1000
      2026-04-24T23:59:59.9;1000
      2026-04-25T00:00:20.4;500
      no time;500
      2026-04-25T00:00:20.4;1000
      """)
    // 20.5 s from the second to the third, of which half a second is its own; and 9 s are nothing yet.
    #expect(file.samples.map(\.tick.nanoseconds) == [1, 2, 23, 24].map { $0 * 1_000_000_000 })
    #expect(file.events.count { $0.what == .linkLost } == 1)
    #expect(file.workout.end.date == Self.end + .milliseconds(1))
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
      let read = Self.ticks(try WorkoutFile.readRR(prefix, end: Self.end)[0])
      // The last number may be cut.
      #expect(read.count <= Self.ticks(whole).count)
      #expect(read.dropLast().elementsEqual(Self.ticks(whole).prefix(max(0, read.count - 1))))
    }
  }

  @Test func theShortestInterval() throws {
    #expect(Self.ticks(try Self.read("# RR intervals in ms\n0.9765625\n")) == [1])
    #expect(Self.ticks(try Self.read("800\n0.9765625\n820")) == [819, 1, 840])
  }

  @Test func ourOwnComesBackToTheTick() throws {
    var random = SeededRandom(11)
    for _ in 0..<60 {
      var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(4000))
      var last = Duration.milliseconds(random.next(below: 5000))
      for _ in 0..<(1 + random.next(below: 300)) {
        let intervals = (0...random.next(below: 3)).map { _ in
          RRInterval(
            ticks1024: UInt16(
              random.next(below: 30) == 0 ? 1 + random.next(below: 65_535) : 300 + random.next(below: 900)))
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
      #expect(back.rr() == octets && back.workout.id == file.workout.id)
      #expect(back.workout.rrCount == file.workout.rrCount)
    }
  }

  @Test func whatIsNoIDIsNone() throws {
    for comment in ["# workout", "# workout 5", "# workout 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1", "workout: 1"] {
      let octets = Array("# \(comment)\n810\n820\n".utf8)
      #expect(try WorkoutFile.readRR(octets, end: Self.end)[0].workout.id == SessionID(contentOf: octets))
    }
  }

  @Test func damagedOctetsNeverTrap() {
    var random = SeededRandom(5)
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
}
