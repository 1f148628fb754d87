import Control
import Testing

@Suite struct LimitsTests {
  @Test func theDefaults() {
    let limits = Limits()
    #expect(limits.absence == .seconds(30 * 60))
    #expect(limits.prepare == .seconds(30 * 60))
    #expect(limits.pause == .seconds(12 * 3600))
    #expect(limits.stopped == .seconds(60))
    #expect(limits.recovery == .seconds(3600))
    #expect(limits.heldRecords == 20_000)
  }
}
