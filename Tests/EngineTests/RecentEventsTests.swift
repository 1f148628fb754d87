import Control
import Testing

@testable import Engine

struct RecentEventsTests {
  static func event(_ sequence: Int64, _ label: String = "") -> EncodedEvent {
    let what = Event.What.marker(.init(at: World.start), label: label)
    return EncodedEvent(Event(sequence: sequence, date: World.start.wall, what: what), held: false, durableThrough: 0)
  }

  private func numbers(_ events: ArraySlice<EncodedEvent>) -> [Int64] { events.map(\.event.sequence) }

  @Test func nothingIsKnownOfBefore() {
    let recent = RecentEvents(after: 40)
    #expect(recent.knownAfter == 40 && recent.count == 0 && recent.octets == 0)
    #expect(recent.after(0).isEmpty && recent.after(40).isEmpty && recent.after(.max).isEmpty)
  }

  @Test func theEventsBehindANumber() {
    var recent = RecentEvents(after: 40)
    for number in [41, 42, 45, 50] as [Int64] { recent.add(Self.event(number)) }
    #expect(numbers(recent.after(40)) == [41, 42, 45, 50])
    #expect(numbers(recent.after(42)) == [45, 50])
    #expect(numbers(recent.after(43)) == [45, 50])
    #expect(numbers(recent.after(50)) == [])
    // In whichever order they come.
    recent.add(Self.event(49))
    #expect(numbers(recent.after(42)) == [45, 49, 50])
    #expect(recent.octets == recent.after(0).map(\.count).reduce(0, +))
  }

  @Test func theOldestAreForgottenByCount() {
    var recent = RecentEvents(after: 0)
    let most = Int64(RecentEvents.mostEvents)
    for number in 1...(3 * most + 7) {
      recent.add(Self.event(number))
      #expect(recent.count == min(Int(number), RecentEvents.mostEvents))
      #expect(recent.knownAfter == max(0, number - most))
    }
    #expect(numbers(recent.after(0)) == Array((2 * most + 8)...(3 * most + 7)))
    #expect(recent.octets == recent.after(0).map(\.count).reduce(0, +))
  }

  @Test func theOldestAreForgottenByRoom() {
    var recent = RecentEvents(after: 0)
    let long = String(repeating: "x", count: 20_000)
    for number in 1...100 as ClosedRange<Int64> {
      recent.add(Self.event(number, long))
      #expect(recent.octets <= RecentEvents.mostOctets)
    }
    #expect(recent.count == RecentEvents.mostOctets / Self.event(100, long).count)
    #expect(recent.knownAfter == 100 - Int64(recent.count))
    recent.add(Self.event(101, String(repeating: "x", count: RecentEvents.mostOctets)))
    #expect(recent.count == 0 && recent.octets == 0 && recent.knownAfter == 101)
  }

  @Test func theRedactedOctetsAreMadeOnce() {
    var recent = RecentEvents(after: 0)
    let event = Self.event(1)
    recent.add(event)
    #expect(recent.message(of: event, isRedacted: false) == event.message)
    let first = recent.message(of: event, isRedacted: true)
    #expect(first != event.message)
    let second = recent.message(of: event, isRedacted: true)
    #expect(first.withUnsafeBytes { $0.baseAddress } == second.withUnsafeBytes { $0.baseAddress })
    #expect(recent.octets == event.message.count + first.count)
    #expect(
      recent.message(of: Self.event(7), isRedacted: true)
        == Self.event(7).event.message(
          held: false, durableThrough: 0, redacted: true), "one that is not known any more")
  }
}
