import Control

/// The last events with their octets, for watchers that come again. What they are told is what was told the others.
struct RecentEvents: Sendable {
  private var events: [EncodedEvent] = []
  /// The place of the oldest: what lies before it is forgotten, and cleared away now and then.
  private var first = 0
  /// The room that their octets take.
  private(set) var octets = 0
  /// Of what has happened up to this number, not all is known.
  private(set) var knownAfter: Int64

  static let mostEvents = 2048
  static let mostOctets = 1 << 20
  /// How many that are forgotten may lie before the oldest.
  private static let mostForgotten = 256

  init(after sequence: Int64) {
    knownAfter = sequence
  }

  var count: Int { events.count - first }

  mutating func add(_ event: EncodedEvent) {
    // They are found by their numbers, in whichever order they have come.
    events.insert(event, at: place(behind: event.event.sequence))
    octets += event.count
    while count > Self.mostEvents || octets > Self.mostOctets {
      octets -= events[first].count
      knownAfter = events[first].event.sequence
      first += 1
    }
    guard first >= Self.mostForgotten || first == events.count else { return }
    events.removeFirst(first)
    first = 0
  }

  /// Those behind a number, oldest first.
  func after(_ sequence: Int64) -> ArraySlice<EncodedEvent> { events[place(behind: sequence)...] }

  /// What a watcher is told of an event, made once as long as the event is known here.
  mutating func message(of event: EncodedEvent, isRedacted: Bool) -> [UInt8] {
    guard isRedacted else { return event.message }
    let place = place(behind: event.event.sequence - 1)
    guard place < events.count, events[place].event.sequence == event.event.sequence else {
      var event = event
      return event.redact()
    }
    octets -= events[place].count
    defer { octets += events[place].count }
    return events[place].redact()
  }

  private func place(behind sequence: Int64) -> Int {
    var (low, high) = (first, events.count)
    while low < high {
      let middle = low + (high - low) / 2
      if events[middle].event.sequence > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
