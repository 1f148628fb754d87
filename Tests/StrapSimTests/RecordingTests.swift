import ActivityFiles
import Measurements
import TestSupport
import Testing
import Workout

@testable import strap_sim

@Suite struct RecordingTests {
  private static let packets = [
    Recording.Packet(offset: .zero, payload: [0x06, 60]),
    Recording.Packet(offset: .milliseconds(1100), payload: [0x06, 61]),
    Recording.Packet(offset: .seconds(4), payload: [0x06, 62]),
  ]

  /// Of one strap, its workouts' starts in seconds.
  private static func workout(_ start: Int64, _ rates: [UInt16], _ address: String? = nil) -> WorkoutFile {
    let date = WallTime(nanoseconds: start * 1_000_000_000)
    var assembly = WorkoutAssembly(start: date, length: .seconds(rates.count - 1))
    assembly.device.address = address.flatMap { StrapAddress($0) }
    for (second, rate) in rates.enumerated() { assembly.add(heartRate: rate, at: .seconds(second)) }
    return assembly.file(SessionID(contentOf: [1]))
  }

  @Test func itBeginsOnceAndKeepsItsSpacing() {
    var recording = Recording(Self.packets, speed: 2)
    #expect(recording.due == nil)
    recording.begin(at: Tick(nanoseconds: 5_000_000_000))
    recording.begin(at: Tick(nanoseconds: 9_000_000_000))
    #expect(recording.due == Tick(nanoseconds: 5_000_000_000))
    #expect(recording.take() == [0x06, 60])
    #expect(recording.due == Tick(nanoseconds: 5_550_000_000))
    #expect(recording.take() == [0x06, 61])
    #expect(recording.due == Tick(nanoseconds: 7_000_000_000))
    #expect(recording.take() == [0x06, 62])
    #expect(recording.due == nil)
    #expect(recording.take() == nil)
  }

  @Test func aStrapPlaysFromItsFirstSubscriptionWhetherItIsHeardOrNot() throws {
    var stage = try Stage()
    let declaration = stage.world.straps[0].declaration
    let recorded = RecordedStrap(declaration: declaration, recording: Recording(Self.packets, speed: 1))
    stage.world.straps[0] = Strap(recorded, at: stage.now)
    try stage.connect()
    #expect(stage.advance(.seconds(60)) == [])
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    #expect(stage.advance(.zero).filter { $0.hasPrefix("SENT") } == ["SENT A 063c"])
    #expect(stage.advance(.milliseconds(1099)) == [])
    _ = try stage.call("A/hr", "GattCharacteristic1", "StopNotify")
    #expect(stage.advance(.seconds(1)) == [])
    _ = try stage.call("A/hr", "GattCharacteristic1", "StartNotify")
    #expect(
      stage.advance(.seconds(2)).filter { $0.hasPrefix("SENT") || $0.hasPrefix("PLAYED") } == [
        "SENT A 063e", "PLAYED A",
      ])
    #expect(stage.advance(.seconds(60)) == [])
    #expect(try stage.run("A beat 70") == ["DONE A beat 70"])
    #expect(stage.advance(.seconds(1)).contains { $0.hasPrefix("SENT A 1646") })
  }

  @Test func workoutsOfAStrapFollowEachOtherAsTheyDid() throws {
    let straps = RecordedStrap.straps(
      of: [
        Self.workout(100, [60, 61], "D0:00:00:00:00:01"), Self.workout(150, [90]),
        Self.workout(1000, [70, 71], "D0:00:00:00:00:01"), Self.workout(500, [80], "D0:00:00:00:00:01"),
      ], speed: 1)
    #expect(straps.map(\.declaration.tag) == ["A", "B"])
    #expect(straps.map(\.declaration.address.description) == ["D0:00:00:00:00:01", "F0:F1:F2:F3:F4:00"])
    // The last one's clock was set back.
    #expect(straps[0].recording.packets.map { $0.offset / .seconds(1) } == [0, 1, 900, 901, 901])
    #expect(straps[0].recording.packets.map(\.payload) == [[0, 60], [0, 61], [0, 70], [0, 71], [0, 80]])
  }

  @Test func whatCannotBePlayedIsSaidWithItsReason() throws {
    let folder = try TemporaryFolder()
    let missing = "\(folder.path)/missing"
    #expect(throws: RecordingError(missing, "No such file or directory")) { try RecordedStrap.read(missing, speed: 1) }
    let text = try folder.write("strap A", to: "script")
    let wrong = RecordingError(text, "as btsnoop, at octet 0: does not begin as a log does")
    #expect(throws: wrong) { try RecordedStrap.read(text, speed: 1) }
    #expect(throws: RecordingError(folder.path, "as btsnoop: Is a directory")) {
      try RecordedStrap.read(folder.path, speed: 1)
    }
    let short = try folder.write("btsnoop", to: "short")
    #expect(throws: RecordingError(short, "as btsnoop, at octet 7: ends inside its header")) {
      try RecordedStrap.read(short, speed: 1)
    }
  }
}
