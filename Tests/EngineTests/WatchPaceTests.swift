import Control
import Measurements
import Testing
import Workout

@testable import Engine

struct WatchPaceTests {
  private static let id = SessionID("0f0e0d0c-0b0a-4908-8706-050403020100")!

  /// "sequence" or "sequence×count" of each that is told.
  private func text(_ told: [WatchPace.Told]) -> [String] {
    told.map { $0.count == 1 ? "\($0.event.event.sequence)" : "\($0.event.event.sequence)x\($0.count)" }
  }

  private func event(
    _ sequence: Int64, _ heartRate: UInt8 = 70, _ strap: StrapAddress = World.a, counted: Bool = true
  ) -> EncodedEvent {
    let payload: [UInt8] = [0x06, heartRate]
    let sample = HeartRateSample(
      sequence: sequence, tick: tick(0), measurement: try! HeartRateMeasurement(payload), payload: payload)
    let what = Event.What.heartRate(sample, availability: .available, counted: counted)
    return EncodedEvent(
      Event(sequence: sequence, date: World.start.wall, what: what, session: Self.id, strap: strap), held: false,
      durableThrough: 0)
  }

  private func tick(_ milliseconds: Int) -> Tick { World.start.tick + .milliseconds(milliseconds) }

  @Test func everyOne() {
    var pace = WatchPace(.every)
    for number in 1...20 as ClosedRange<Int64> {
      #expect(text(pace.take(event(number), isRedacted: false, at: tick(0))) == ["\(number)"])
    }
    #expect(pace.due == nil)
    #expect(text(pace.flush(at: tick(0))) == [])
  }

  @Test func onceASecondTheNewest() {
    var pace = WatchPace(.second)
    #expect(text(pace.take(event(1), isRedacted: false, at: tick(0))) == ["1"])
    #expect(pace.due == nil)
    for number in 2...9 as ClosedRange<Int64> {
      #expect(text(pace.take(event(number), isRedacted: false, at: tick(Int(number) * 100))) == [])
      #expect(pace.due == tick(1000))
    }
    #expect(text(pace.takeDue(at: tick(999))) == [])
    #expect(text(pace.takeDue(at: tick(1000))) == ["9x8"])
    #expect(pace.due == nil)
    // None has come for a while, and the next is told at once.
    #expect(text(pace.take(event(10), isRedacted: false, at: tick(1999))) == [])
    #expect(text(pace.takeDue(at: tick(2000))) == ["10"])
    #expect(text(pace.take(event(11), isRedacted: false, at: tick(3000))) == ["11"])
  }

  @Test func whatWaitsIsToldBeforeAnythingElse() {
    var pace = WatchPace(.fiveSeconds)
    #expect(text(pace.take(event(1), isRedacted: false, at: tick(0))) == ["1"])
    _ = pace.take(event(2), isRedacted: false, at: tick(100))
    _ = pace.take(event(3), isRedacted: false, at: tick(200))
    #expect(text(pace.flush(at: tick(300))) == ["3x2"])
    #expect(text(pace.take(event(4), isRedacted: false, at: tick(400))) == [])
    #expect(pace.due == tick(5300), "five seconds since something was told")
  }

  @Test func ofSeveralStrapsTheNumbersRise() {
    var pace = WatchPace(.second)
    var told = text(pace.take(event(1), isRedacted: false, at: tick(0)))
    for number in 2...6 as ClosedRange<Int64> {
      let strap = number % 2 == 0 ? World.b : World.a
      told += text(pace.take(event(number, 70, strap), isRedacted: false, at: tick(Int(number))))
    }
    #expect(told == ["1"])
    #expect(text(pace.takeDue(at: tick(1000))) == ["5x2", "6x3"])
  }

  /// As of a replay: no timer has passed between them.
  @Test func whatWasDueComesFirst() {
    var pace = WatchPace(.second)
    _ = pace.take(event(1), isRedacted: false, at: tick(0))
    _ = pace.take(event(2), isRedacted: false, at: tick(500))
    #expect(text(pace.take(event(3), isRedacted: false, at: tick(1200))) == ["2"])
    #expect(text(pace.take(event(4), isRedacted: false, at: tick(1900))) == [])
    #expect(text(pace.take(event(5), isRedacted: false, at: tick(9000))) == ["4x2", "5"])
  }

  @Test func onChange() {
    var pace = WatchPace(.change)
    func take(_ event: EncodedEvent, isRedacted: Bool = false) -> [String] {
      text(pace.take(event, isRedacted: isRedacted, at: tick(0)))
    }
    #expect(take(event(1, 70)) == ["1"])
    #expect(take(event(2, 70)) == [])
    #expect(take(event(3, 70)) == [])
    #expect(take(event(4, 71)) == ["4x3"])
    #expect(take(event(5, 71, counted: false)) == ["5"])
    #expect(take(event(6, 71, World.b)) == ["6"], "each strap for itself")
    #expect(take(event(7, 71, counted: false)) == [])
    #expect(pace.due == nil)
    #expect(text(pace.flush(at: tick(0))) == [], "what was told last still holds")
    pace.forget(Self.id)
    #expect(take(event(8, 71, counted: false)) == ["8"])
  }

  @Test func whoMayNotSeeItIsNotToldWhenItChanges() {
    var pace = WatchPace(.change)
    #expect(text(pace.take(event(1, 70), isRedacted: true, at: tick(0))) == ["1"])
    #expect(text(pace.take(event(2, 90), isRedacted: true, at: tick(0))) == [])
    #expect(text(pace.take(event(3, 90, counted: false), isRedacted: true, at: tick(0))) == ["3x2"])
  }
}
