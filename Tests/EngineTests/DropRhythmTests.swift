import Measurements
import Testing

@testable import Engine

struct DropRhythmTests {
  private func rhythm(_ connections: [(seconds: Int, isOffSkin: Bool)]) -> DropRhythm {
    var rhythm = DropRhythm()
    var tick = Tick(nanoseconds: 0)
    for connection in connections {
      rhythm.connected(at: tick)
      tick = tick + .seconds(connection.seconds)
      rhythm.disconnected(isOffSkin: connection.isOffSkin, at: tick)
      tick = tick + .seconds(3)
    }
    return rhythm
  }

  @Test func onceIsChance() {
    #expect(!rhythm([]).isRecurring)
    #expect(!rhythm([(30, false)]).isRecurring)
    #expect(rhythm([(30, false), (31, false)]).isRecurring)
    #expect(rhythm([(30, false), (20, false), (45, false)]).isRecurring)
  }

  @Test func aLongerConnectionAShorterOneOrOneOffTheSkinBeginsAnew() {
    #expect(!rhythm([(30, false), (600, false), (30, false)]).isRecurring)
    #expect(!rhythm([(30, false), (19, false), (30, false)]).isRecurring)
    #expect(!rhythm([(30, false), (46, false)]).isRecurring)
    #expect(!rhythm([(30, false), (30, true)]).isRecurring)
    #expect(rhythm([(30, true)]).wasOffSkin)
    #expect(!rhythm([(30, true), (30, false)]).wasOffSkin)
  }

  @Test func anEndWithoutABeginningSaysNothing() {
    var rhythm = rhythm([(30, false), (30, false)])
    rhythm.disconnected(isOffSkin: true, at: Tick(nanoseconds: 0))
    #expect(rhythm.isRecurring && !rhythm.wasOffSkin)
  }
}
