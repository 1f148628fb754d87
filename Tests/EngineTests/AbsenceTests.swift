import Measurements
import Testing
import Workout

@testable import Engine

struct AbsenceTests {
  private func tick(_ seconds: Int64) -> Tick { Tick(nanoseconds: seconds * 1_000_000_000) }

  private func at(_ seconds: Int64) -> DatedTick {
    DatedTick(tick: tick(seconds), date: WallTime(nanoseconds: seconds * 1_000_000_000))
  }

  private func history(_ events: [(Int64, EventRecord.What)]) -> SessionHistory {
    let id = SessionID(randomBytes: [UInt8](repeating: 1, count: 16))
    return SessionHistory(
      events.enumerated().map { number, event in
        EventRecord(sequence: Int64(number), session: id, at: at(event.0), what: event.1)
      })
  }

  private func enters(_ state: WorkoutState, _ seconds: Int64) -> (Int64, EventRecord.What) {
    (seconds, .transition(Transition(from: .prepared, to: state, at: at(seconds), cause: .user)))
  }

  @Test func itCountsTheTimeThatRuns() {
    var absence = Absence()
    #expect(absence.due(.seconds(10)) == nil)
    absence.run(true, at: tick(0))
    absence.run(true, at: tick(3))
    #expect(absence.due(.seconds(10)) == tick(10))
    #expect(absence.due(nil) == nil)
    absence.run(false, at: tick(4))
    #expect(absence.due(.seconds(10)) == nil)
    absence.run(true, at: tick(100))
    #expect(absence.due(.seconds(10)) == tick(106))
    absence.end(at: at(101))
    #expect(absence.due(.seconds(10)) == tick(111))
    #expect(absence.lastGood == at(101))
    absence.run(false, at: tick(102))
    absence.end(at: at(103))
    absence.run(true, at: tick(104))
    #expect(absence.due(.seconds(10)) == tick(114))
  }

  /// Running from 10, a fault of the host from 20 to 30, a pause from 40 to 50, last seen alive at 60, back at 100.
  @Test func whatTheEventsTell() {
    let history = history([
      enters(.prepared, 0), enters(.running, 10), (20, .host(isWorking: false)), (30, .host(isWorking: true)),
      enters(.paused, 40), enters(.running, 50), (100, .recovered(lastAlive: at(60))),
    ])
    #expect(history.entry(into: .prepared) == tick(0))
    #expect(history.entry(into: .running) == tick(50))
    #expect(history.entry(into: .stopped) == nil)
    #expect(history.gaps.map(\.from) == [tick(60)] && history.gaps.map(\.to) == [tick(100)])
    for (good, seconds) in [(nil, 30), (5, 30), (15, 25), (25, 20), (35, 15), (45, 10), (55, 5), (60, 0)]
      as [(Int64?, Int)]
    {
      #expect(history.absence(since: good.map(tick)) == .seconds(seconds), "\(good ?? -1)")
    }
  }

  @Test func twoLivesAreAddedUp() {
    let history = history([
      enters(.running, 0), (20, .recovered(lastAlive: at(10))), (25, .host(isWorking: false)),
      (60, .recovered(lastAlive: at(40))),
    ])
    #expect(history.absence(since: nil) == .seconds(15))
    #expect(history.absence(since: tick(22)) == .seconds(3))
    #expect(self.history([enters(.running, 0)]).absence(since: nil) == .zero, "nothing was taken up")
  }

  @Test func whatHasComeSinceIsNewsEnough() {
    let history = history([enters(.running, 0), (100, .recovered(lastAlive: at(90)))])
    var absence = Absence()
    absence.run(true, at: tick(100))
    absence.take(history, lastGood: at(50))
    #expect(absence.lastGood == at(50))
    #expect(absence.due(.seconds(60)) == tick(120))
    var fresh = Absence()
    fresh.run(true, at: tick(100))
    fresh.end(at: at(101))
    fresh.take(history, lastGood: at(50))
    #expect(fresh.lastGood == at(101))
    #expect(fresh.due(.seconds(60)) == tick(161))
  }

  @Test func daylightIsNoHeart() throws {
    func sample(_ payload: [UInt8], unsteady: Bool = false) throws -> HeartRateSample {
      var measurement = try HeartRateMeasurement(payload)
      if unsteady { measurement.warnings.insert(.unsteady) }
      return HeartRateSample(sequence: 1, tick: tick(0), measurement: measurement, payload: payload)
    }
    #expect(try sample([0x06, 70]).isGood)
    #expect(try sample([0x00, 70]).isGood)
    #expect(try !sample([0x04, 70]).isGood)
    #expect(try !sample([0x06, 0]).isGood)
    #expect(try !sample([0x00, 70], unsteady: true).isGood)
  }
}
