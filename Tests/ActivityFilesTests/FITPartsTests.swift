import Foundation
import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

/// Workouts of several activities.
@Suite struct FITPartsTests {
  private static let id = SessionID(contentOf: [9])

  private func messages(_ octets: [UInt8], _ number: UInt16) throws -> [FITMessage] {
    try FITDecoderTests.messages(octets).filter { $0.definition.message == number }
  }

  /// Ten minutes of swimming, cycling and running with a way between the first two, and a lap from the one to the other.
  private func triathlon() -> WorkoutFile {
    var assembly = WorkoutAssembly(start: TCXSamples.start + .milliseconds(250), length: .seconds(600))
    assembly.activity = .swimBikeRun
    for second in 0..<600 {
      assembly.add(heartRate: UInt16(100 + second / 100), at: .milliseconds(1000 * second + 500))
    }
    assembly.pauses = [.init(start: .seconds(150), end: .seconds(170))]
    assembly.laps = [
      .init(start: .seconds(50), end: .seconds(90), label: "buoy"), .init(start: .seconds(280), end: .seconds(420)),
    ]
    assembly.activities = [
      .init(kind: .swimming, location: .outdoor, .init(start: .zero, end: .seconds(100), label: "lake")),
      .init(kind: .cycling, location: .outdoor, .init(start: .seconds(120), end: .seconds(300))),
      .init(kind: .running, location: .unknown, .init(start: .seconds(300), end: .seconds(600))),
    ]
    assembly.markers = [.init(start: .seconds(42), end: .seconds(42), label: "cramp")]
    assembly.segments = [
      .init(start: .seconds(130), end: .seconds(200), label: "hill"), .init(start: .seconds(180), end: .seconds(310)),
    ]
    return assembly.file(Self.id)
  }

  @Test func aSessionForEachActivityAndWhatLiesBetween() throws {
    typealias Session = FITProfile.Session
    let octets = try triathlon().fit()
    let sessions = try messages(octets, 18)
    // Swimming, transition, cycling, running (type sport of the profile).
    #expect(sessions.map { $0.whole(Session.sport) } == [5, 3, 2, 1])
    #expect(sessions.map { $0.whole(Session.totalElapsedTime) } == [100_000, 20_000, 180_000, 300_000])
    #expect(sessions.map { $0.whole(Session.totalTimerTime) } == [100_000, 20_000, 160_000, 300_000])
    #expect(sessions.map { $0.whole(Session.firstLapIndex) } == [0, 3, 4, 6])
    #expect(sessions.map { $0.whole(Session.lapCount) } == [3, 1, 2, 2])
    #expect(sessions.map { $0.whole(Session.maximumHeartRate) } == [100, 101, 102, 105])
    #expect(sessions.map { $0.whole(Session.trigger) } == [1, 1, 1, 0])
    let starts = sessions.compactMap { $0.whole(Session.startTime) }
    #expect(starts.map { $0 - starts[0] } == [0, 100, 120, 300])
    let laps = try messages(octets, 19)
    #expect(laps.map { $0.whole(FITProfile.Lap.sport) } == [5, 5, 5, 3, 2, 2, 1, 1])
    #expect(laps.map { $0.own(.isTaken, 0) } == [0, 1, 0, 0, 0, 1, 2, 0])
    let activity = try #require(try messages(octets, 34).first)
    #expect(activity.whole(FITProfile.Activity.sessionCount) == 4)
    #expect(activity.whole(FITProfile.Activity.type) == FITProfile.Activity.multisport)
    #expect(activity.whole(FITProfile.Activity.totalTimerTime) == 580_000)
    let marks = try messages(octets, 21).filter { $0.whole(FITProfile.Event.event) == FITProfile.Event.userMarker }
    #expect(marks.map { $0.ownText(.label, 0) } == ["cramp", "hill", nil])
    #expect(marks.map { $0.own(.offset, 0) } == [42_000, 200_000, 310_000])
  }

  @Test func allOfItComesBack() throws {
    let file = triathlon()
    let all = try WorkoutFile.workouts(fit: file.fit())
    let read = try #require(all.first)
    #expect(all.count == 1)
    #expect(read.workout.id == Self.id && read.workout.activity == .swimBikeRun)
    #expect(read.workout.start.date == file.workout.start.date && read.workout.end == file.workout.end)
    #expect(read.workout.activities.map(\.began) == file.workout.activities.map(\.began))
    #expect(read.workout.activities.map(\.end) == file.workout.activities.map(\.end))
    #expect(read.workout.laps.map(\.interval) == file.workout.laps.map(\.interval))
    func notes(_ file: WorkoutFile) -> [EventRecord.What] {
      file.events.map(\.what).filter { what in
        switch what {
        case .marker, .segment: true
        case _: false
        }
      }
    }
    #expect(notes(read) == notes(file) && notes(read).count == 3)
    #expect(try read.fit() == file.fit())
  }

  @Test func threeReadersReadTheSessions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("triathlon.fit")
    try PythonProgram.write(try triathlon().fit(), to: path)
    let lines = try PythonProgram.output("fit_read.py", [path]).split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      let told = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(told["whole"] as? Bool == true)
      let sessions = try #require(told["sessions"] as? [[Any]])
      #expect(sessions.map { $0[8] as? String } == ["swimming", "transition", "cycling", "running"])
      #expect(sessions.map { $0[1] as? Int } == [100_000, 20_000, 180_000, 300_000])
      #expect(sessions.map { $0[7] as? Int } == [3, 1, 2, 2])
      #expect((told["activity"] as? [Int])?.last == 4)
    }
  }

  @Test(arguments: 301...UInt64(330)) func whateverOverlapsWhat(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var made = RandomWorkout(seed: seed).assembly
    let length = Int(made.length.wholeNanoseconds)
    let count = 1 + random.next(below: 5)
    var bounds = (0..<(2 * count)).map { _ in Duration.nanoseconds(random.next(below: length)) }.sorted()
    if random.next(below: 2) == 0 { bounds[0] = .zero }
    if random.next(below: 2) == 0 { bounds[2 * count - 1] = made.length }
    if count > 1, random.next(below: 2) == 0 { bounds[2] = bounds[1] }
    made.activities = (0..<count).map { index in
      let stretch = WorkoutAssembly.Stretch(start: bounds[2 * index], end: bounds[2 * index + 1])
      return .init(kind: [.running, .cycling, .rowing][index % 3], location: .indoor, stretch)
    }
    let file = made.file(Self.id)
    let octets = try file.fit()
    let stamps = try FITDecoderTests.messages(octets).compactMap(\.timestamp)
    #expect(stamps == stamps.sorted())
    let read = try WorkoutFile.workouts(fit: octets)
    #expect(read.count == 1)
    func told(_ file: WorkoutFile) -> [String] {
      func milliseconds(_ tick: Tick) -> UInt32 { file.milliseconds(to: tick) }
      return file.workout.activities.map { activity in
        "\(activity.began.activity) \(milliseconds(activity.began.start.tick)) \(milliseconds(activity.end?.tick ?? file.workout.end.tick))"
      }
        + file.workout.laps.map { lap in
          "\(lap.interval.label ?? "") \(milliseconds(lap.interval.start.tick)) \(milliseconds(lap.interval.end.tick))"
        }
    }
    #expect(try told(#require(read.first)) == told(file))
    let (sessions, laps) = (try messages(octets, 18), try messages(octets, 19))
    let elapsed = sessions.compactMap { $0.whole(FITProfile.Session.totalElapsedTime) }
    #expect(elapsed.reduce(0, +) == UInt64(file.milliseconds(to: file.workout.end.tick)))
    #expect(sessions.compactMap { $0.whole(FITProfile.Session.lapCount) }.reduce(0, +) == UInt64(laps.count))
    let timer = sessions.compactMap { $0.whole(FITProfile.Session.totalTimerTime) }
    #expect(timer.reduce(0, +) == UInt64(file.workout.elapsed.wholeMilliseconds))
  }

  @Test func moreActivitiesThanReadersTakeAreOneSession() throws {
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(600))
    assembly.add(heartRate: 90, at: .seconds(1))
    assembly.activities = (0..<200).map { index in
      .init(kind: .running, location: .indoor, .init(start: .seconds(index), end: .seconds(index + 1)))
    }
    let octets = try assembly.file(Self.id).fit()
    #expect(try messages(octets, 18).count == 1)
    #expect(try WorkoutFile.workouts(fit: octets).map(\.workout.id) == [Self.id])
  }
}
