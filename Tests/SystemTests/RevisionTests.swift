import Control
import Glibc
import TestSupport
import Testing

/// A finished workout is put right by the real programs, and everything comes back.
@Suite struct SystemRevisionTests {
  private func strapctl(_ gym: Gym, _ words: String...) throws -> (end: ChildProcess.End, text: String, errors: String)
  {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), words, environment: ["STRAPD_SOCKET": gym.socket, "TZ": "UTC"])
    let text = try child.outputText()
    return (try child.wait(), text, try child.errorText())
  }

  @Test(arguments: ["no", "yes"])
  func editTrimSplitMergeAndUndo(compact: String) throws {
    let gym = try Gym(configuration: "strap = F0:F1:F2:F3:F4:F5\npost_exercise = 0\ncompact = \(compact)\n")
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("Start")
    let watcher = try gym.watch()
    for _ in 0..<20 { _ = try watcher.events { $0["counted"]?.asBool == true } }
    try client.call("End")
    func workout(_ id: String) throws -> JSON {
      try client.call("GetWorkout", ["id": .string(id)])["parameters"] ?? .null
    }
    let before = try workout(id)
    let seconds = try #require(before["workout"]?["wallSeconds"]?.asReal)

    #expect(try strapctl(gym, "edit", id, "--title", "Hill repeats").end == .exited(0))
    #expect(try strapctl(gym, "list", "--title", "hill").text.contains("Hill repeats"))
    #expect(try strapctl(gym, "trim", id, "--end", "\(seconds * 0.75)").end == .exited(0))
    let trimmed = try workout(id)["workout"]
    #expect(trimmed?["statistics"]?["heartRate"]?["count"]?.asInteger ?? 0 < 20)
    let split = try strapctl(gym, "split", id, "--at", "\(seconds * 0.5)", "--json")
    let second = try #require(
      try split.text.split(separator: "\n").last.map { try JSON(parsing: Array($0.utf8)) }?["id"]?.asString)
    let counts = try [id, second].map {
      try workout($0)["workout"]?["statistics"]?["heartRate"]?["count"]?.asInteger ?? 0
    }
    #expect(counts[0] > 0 && counts[1] > 0)
    #expect(counts[0] + counts[1] == trimmed?["statistics"]?["heartRate"]?["count"]?.asInteger)
    let samples = try strapctl(gym, "samples", second).text.split(separator: "\n")
    #expect(samples.count == Int(counts[1]))
    #expect(try strapctl(gym, "merge", id, second).end == .exited(0))
    let merged = try strapctl(gym, "show", second)
    #expect(merged.end == .exited(1) && merged.errors.contains("is part of \(id) now"))

    // What was done outlives the daemon, and is undone one by one.
    gym.daemon.signal(SIGKILL)
    _ = try gym.daemon.wait()
    try gym.restart()
    let again = try gym.connect()
    #expect(try strapctl(gym, "history", id).text.split(separator: "\n").count == 5)
    #expect(try strapctl(gym, "verify").end == .exited(0))
    for _ in 0..<4 { #expect(try strapctl(gym, "undo", id).end == .exited(0)) }
    #expect(try strapctl(gym, "undo", id).errors.contains("nothing was changed"))
    let after = try again.call("GetWorkout", ["id": .string(id)])["parameters"]
    #expect(after?["workout"] == before["workout"])
    #expect(after?["laps"] == before["laps"] && after?["events"] == before["events"])
    #expect(try again.call("ListWorkouts")["parameters"]?["workouts"]?.asArray?.count == 1)
  }

  @Test func athletesOutliveTheDaemon() throws {
    let gym = try Gym()
    _ = try gym.connect()
    let made = try strapctl(gym, "athlete", "Anna", "--born", "1988", "--zones", "110 150")
    #expect(made.end == .exited(0), "\(made)")
    #expect(try strapctl(gym, "athlete", "Ben", "--mass", "80").end == .exited(0))
    gym.daemon.signal(SIGKILL)
    _ = try gym.daemon.wait()
    try gym.restart()
    let client = try gym.connect()
    _ = try gym.prepare(client)
    let session = try client.call("GetStatus")["parameters"]?["sessions"]?.asArray?.first
    #expect(session?["athlete"]?.asString == "Anna")
    #expect(session?["zones"]?.asArray?.count == 3)
    let lines = try strapctl(gym, "athletes").text.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasSuffix("default"))
    #expect(try strapctl(gym, "athlete", "Cleo").errors.contains("There are: Anna, Ben"))
    #expect(try strapctl(gym, "athlete", "Anna", "--born", "88").errors.contains("1900 to 2100"))
  }
}
