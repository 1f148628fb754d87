import Foundation
import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

/// Files that nothing here has written: an encoder of its own in Python/fit_make.py makes odd ones.
@Suite struct FITReaderTests {
  /// A line of Python/fit_make.py; what it leaves out is not asked for.
  struct Made: Decodable {
    var name: String
    var hex: String
    var workouts: Int
    /// Seconds since 1970.
    var start: Int64
    var rates: [UInt16]
    /// Milliseconds.
    var offsets: [Int64]
    var rr: [[Int]]?
    var second: [UInt16]?
    var activity: String?
    var length: Int64?
    var running: [[Int64]]?
    var laps: [[Int64]]?
    var strap: [String]?

    var octets: [UInt8] { Hex.bytes(hex) ?? [] }

    static func all() throws -> [Made] {
      let lines = try PythonProgram.output("fit_make.py").split(separator: "\n")
      return try lines.map { try JSONDecoder().decode(Made.self, from: Data($0.utf8)) }
    }
  }

  private static func milliseconds(_ tick: Tick) -> Int64 { tick.nanoseconds / 1_000_000 }

  @Test func filesOfOddFormsAreRead() throws {
    let all = try Made.all()
    #expect(all.count == 16)
    for made in all {
      let workouts = try WorkoutFile.workouts(fit: made.octets)
      #expect(workouts.count == made.workouts, "\(made.name)")
      let first = try #require(workouts.first)
      expect(first, made)
      if let second = made.second {
        #expect(workouts.last?.samples.map(\.measurement.heartRate) == second, "\(made.name)")
        #expect(workouts.last?.workout.activity == .cycling, "\(made.name)")
        #expect(Set(workouts.map(\.workout.id)).count == 2, "\(made.name)")
      }
    }
  }

  private func expect(_ file: WorkoutFile, _ made: Made) {
    let comment = Comment(rawValue: made.name)
    #expect(file.workout.start.date.nanoseconds == made.start * 1_000_000_000, comment)
    #expect(file.samples.map(\.measurement.heartRate) == made.rates, comment)
    #expect(file.samples.map { Self.milliseconds($0.tick) } == made.offsets, comment)
    if let intervals = made.rr {
      let read = file.samples.map { $0.measurement.rrIntervals.map { Int($0.milliseconds.rounded()) } }
      #expect(read == intervals, comment)
    }
    if let activity = made.activity { #expect(file.workout.activity.rawValue == activity, comment) }
    if let length = made.length { #expect(Self.milliseconds(file.workout.end.tick) == length, comment) }
    if let running = made.running {
      #expect(
        file.runningIntervals.map { [Self.milliseconds($0.start), Self.milliseconds($0.end)] } == running, comment)
    }
    if let laps = made.laps {
      let read = file.workout.laps.map(\.interval).map { lap in
        [Self.milliseconds(lap.start.tick), Self.milliseconds(lap.end.tick)]
      }
      #expect(read == laps, comment)
    }
    if let strap = made.strap {
      let information = file.device.information
      let read = [information.manufacturer, information.model, information.serial]
      #expect(read + [file.device.battery.map { String($0.percent) }] == strap.map { $0 }, comment)
    }
  }

  /// A shorter file is an error: its header says how long it is. Nothing is read by half.
  @Test func everyPrefixIsAnErrorOrFewerOfSeveralFiles() throws {
    for made in try Made.all() {
      let octets = made.octets
      let whole = try WorkoutFile.workouts(fit: octets)
      for count in 0..<octets.count {
        do {
          let read = try WorkoutFile.workouts(fit: Array(octets.prefix(count)))
          #expect(read.count < whole.count, "\(made.name), \(count) octets")
        } catch {
          let offset = try #require(error.offset, "\(made.name), \(count) octets: \(error)")
          #expect(offset <= count)
        }
      }
    }
  }

  /// With the checksum made right again, so that it is the messages that have to be withstood.
  @Test func everyPrefixOfTheMessagesIsWithstood() throws {
    var (errors, read) = (0, 0)
    for made in try Made.all() where made.name != "chained" {
      let octets = made.octets
      let header = Int(octets[0])
      for count in header..<(octets.count - 2) {
        do {
          _ = try WorkoutFile.workouts(fit: Self.sealed(Array(octets.prefix(count)), header: header))
          read += 1
        } catch {
          errors += 1
        }
      }
    }
    #expect(errors > 1000 && read > 50)
  }

  @Test func anyChangedOctetIsAnErrorOrWithstoodBehindARightChecksum() throws {
    var random = SeededRandom(4711)
    for made in try Made.all() where made.name != "chained" {
      let octets = made.octets
      let header = Int(octets[0])
      for place in octets.indices {
        var changed = octets
        changed[place] ^= UInt8(1 << random.next(below: 8))
        // The header's own checksum may be 0, which is none.
        if !(2...3).contains(place) || header == 12 {
          #expect(throws: ActivityFileError.self, "\(made.name), octet \(place)") {
            _ = try WorkoutFile.workouts(fit: changed)
          }
        }
        guard place >= header, place < octets.count - 2 else { continue }
        let sealed = Self.sealed(Array(changed.dropLast(2)), header: header)
        do { _ = try WorkoutFile.workouts(fit: sealed) } catch { #expect(error.format == .fit) }
      }
    }
  }

  /// The size and both checksums of what stands there.
  static func sealed(_ octets: [UInt8], header: Int) -> [UInt8] {
    var octets = octets
    let size = octets.count - header
    for place in 0..<4 { octets[4 + place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
    if header == 14 {
      let sum = FITChecksum(octets[0..<12]).value
      (octets[12], octets[13]) = (UInt8(sum & 0xFF), UInt8(sum >> 8))
    }
    let sum = FITChecksum(octets).value
    return octets + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }
}
