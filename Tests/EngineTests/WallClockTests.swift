import Measurements
import Testing
import Workout

@testable import Engine

struct WallClockTests {
  private func moment(_ seconds: Int64, ahead: Int64 = 0, isRight: Bool) -> Moment {
    Moment(
      tick: Tick(nanoseconds: seconds * 1_000_000_000),
      wall: WallTime(nanoseconds: (seconds + ahead) * 1_000_000_000), isSynchronised: isRight)
  }

  private func clock(isSure: Bool) -> WallClock {
    var clock = WallClock()
    clock.start(BootReport(isClockSure: isSure), at: moment(10, isRight: isSure))
    return clock
  }

  @Test func rightUntilItIsSetOtherwise() {
    var clock = clock(isSure: true)
    #expect(clock.awaitedUntil == nil && clock.nextLook(after: moment(10, isRight: true)) == nil)
    do {
      let news = clock.look(at: moment(11, isRight: false), wasSet: false)
      #expect(news == [])
    }
    #expect(clock.isSure, "a time server that is silent for a while makes it no less right")
    do {
      let news = clock.look(at: moment(12, ahead: 100, isRight: false), wasSet: true)
      #expect(news == [.stepped(.seconds(100))])
    }
    #expect(!clock.isSure)
    let news = clock.look(at: moment(13, ahead: -5, isRight: true), wasSet: true)
    #expect(news == [.stepped(.seconds(-105)), .synchronised])
    #expect(clock.anchor(at: moment(14, isRight: false)).isSynchronised)
  }

  @Test func waitedForTenMinutes() {
    var clock = clock(isSure: false)
    #expect(clock.awaitedUntil == Tick(nanoseconds: 610_000_000_000))
    #expect(clock.nextLook(after: moment(10, isRight: false)) == Tick(nanoseconds: 20_000_000_000))
    #expect(clock.nextLook(after: moment(605, isRight: false)) == clock.awaitedUntil)
    do {
      let news = clock.look(at: moment(609, isRight: false), wasSet: false)
      #expect(news == [])
    }
    do {
      let news = clock.look(at: moment(610, isRight: false), wasSet: false)
      #expect(news == [.givenUp])
    }
    do {
      let news = clock.look(at: moment(620, isRight: false), wasSet: false)
      #expect(news == [], "once")
    }
    do {
      let news = clock.look(at: moment(700, isRight: true), wasSet: false)
      #expect(news == [.synchronised], "later is better than never")
    }
  }

  @Test func whatTimedatedSays() {
    var clock = clock(isSure: false)
    do {
      let news = clock.told(false, at: moment(11, isRight: false))
      #expect(news == [])
    }
    do {
      let news = clock.told(true, at: moment(12, isRight: false))
      #expect(news == [.synchronised])
    }
    do {
      let news = clock.told(true, at: moment(13, isRight: false))
      #expect(news == [])
    }
    #expect(clock.isSure && clock.awaitedUntil == nil)
  }
}
