import Measurements
import Testing
import Workout

@testable import Engine

struct WearingTests {
  private func at(_ seconds: Int64) -> DatedTick {
    DatedTick(tick: Tick(nanoseconds: seconds * 1_000_000_000), date: WallTime(nanoseconds: seconds * 1_000_000_000))
  }

  private func sample(_ seconds: Int64, _ payload: [UInt8] = [0x06, 70]) throws -> HeartRateSample {
    HeartRateSample(
      sequence: seconds, tick: at(seconds).tick, measurement: try HeartRateMeasurement(payload), payload: payload)
  }

  private func worn(_ payload: [UInt8] = [0x06, 70]) throws -> Wearing {
    var wearing = Wearing()
    for second in 1...3 {
      _ = wearing.take(try sample(Int64(second), payload), isUsed: false, at: at(Int64(second)).date)
    }
    return wearing
  }

  private let rule = UnattendedRule()

  @Test(arguments: [[0x06, 70], [0x00, 70]] as [[UInt8]])
  func whatBeatsIsWorn(_ payload: [UInt8]) throws {
    let wearing = try worn(payload)
    #expect(wearing.phase == .worn(since: at(1)))
    #expect(wearing.recent.map(\.sequence) == [1, 2, 3])
    #expect(wearing.due(rule) == at(31).tick)
    #expect(Wearing().due(rule) == nil)
  }

  @Test(arguments: [[0x04, 70], [0x06, 0], [0x00, 0]] as [[UInt8]])
  func whatDoesNotInterruptsIt(_ payload: [UInt8]) throws {
    var wearing = try worn()
    let step1 = try wearing.take(sample(4, payload), isUsed: false, at: at(4).date)
    #expect(step1)
    #expect(wearing.phase == .off)
    #expect(wearing.recent.isEmpty)
    let step2 = try wearing.take(sample(5, payload), isUsed: false, at: at(5).date)
    #expect(!step2)
    _ = wearing.take(try sample(6), isUsed: false, at: at(6).date)
    #expect(wearing.phase == .worn(since: at(6)))
    let step3 = wearing.interrupted()
    #expect(step3)
    #expect(wearing.phase == .off)
  }

  @Test func whatAPersonHasEndedWaitsUntilItIsTakenOff() throws {
    for (payload, isOff) in [([0x04, 70], true), ([0x00, 0], true), ([0x06, 0], false)] as [([UInt8], Bool)] {
      var wearing = try worn()
      let step4 = wearing.beDone(at: at(3).tick)
      #expect(step4)
      let step5 = wearing.beDone(at: at(3).tick)
      #expect(!step5)
      _ = wearing.beBusy()
      let isAwaited = wearing.awaitsTakingOff != nil
      #expect(isAwaited, "who uses it meanwhile has not taken it off")
      _ = wearing.beFree()
      #expect(wearing.phase == .done)
      #expect(wearing.recent.isEmpty)
      let step6 = wearing.interrupted()
      #expect(!step6, "a lost link is not taken off")
      let step7 = try wearing.take(sample(4), isUsed: false, at: at(4).date)
      #expect(!step7)
      let step8 = try wearing.take(sample(5, payload), isUsed: false, at: at(5).date)
      #expect(step8 == isOff)
      #expect((wearing.phase == .off) == isOff)
    }
  }

  @Test func silenceIsTakenOffAfterAWhileOfListening() throws {
    var wearing = try worn()
    _ = wearing.beDone(at: at(3).tick)
    #expect(wearing.due(rule) == nil)
    #expect(wearing.isNews(true))
    wearing.hostIs(true, at: at(10).tick)
    #expect(!wearing.isNews(true) && wearing.isNews(false) && wearing.isNews(nil))
    #expect(wearing.due(rule) == at(310).tick)
    wearing.hostIs(false, at: at(110).tick)
    #expect(wearing.due(rule) == nil)
    wearing.hostIs(true, at: at(1000).tick)
    #expect(wearing.due(rule) == at(1200).tick)
    _ = wearing.take(try sample(1100), isUsed: false, at: at(1100).date)
    #expect(wearing.due(rule) == at(1400).tick)
    _ = wearing.takenOff()
    #expect(wearing.due(rule) == nil && !wearing.minds)
  }

  @Test func inADryRunItCountsFromTheLastHeartRate() throws {
    var wearing = try worn()
    let step9 = wearing.wouldRun(since: at(1))
    #expect(step9)
    #expect(wearing.due(rule) == at(303).tick)
    let step10 = wearing.interrupted()
    #expect(!step10)
    let step11 = try wearing.take(sample(50, [0x04, 70]), isUsed: false, at: at(50).date)
    #expect(!step11)
    #expect(wearing.due(rule) == at(303).tick)
    #expect(wearing.absence.lastGood == at(3))
  }

  /// A strap that sends faster than any heart beats fills no memory.
  @Test func onlySoManyAreKept() throws {
    var wearing = try worn()
    for _ in 0..<Wearing.mostRecent { _ = wearing.take(try sample(4), isUsed: false, at: at(4).date) }
    #expect(wearing.recent.count == Wearing.mostRecent)
    #expect(wearing.phase == .worn(since: at(1)))
    _ = wearing.beBusy()
    #expect(wearing.recent.isEmpty)
  }
}
