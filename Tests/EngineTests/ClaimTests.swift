import Testing
import Workout

@testable import Engine

struct ClaimTests {
  private static let session = Claim.session(SessionID(randomBytes: [UInt8](repeating: 1, count: 16)))
  private static let otherSession = Claim.session(SessionID(randomBytes: [UInt8](repeating: 2, count: 16)))
  private static let monitor = Claim.monitor(ClientID(number: 1))
  private static let otherMonitor = Claim.monitor(ClientID(number: 2))
  private static let pairing = Claim.pairing(ClientID(number: 1))

  private static let unattended = Claim.unattended(World.a)
  private static let otherUnattended = Claim.unattended(World.b)
  private static let postExercise = Claim.postExercise(SessionID(randomBytes: [UInt8](repeating: 1, count: 16)))

  private static let sharing: [(Claim, Claim, Bool)] = [
    (session, otherSession, false), (session, monitor, true), (session, pairing, false),
    (monitor, otherMonitor, true), (monitor, session, true), (monitor, pairing, false),
    (session, unattended, true), (unattended, session, true), (monitor, unattended, true),
    (unattended, pairing, false), (pairing, unattended, false), (postExercise, unattended, true),
    (pairing, session, false), (pairing, monitor, false), (pairing, pairing, false),
  ]

  @Test(arguments: sharing)
  func whoMayBeGivenAStrapThatIsHeld(_ claim: Claim, _ other: Claim, _ mayShare: Bool) {
    #expect(claim.shares(with: other) == mayShare)
  }

  @Test func sessionsGoFirst() {
    let claims = [
      Self.otherUnattended, Self.postExercise, Self.unattended, Self.otherMonitor, Self.pairing, Self.monitor,
      Self.otherSession, Self.session,
    ]
    #expect(
      claims.sorted() == [
        Self.session, Self.otherSession, Self.postExercise, Self.pairing, Self.monitor, Self.otherMonitor,
        Self.unattended, Self.otherUnattended,
      ])
  }
}
