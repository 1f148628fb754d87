import Control
import Measurements
import Testing
import Workout

@Suite struct EventSelectionTests {
  private static let other = StrapAddress("F0:F1:F2:F3:F4:F6")!

  private static func event(
    _ what: Event.What = .pauseOrResumeRequest, _ session: SessionID? = nil, _ strap: StrapAddress? = nil
  ) -> Event {
    Event(sequence: 7, date: Samples.date, what: what, session: session, strap: strap)
  }

  private static func measured(_ series: SessionID?) -> Event.What {
    let sample = HeartRateSample(
      sequence: 7, tick: Tick(nanoseconds: 0), measurement: Samples.bareMeasurement, payload: [])
    return .heartRate(sample, availability: .available, counted: false, postExercise: series)
  }

  @Test func everythingWhereNothingIsSaid() {
    for (event, _) in Samples.events {
      #expect(EventSelection().concerns(event) && EventSelection().takes(event.what.kind))
    }
  }

  @Test func ofSessions() {
    let selection = EventSelection(sessions: [Samples.id])
    #expect(selection.concerns(Self.event(.restored, Samples.id)))
    #expect(selection.concerns(Self.event(.restored, Samples.id, Self.other)))
    #expect(!selection.concerns(Self.event(.restored, Samples.otherID)))
    #expect(!selection.concerns(Self.event(.restored, nil, Samples.strap)), "another's strap")
    #expect(selection.concerns(Self.event(.clockStep(.seconds(1)))), "everybody's")
    #expect(selection.concerns(Self.event(Self.measured(Samples.id), nil, Samples.strap)), "of its series")
    #expect(selection.concerns(Self.event(Self.measured(Samples.id), Samples.otherID, Samples.strap)))
    #expect(!selection.concerns(Self.event(Self.measured(Samples.otherID), nil, Samples.strap)))
    #expect(!selection.concerns(Self.event(Self.measured(nil), nil, Samples.strap)))
  }

  @Test func ofStraps() {
    let selection = EventSelection(straps: [Samples.strap])
    #expect(selection.concerns(Self.event(.restored, nil, Samples.strap)))
    #expect(selection.concerns(Self.event(.restored, Samples.id, Samples.strap)))
    #expect(!selection.concerns(Self.event(.restored, Samples.id, Self.other)))
    #expect(!selection.concerns(Self.event(.restored, Samples.id)), "no strap yet")
    #expect(selection.concerns(Self.event(.clockStep(.seconds(1)))), "everybody's")
    let both = EventSelection(sessions: [Samples.id], straps: [Samples.strap])
    #expect(both.concerns(Self.event(.restored, Samples.id, Samples.strap)))
    #expect(!both.concerns(Self.event(.restored, Samples.otherID, Samples.strap)))
    #expect(!both.concerns(Self.event(.restored, Samples.id, Self.other)))
  }

  @Test func ofKinds() {
    let selection = EventSelection(kinds: [.lap, .gap])
    for kind in EventKind.allCases { #expect(selection.takes(kind) == [.lap, .gap].contains(kind)) }
  }

  @Test func theSnapshotIsNarrowed() {
    let status = Samples.fullStatus
    let (sessions, straps) = (status.sessions.map(\.record.id), status.straps.map(\.address))
    #expect(EventSelection(kinds: [.lap], rate: .change).narrowed(status) == status)
    let ofSession = EventSelection(sessions: [sessions[1]]).narrowed(status)
    #expect(ofSession.sessions.map(\.record.id) == [sessions[1]])
    let used = status.sessions[1].record.strap
    #expect(ofSession.straps.map(\.address) == straps.filter { $0 == used })
    let ofStrap = EventSelection(straps: [straps[0]]).narrowed(status)
    #expect(ofStrap.straps.map(\.address) == straps.filter { $0 == straps[0] })
    #expect(
      ofStrap.sessions.map(\.record.id) == status.sessions.filter { $0.record.strap == straps[0] }.map(\.record.id))
    #expect(EventSelection(sessions: [Samples.id], straps: [Self.other]).narrowed(status).straps == [])
  }

  @Test func rates() {
    #expect(WatchRate.allCases.map(\.interval) == [nil, .seconds(1), .seconds(5), nil])
  }
}
