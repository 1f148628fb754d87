import Control
import TestSupport
import Testing

@testable import strapctl

/// `strapctl export` of many, with the test as its daemon.
@Suite struct ExportTests {
  /// What is left of the answer about one workout is not taken for that about the next.
  @Test func oneThatCannotBeReadDoesNotSpoilTheNext() throws {
    let folder = try TemporaryFolder()
    let daemon = try FakeDaemon()
    let ids = ["9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f", "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e2f"]
    let child = try StrapctlTests.start("export --all --directory \(folder.file("out"))", daemon)
    let served = try daemon.accept()
    #expect(try served.call().contains("ListWorkouts"))
    served.send(#"{"parameters":{"workouts":[{"id":"\#(ids[0])"},{"id":"\#(ids[1])"}]}}"#)
    #expect(try served.call().contains(ids[0]))
    served.send(#"{"continues":true,"parameters":{}}"#)
    served.send(#"{"continues":true,"parameters":{}}"#)
    served.send(#"{"parameters":{}}"#)
    #expect(try served.call().contains(ids[1]))
    served.send(#"{"error":"io.strapd.NoSuchWorkout","parameters":{"id":"\#(ids[1])"}}"#)
    let result = try StrapctlTests.result(child)
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors.contains("workout \(ids[0]) cannot be exported"), "\(result.errors)")
    #expect(result.errors.hasSuffix("1 of 2 workouts could not be exported\n"), "\(result.errors)")
  }
}
