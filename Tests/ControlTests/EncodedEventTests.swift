import Control
import Testing

@Suite struct EncodedEventTests {
  @Test(arguments: Samples.events)
  func theOctetsAreTheEvents(_ event: Event, _ members: String) {
    for held in [false, true] {
      var encoded = EncodedEvent(event, held: held, durableThrough: 5)
      #expect(encoded.message == event.message(held: held, durableThrough: 5))
      #expect(encoded.count == encoded.message.count)
      let redacted = event.message(held: held, durableThrough: 5, redacted: true)
      #expect(encoded.redact() == redacted)
      #expect(encoded.redacted == redacted)
      #expect(encoded.redact() == redacted)
      #expect(encoded.count == encoded.message.count + redacted.count)
    }
  }

  @Test(arguments: Samples.events)
  func whatOneStandsForIsOneMoreMember(_ event: Event, _ members: String) throws {
    var encoded = EncodedEvent(event, held: true, durableThrough: 5)
    for octets in [encoded.message, encoded.redact()] {
      #expect(EncodedEvent.message(octets, standingFor: 1) == octets)
      for count in [2, 10, 4096] {
        let told = EncodedEvent.message(octets, standingFor: count)
        #expect(told.last == 0)
        let (whole, plain) = (try #require(VarlinkReply(told.dropLast())), VarlinkReply(octets.dropLast()))
        #expect(whole.continues)
        guard case .object(let members) = whole.parameters, case .object(let before) = plain?.parameters else {
          Issue.record("no object")
          return
        }
        #expect(members == before + [.init("coalesced", .integer(Int64(count)))])
      }
    }
  }

  @Test func theNoticeOfWhatWasLeftOut() {
    let expected =
      #"{"parameters":{"sequence":140,"kind":"lagged","date":"2026-11-30T09:10:11.250Z","count":31,"#
      + #""firstSequence":100,"lastSequence":140,"durableThrough":99},"continues":true}"#
    #expect(Samples.lag.message == Array(expected.utf8) + [0])
  }

  @Test func theSnapshotOfAReplay() throws {
    let told = try #require(VarlinkReply(Samples.replay.message.dropLast())).parameters
    #expect(told["replaysAfter"] == .integer(1100) && told["missed"] == .bool(true))
    let plain = try #require(VarlinkReply(WatchSnapshot(Samples.fullStatus).message.dropLast())).parameters
    #expect(plain["replaysAfter"] == nil && plain["missed"] == nil)
  }
}

extension Samples {
  static let lag = LagNotice(count: 31, numbers: 100...140, date: date, durableThrough: 99)

  static let replay = {
    var snapshot = WatchSnapshot(fullStatus)
    (snapshot.replaysAfter, snapshot.hasMissed) = (1100, true)
    return snapshot
  }()
}
