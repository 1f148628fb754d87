import Control
import Glibc
import TestSupport
import Testing

/// Workouts that leave the real daemon as files, and come into another one.
@Suite struct ExportTests {
  private func run(
    _ gym: Gym, _ words: [String]
  ) throws -> (end: ChildProcess.End, text: String, errors: String) {
    let child = try ChildProcess(
      try BuildFolder.program("strapctl"), words, environment: ["STRAPD_SOCKET": gym.socket, "TZ": "UTC"])
    let text = try child.outputText()
    return (try child.wait(), text, try child.errorText())
  }

  /// A workout with a lap, a pause and what a client keeps with it.
  private func workout(in gym: Gym) throws -> String {
    let client = try gym.connect()
    let id = try gym.prepare(client)
    try client.call("SetMetadata", ["metadata": .object(["weather": .string("rain")])])
    try client.call("Start")
    let watcher = try gym.watch()
    func beats(_ count: Int) throws {
      for _ in 0..<count { _ = try watcher.events { $0["counted"]?.asBool == true } }
    }
    try beats(15)
    try client.call("Lap", ["label": .string("up")])
    try beats(5)
    try client.call("Pause")
    try client.call("Resume")
    try beats(10)
    try client.call("End")
    try client.call("EditWorkout", ["id": .string(id), "title": .string("Hills")])
    return id
  }

  private static let packages =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/.build/python"

  private static let schema =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/config/strapd-workout.schema.json"

  private static let validator = """
    import json, jsonschema, sys
    schema, workout = (json.load(open(path)) for path in sys.argv[1:])
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(workout)
    workout["samples"][0]["heartRate"] = "fast"
    assert not jsonschema.Draft202012Validator(schema).is_valid(workout)
    print(len(workout["samples"]), workout["workout"]["title"], workout["metadata"]["weather"])
    """

  @Test func thereAndBack() throws {
    let gym = try Gym()
    let id = try workout(in: gym)
    let folder = try TemporaryFolder()
    for format in ["fit", "tcx", "csv", "json", "rr"] {
      let file = folder.file("run.\(format)")
      let said = try run(gym, ["export", id, "--format", format, "-o", file])
      #expect(said.end == .exited(0) && said.text.hasPrefix(file + ": "), "\(said)")
      let again = try run(gym, ["export", id, "--format", format, "-o", file])
      #expect(again.end == .exited(1) && again.errors.contains("is there already"))
      let toOutput = try run(gym, ["export", id, "--format", format])
      let written = format == "fit" ? toOutput.text : try folder.read("run.\(format)")
      #expect(toOutput.end == .exited(0) && toOutput.text == written)
      // Whatever it comes back as, it is there already; a CSV is not read.
      let back = try run(gym, ["import", file])
      #expect(back.text.contains("skipped") == (format != "csv"), "\(back)")
      #expect(back.end == .exited(format == "csv" ? 1 : 0) && back.errors.contains("octet") == (format == "csv"))
    }
    let python = try ChildProcess(
      "python3", ["-c", Self.validator, Self.schema, folder.file("run.json")],
      environment: ["PYTHONPATH": Self.packages])
    let (said, errors) = (try python.outputText(), try python.errorText())
    #expect(try python.wait() == .exited(0), "\(errors) (README's test command installs the packages)")
    #expect(said.hasSuffix(" Hills rain\n"))

    // Into another daemon's store, and out again: the same octets.
    let other = try Gym()
    _ = try other.connect()
    for (number, format) in ["json", "fit", "tcx", "rr", "json"].enumerated() {
      let said = try run(other, ["import", folder.file("run.\(format)")])
      #expect(said.end == .exited(0) && said.text.contains("skipped") == (number > 0), "\(format) \(said)")
      #expect(try run(other, ["list", "--json"]).text.split(separator: "\n").count == 1)
    }
    let again = folder.file("again.json")
    #expect(try run(other, ["export", id, "--format", "json", "-o", again]).end == .exited(0))
    #expect(try folder.read("again.json") == folder.read("run.json"))
    let sound = try run(other, ["verify"])
    #expect(sound.end == .exited(0) && sound.text.contains("nothing is wrong"), "\(sound)")
  }

  /// Whatever of a workout comes first, it is one workout, and has in the end all that any of its files says.
  @Test func oneWorkoutOfAllItsFiles() throws {
    let gym = try Gym()
    let id = try workout(in: gym)
    let folder = try TemporaryFolder()
    for format in ["fit", "tcx", "json", "rr"] {
      let said = try run(gym, ["export", id, "--format", format, "-o", folder.file("run.\(format)")])
      #expect(said.end == .exited(0), "\(said)")
    }
    let other = try Gym()
    _ = try other.connect()
    func bring(_ format: String) throws -> (end: ChildProcess.End, text: String, errors: String) {
      let said = try run(other, ["import", folder.file("run.\(format)")])
      #expect(try run(other, ["list", "--json"]).text.split(separator: "\n").count == 1, "\(format)")
      return said
    }
    #expect(try bring("rr").text.contains("samples\n"))
    let lesser = try bring("tcx")
    #expect(lesser.end == .exited(1) && lesser.text == "" && lesser.errors.contains("came in by its rr file"))
    #expect(try bring("fit").text.contains("in place of what came in by its rr file"))
    #expect(try bring("tcx").text.contains("skipped, it is workout \(id) already"))
    #expect(try run(other, ["edit", id, "--notes", "wet"]).end == .exited(0))
    let edited = try bring("json")
    #expect(edited.end == .exited(1) && edited.errors.contains("'strapctl undo \(id)'"), "\(edited)")
    #expect(try run(other, ["undo", id]).end == .exited(0))
    let all = try bring("json")
    #expect(all.end == .exited(0) && all.text.contains("in place of what came in by its fit file"), "\(all)")
    let again = folder.file("again.json")
    #expect(try run(other, ["export", id, "--format", "json", "-o", again]).end == .exited(0))
    #expect(try folder.read("again.json") == folder.read("run.json"))
    #expect(try run(other, ["verify"]).text.contains("nothing is wrong"))
  }

  @Test func manyIntoADirectory() throws {
    let gym = try Gym()
    let ids = [try workout(in: gym), try workout(in: gym)]
    let folder = try TemporaryFolder()
    let directory = folder.file("all")
    #expect(try run(gym, ["export", "--directory", directory]).end == .exited(64))
    #expect(try run(gym, ["export", "--since", "2020-01-01"]).end == .exited(64))
    for _ in 0..<2 {
      let said = try run(gym, ["export", "--since", "2020-01-01", "--directory", directory, "--json"])
      #expect(said.end == .exited(0), "\(said)")
      #expect(said.text.split(separator: "\n").count == 2 && ids.allSatisfy { said.text.contains($0) })
    }
    let listed = try ChildProcess("ls", [directory]).outputText().split(separator: "\n")
    #expect(listed.count == 2 && listed.allSatisfy { $0.hasSuffix(".fit") && $0.contains("-running-") }, "\(listed)")
    #expect(try run(gym, ["export", "--since", "2090-01-01", "--directory", directory]).text == "")
  }

  /// What a workout was called before an edit is not left beside it; what is not known to be of it is.
  @Test(arguments: ["fit", "json", "tcx", "rr"])
  func anEditedWorkoutHasOneFile(_ format: String) throws {
    let gym = try Gym()
    let id = try workout(in: gym)
    let folder = try TemporaryFolder()
    let directory = folder.file("all")
    func files() throws -> [String] {
      #expect(try run(gym, ["export", "--all", "--format", format, "--directory", directory]).end == .exited(0))
      return try ChildProcess("ls", [directory]).outputText().split(separator: "\n").map(String.init)
    }
    let first = try #require(try files().first)
    let strange = first.replacing("-running-", with: "-yoga-")
    try folder.write("a person's own", to: "all/" + strange)
    #expect(try run(gym, ["edit", id, "--activity", "rowing"]).end == .exited(0))
    #expect(Set(try files()) == [first.replacing("-running-", with: "-rowing-"), strange])
  }

  /// One that a format cannot hold does not keep the others from their files.
  @Test func oneThatCannotBeExported() throws {
    let gym = try Gym()
    let id = try workout(in: gym)
    let folder = try TemporaryFolder()
    #expect(try run(gym, ["export", id, "--format", "json", "-o", folder.file("one.json")]).end == .exited(0))
    let text = try folder.read("one.json")
    let year = try #require(text.firstRange(of: "\"startDate\":\"").map { text[$0.upperBound...].prefix(4) })
    let old = text.replacing("\"\(year)-", with: "\"1985-").replacing(
      id, with: "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
    let imported = try run(gym, ["import", try folder.write(old, to: "old.json")])
    #expect(imported.end == .exited(0), "\(imported)")
    let said = try run(gym, ["export", "--all", "--directory", folder.file("all")])
    #expect(said.end == .exited(1) && said.text.split(separator: "\n").count == 1, "\(said)")
    #expect(said.errors.contains("9b2f6c1e") && said.errors.contains("1 of 2 workouts could not be exported"))
  }

  /// Two that write the same files would write into each other's; of two formats each has its own note.
  @Test func twoThatFollow() throws {
    let gym = try Gym()
    _ = try gym.connect()
    let folder = try TemporaryFolder()
    let directory = folder.file("out")
    func follow(_ format: String) throws -> ChildProcess {
      let child = try ChildProcess(
        try BuildFolder.program("strapctl"), ["export", "--follow", "--format", format, "--directory", directory],
        environment: ["STRAPD_SOCKET": gym.socket, "TZ": "UTC"])
      let deadline = Deadline()
      while access(directory + "/.strapd-exported.\(format)", F_OK) != 0, !deadline.isOver { poll(nil, 0, 10) }
      return child
    }
    let (csv, tcx) = (try follow("csv"), try follow("tcx"))
    let second = try follow("csv")
    #expect(try second.wait() == .exited(1))
    #expect(try second.errorText().contains("another strapctl is writing"))
    _ = try workout(in: gym)
    #expect(try csv.line()?.contains(".csv: ") == true)
    #expect(try tcx.line()?.contains(".tcx: ") == true)
  }

  /// Each workout gets its file when it is finished, and once; also one that was finished meanwhile.
  @Test func following() throws {
    let gym = try Gym()
    let folder = try TemporaryFolder()
    let directory = folder.file("out")
    func follow() throws -> ChildProcess {
      try ChildProcess(
        try BuildFolder.program("strapctl"), ["export", "--follow", "--format", "csv", "--directory", directory],
        environment: ["STRAPD_SOCKET": gym.socket, "TZ": "UTC"])
    }
    let first = try follow()
    // Workouts of before are no matter of it; it has begun when it has noted since when.
    let deadline = Deadline()
    while access(directory + "/.strapd-exported.csv", F_OK) != 0, !deadline.isOver { poll(nil, 0, 10) }
    _ = try workout(in: gym)
    #expect(try first.line()?.contains(".csv: ") == true)
    first.signal(SIGTERM)
    #expect(try first.wait() == .exited(0))
    _ = try workout(in: gym)
    let second = try follow()
    #expect(try second.line()?.contains(".csv: ") == true)
    _ = try workout(in: gym)
    #expect(try second.line()?.contains(".csv: ") == true)
    second.signal(SIGTERM)
    #expect(try second.wait() == .exited(0))
    let listed = try ChildProcess("ls", [directory]).outputText().split(separator: "\n")
    #expect(listed.count == 3, "\(listed)")
  }

  @Test func whatCannotBeImported() throws {
    let gym = try Gym()
    let id = try workout(in: gym)
    let folder = try TemporaryFolder()
    let good = folder.file("good.json")
    _ = try run(gym, ["export", id, "--format", "json", "-o", good])
    let text = try folder.read("good.json")
    let cut = try folder.write(String(text.prefix(text.count / 2)), to: "cut.json")
    let none = try folder.write("hello\n", to: "hello.txt")
    let empty = try folder.write("", to: "empty.fit")
    let huge = folder.file("huge.fit")
    let made = try ChildProcess(
      "sh",
      [
        "-c",
        "head -c 20 \(good) > \(huge); printf '.FIT' | dd of=\(huge) bs=1 seek=8 conv=notrunc 2>/dev/null; truncate -s 2G \(huge)",
      ])
    #expect(try made.wait() == .exited(0))
    let other = try Gym()
    _ = try other.connect()
    let said = try run(other, ["import", cut, none, empty, huge, folder.file("absent"), good])
    #expect(said.end == .exited(1))
    #expect(said.text.contains(good) && said.text.split(separator: "\n").count == 1, "\(said.text)")
    let errors = said.errors.split(separator: "\n").map(String.init)
    #expect(errors.count == 5 && errors.allSatisfy { $0.hasPrefix("strapctl: /") }, "\(said.errors)")
    #expect(errors.first?.contains("at octet") == true)
    #expect(errors.dropFirst().first?.hasSuffix(": at octet 0: has 'hello' in line 1, which is no interval") == true)
    #expect(try run(other, ["list", "--json"]).text.split(separator: "\n").count == 1)
  }
}
