import Control
import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct WorkoutJSONTests {
  private static let file: WorkoutFile = {
    var file = WorkoutAssemblyTests.assembly().file(WorkoutAssemblyTests.id)
    file.isComplete = true
    file.workout.title = WorkoutTitle("Hügel \"hoch\"")
    file.workout.notes = "naß\n\u{1F6B4}"
    file.device.name = "Chest 1"
    return file
  }()

  private static let octets = file.json()

  @Test func itComesBack() throws {
    #expect(try WorkoutFile(json: Self.octets) == Self.file)
    #expect(try WorkoutFile(json: Self.octets).json() == Self.octets)
    #expect(ActivityFormat.recognised(Self.octets) == .json)
  }

  @Test(arguments: 0..<20)
  func anyWorkoutComesBack(_ seed: UInt64) throws {
    var file = RandomWorkout(seed: seed).file
    file.isComplete = true
    let read = try WorkoutFile(json: file.json())
    #expect(read.events == file.events && read.samples == file.samples && read.workout.laps == file.workout.laps)
  }

  @Test func eventsAndSamplesStandALineEach() throws {
    let lines = String(decoding: Self.octets, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("{\"event\":") } == Self.file.events.count + Self.file.samples.count)
  }

  /// Whatever is missing at its end, it is an error that says where.
  @Test func everyPrefixIsAnError() throws {
    for count in stride(from: 0, to: Self.octets.count - 2, by: 97) {
      do {
        _ = try WorkoutFile(json: Array(Self.octets.prefix(count)))
        Issue.record("\(count) octets are a workout")
      } catch {
        #expect(error.format == .json && error.offset != nil, "\(count): \(error)")
      }
    }
  }

  @Test(arguments: [
    ("{}", "no workout of strapd"), (#"{"format":"io.strapd.workout","version":2}"#, "another version"),
    (#"{"format":"io.strapd.workout","version":1}"#, "has no workout"), ("[]", "no \"{\""),
    (#"{"format":"io.strapd.workout","version":1,"workout":{"id":7}}"#, "no id of the workout"),
    (#"{"a":1}x"#, "goes on behind its end"), (#"{"a":}"#, "no value"), (#"{"a":{"b":1}"#, "ends inside this value"),
  ])
  func whatIsNone(_ text: String, _ complaint: String) {
    do {
      _ = try WorkoutFile(json: Array(text.utf8))
      Issue.record("\(text) is a workout")
    } catch {
      #expect(error.text.contains(complaint), "\(error)")
    }
  }

  @Test func anOctetThatIsAnother() throws {
    for place in stride(from: 0, to: Self.octets.count, by: 131) {
      var changed = Self.octets
      changed[place] ^= 0x15
      // It is an error, or another workout; never a trap.
      do { _ = try WorkoutFile(json: changed) } catch { #expect(error.format == .json) }
    }
  }

  @Test func deepNesting() {
    let text = #"{"a":"# + String(repeating: "[", count: 200_000)
    #expect(throws: ActivityFileError.self) { try WorkoutFile(json: Array(text.utf8)) }
  }
}
