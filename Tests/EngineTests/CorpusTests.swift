import Control
import Foundation
import Measurements
import Testing
import Workout

@testable import Engine

/// Recorded straps beside the events that they must give, see Corpus/README.md.
struct CorpusTests {
  /// The names of all captures, without their endings.
  static let names: [String] = names(ending: "capture")

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Corpus")

  /// Set to "rewrite", this makes the golden files what the engine gives now.
  private static let isRewriting = ProcessInfo.processInfo.environment["STRAPD_CORPUS"] == "rewrite"

  private static func names(ending: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix("." + ending) }.map { String($0.dropLast(ending.count + 1)) }.sorted()
  }

  private static func text(_ file: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  @Test func everyCaptureHasItsEvents() {
    #expect(Self.names.count >= 10)
    #expect(Self.isRewriting || Self.names(ending: "events") == Self.names)
  }

  @Test(arguments: names)
  func gives(_ name: String) throws {
    let lines = Self.play(try Capture(try Self.text(name + ".capture")))
    if Self.isRewriting {
      let file = Self.folder.appendingPathComponent(name + ".events")
      try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    let wanted = try Self.text(name + ".events").split(separator: "\n").map(String.init)
    for (number, (line, wanted)) in zip(lines, wanted).enumerated() where line != wanted {
      Issue.record("\(name).events, line \(number + 1): there is\n\(line)\nand it should be\n\(wanted)")
      return
    }
    #expect(lines.count == wanted.count, "\(name).events")
  }

  /// The capture of the real bluetoothd is what the converter makes of its recorded signals.
  @Test func theConverterReadsDBusMonitor() throws {
    let recording = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("BlueZTests/Corpus/dbus-monitor-5.66.txt")
    let converter = Process()
    let output = Pipe()
    converter.executableURL = Self.folder.appendingPathComponent("from-dbus-monitor")
    converter.standardInput = try FileHandle(forReadingFrom: recording)
    converter.standardOutput = output
    try converter.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    converter.waitUntilExit()
    #expect(converter.terminationStatus == 0)
    let capture = try Self.text("bluez-5.66.capture").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(text == capture.joined(separator: "\n") + "\n")
  }

  // MARK: Playing

  /// Plays a capture to the engine and tells what it publishes: the time since the capture's beginning in ms, the
  /// event's kind, and its members; at the end what the workout came to.
  static func play(_ capture: Capture) -> [String] {
    var bluez = World.straps
    var strap = SimulatedBlueZ.Strap(name: capture.name)
    strap.information = capture.information
    strap.battery = capture.battery
    strap.location = capture.location
    bluez.straps = [World.a: strap]
    let world = World(bluez: bluez)
    let begin = world.now.tick
    if !capture.happenings.contains(where: { if case .call = $0.what { true } else { false } }) {
      world.call("Prepare")
      world.call("Start")
    }
    for happening in capture.happenings {
      world.advance(begin + happening.at - world.now.tick)
      happen(happening.what, world)
    }
    world.advance(.seconds(1))
    world.call("End")
    world.advance(.seconds(1))
    return world.events.map { line($0, begin: begin, world) } + world.workouts.map(line)
  }

  private static func happen(_ what: Capture.What, _ world: World) {
    switch what {
    case .notify(let payload): world.raw(payload)
    case .battery(let percent): world.arrive(world.bluez.batteryChanges(World.a, percent))
    case .hangUp: world.arrive(world.bluez.lose(World.a))
    case .gone: world.lose()
    case .back: world.come()
    case .call(let method): world.call(method)
    }
  }

  /// Members that are of the moment and of the store, and not of the strap.
  private static let passedOver: Set = ["sequence", "kind", "date", "session", "strap", "durableThrough"]

  private static func line(_ event: Event, begin: Tick, _ world: World) -> String {
    let milliseconds = (event.date.nanoseconds - World.start.wall.nanoseconds) / 1_000_000
    var members: [JSON.Member] = []
    if let reply = try? JSON(parsing: event.message(held: false, durableThrough: 0).dropLast()),
      case .object(let all)? = reply["parameters"]
    {
      members = all.filter { !passedOver.contains($0.name) }
    }
    return "\(milliseconds) \(event.kind) \(JSON.object(members).text)"
  }

  private static func line(_ workout: FinishedWorkout) -> String {
    let json = WorkoutSnapshot(workout).json
    let members = ["elapsedSeconds", "statistics"].compactMap { name in json[name].map { JSON.Member(name, $0) } }
    return "workout \(JSON.object(members).text)"
  }
}
