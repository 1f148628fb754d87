import Control
import Measurements
import Testing
import Workout

@testable import Engine

struct LedgerTests {
  private let now = World.start
  private let failure = StoreError(operation: .commit, code: 13, text: "full")

  private func records(_ effects: [Effect]) -> [Record] {
    effects.flatMap { $0.records ?? [] }
  }

  private func records(_ ledger: inout Ledger) -> [Record] {
    records(ledger.takeEffects())
  }

  private func commit(_ number: Int64, _ ledger: inout Ledger) -> Bool {
    ledger.committed(number)
  }

  @Test func numbersRiseAndAreReservedAhead() {
    var ledger = Ledger(nextSequence: 100)
    var reserved: Int64 = 99
    for expected in Int64(100)..<20_000 {
      let number = ledger.nextSequence()
      #expect(number == expected)
      for case .sequenceReserved(let through) in records(ledger.takeEffects()) {
        #expect(through > reserved)
        reserved = through
      }
      // What a power cut takes is less than what is reserved, so no number is given out twice after it.
      #expect(reserved >= expected + Ledger.reservation / 2)
    }
  }

  @Test func whatCannotBeWrittenIsKeptInOrderAndOfferedAgain() {
    var ledger = Ledger(nextSequence: 1)
    let first = [Record.alive(now), .sequenceReserved(through: 5)]
    ledger.commitFailed(failure, first)
    #expect(ledger.held == failure)
    ledger.record(.sequenceReserved(through: 6))
    #expect(records(&ledger).isEmpty, "nothing is offered while it would fail again")
    ledger.flush()
    #expect(records(&ledger) == first + [.sequenceReserved(through: 6)])
    ledger.record(.sequenceReserved(through: 7))
    let isAll = ledger.committed(1)
    #expect(!isAll, "what came meanwhile is still to be written")
    #expect(ledger.held == nil)
    #expect(records(&ledger) == [.sequenceReserved(through: 7)])
    #expect(commit(2, &ledger))
  }

  @Test func durableIsWhatWasWrittenBeforeASync() {
    var ledger = Ledger(nextSequence: 11)
    #expect(ledger.durableThrough == 10)
    for commit in Int64(1)...3 {
      _ = ledger.nextSequence()
      #expect(self.commit(commit, &ledger))
    }
    ledger.synced(throughCommit: 2)
    #expect(ledger.durableThrough == 12)
    ledger.synced(throughCommit: 2)
    #expect(ledger.durableThrough == 12)
    ledger.synced(throughCommit: 3)
    #expect(ledger.durableThrough == 13)
    ledger.syncFailed(failure)
    _ = ledger.nextSequence()
    #expect(commit(4, &ledger))
    ledger.synced(throughCommit: 4)
    #expect(ledger.durableThrough == 13)
    #expect(ledger.unsyncable == failure)
  }

  @Test func anEventIsWrittenAndPublishedUnderOneNumber() throws {
    var ledger = Ledger(nextSequence: 7)
    let id = SessionID(randomBytes: [UInt8](repeating: 1, count: 16))
    ledger.happened(.linkLost, .availability(.unavailable), session: id, strap: World.a, at: now)
    let effects = ledger.takeEffects()
    guard case .event(let written) = records(effects).first(where: { if case .event = $0 { true } else { false } }),
      case .publish(let published) = effects.last
    else {
      Issue.record("\(effects)")
      return
    }
    #expect(written.sequence == 7 && published.sequence == 7)
    #expect(written.session == id && published.session == id && published.strap == World.a)
    #expect(published.date == now.wall)
  }
}
