import Testing

@testable import strapctl

struct SessionTextTests {
  private static func lines(_ members: String) throws -> String {
    let snapshot = try json(#"{"id":"9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f","activity":"running",\#(members)}"#)
    return SessionText(snapshot: snapshot, style: .test(isUTF8: false)).lines.joined(separator: "\n")
  }

  @Test func showsASessionThatHasNotStarted() throws {
    let text = try Self.lines(
      #"""
      "state":"prepared","location":"unknown","elapsedSeconds":0.0,"availability":"acquiring","countdownSeconds":3.0,
      "statistics":{"rrCount":0}
      """#)
    #expect(
      text == """
        session     9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        state       prepared, starts in 3.0 s
        activity    running
        heart rate  awaited
        """)
  }

  @Test func showsARunningSession() throws {
    let text = try Self.lines(
      #"""
      "state":"running","location":"indoor","strap":"F0:F1:F2:F3:F4:F5","startDate":"2026-11-30T11:03:04.5Z",
      "elapsedSeconds":61.5,"availability":"available","heartRate":72,
      "statistics":{"heartRate":{"average":70.06,"minimum":60,"maximum":90},"rrCount":3}
      """#)
    #expect(
      text == """
        session     9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        state       running
        activity    running, indoor
        strap       F0:F1:F2:F3:F4:F5
        start       2026-11-30 12:03:04
        elapsed     0:01:01
        heart rate  HR 72 bpm
        average     70.1 bpm, 60 to 90
        """)
  }

  @Test func showsAnEndedSession() throws {
    let text = try Self.lines(
      #"""
      "state":"ended","endReason":"user","startDate":"2026-11-30T11:03:04Z","endDate":"2026-11-30T12:03:04Z",
      "elapsedSeconds":3600.0,"availability":"unavailable"
      """#)
    #expect(
      text == """
        session   9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        state     ended (user)
        activity  running
        start     2026-11-30 12:03:04
        end       2026-11-30 13:03:04
        elapsed   1:00:00
        """)
  }

  @Test(
    arguments: [
      ("acquiring", "awaited"), ("available", "available"), ("unavailable", "none"),
      ("noContact", "none (no skin contact)"), ("unknown", "unknown"), ("later", "later"),
    ] as [(String, String)])
  func saysWhyThereIsNoHeartRate(_ availability: String, _ words: String) {
    #expect(SessionText.availability(availability) == words)
  }

  @Test(
    arguments: [
      (#"{"availability":"available","heartRate":70,"statistics":{}}"#, "♥ 70 bpm"),
      (#"{"availability":"available","statistics":{"rrCount":0}}"#, "awaited"),
      (#"{"availability":"available","state":"running"}"#, "hidden while your screen is locked"),
      (#"{"availability":"available","link":"streaming"}"#, "hidden while your screen is locked"),
      (#"{"availability":"noContact"}"#, "none (no skin contact)"),
    ] as [(String, String)])
  func isHiddenOnlyWhereItIs(_ object: String, _ words: String) throws {
    #expect(try SessionText.heartRate(json(object), .test(isUTF8: true)) == words)
  }
}
