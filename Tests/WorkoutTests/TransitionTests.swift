import Measurements
import Testing
import Workout

/// When something happened: the tick that counts and the date beside it.
@Suite struct TransitionTests {
  @Test func withoutADateItIsNow() throws {
    #expect(try DatedTick(requested: nil, at: .at(60)) == DatedTick(tick: .at(60), date: .at(60), isRequested: false))
  }

  @Test func aDateIsKeptAsItWasGiven() throws {
    let now = Moment(tick: .at(60), wall: .at(1_000))
    let then = try DatedTick(requested: .at(970), at: now)
    #expect(then == DatedTick(tick: .at(30), date: .at(970), isRequested: true))
    #expect(try DatedTick(requested: .at(900), at: now).tick == .at(-40), "before this boot")
  }

  @Test func aLittleAheadIsNowAndDatedNow() throws {
    let moment = try DatedTick(requested: .at(61), at: .at(60))
    #expect(moment == DatedTick(tick: .at(60), date: .at(60), requested: .at(61)))
    let just = WallTime(nanoseconds: WallTime.at(61).nanoseconds + 1)
    #expect(throws: SessionError.dateAhead(just, now: .at(60))) { try DatedTick(requested: just, at: .at(60)) }
    #expect(throws: SessionError.dateAhead(.at(62), now: .at(60))) { try DatedTick(requested: .at(62), at: .at(60)) }
  }

  @Test func alongAnotherMomentItHasTheDateThatGoesWithIt() {
    let start = DatedTick(tick: .at(-100), date: .at(1_000), isRequested: false)
    let moment = DatedTick(tick: .at(5), date: .at(-7_000), requested: .at(3))
    #expect(moment.dated(along: start) == DatedTick(tick: .at(5), date: .at(1_105), requested: .at(3)))
    #expect(start.dated(along: start) == start)
  }
}
