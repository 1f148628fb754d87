import Testing

@testable import ActivityFiles

@Suite struct FITSelfCheckTests {
  /// Octets all over the messages are changed, and the checksums made right again.
  @Test func whatWasWrittenWrongIsNotGivenOut() throws {
    let workout = RandomWorkout(seed: 301).file
    let check = FITSelfCheck(workout, course: FITCourse(workout), laps: FITLaps(workout).laps)
    let octets = try workout.fit()
    try check.check(octets)
    #expect(throws: ActivityFileError.self) { try check.check(Array(octets.dropLast())) }
    #expect(throws: ActivityFileError.self) { try check.check(octets + [0]) }
    var found: Set<String> = []
    // The summaries at the end are few octets, and all of them are tried.
    let places =
      Array(stride(from: 14, to: octets.count - 800, by: 13)) + Array((octets.count - 800)..<(octets.count - 2))
    for place in places {
      var changed = Array(octets.dropLast(2))
      changed[place] ^= 0x10
      do {
        try check.check(FITReaderTests.sealed(changed, header: 14))
      } catch {
        found.insert(error.text)
      }
    }
    for what in ["records' times or heart rates", "intervals", "timer events", "laps", "session totals"] {
      #expect(found.contains { $0.contains(" its \(what) read as") }, "\(what)")
    }
  }

  /// There is one for each second of up to eleven days, and another one for each packet.
  @Test func whatIsWrittenOfASecondIsSmall() {
    #expect(MemoryLayout<FITCourse.Entry>.size <= 40)
  }

  @Test func aRecordTooFewIsFound() throws {
    let workout = RandomWorkout(seed: 302).file
    let other = RandomWorkout(seed: 303).file
    let check = FITSelfCheck(workout, course: FITCourse(workout), laps: FITLaps(workout).laps)
    #expect(throws: ActivityFileError.self) { try check.check(other.fit()) }
  }
}
