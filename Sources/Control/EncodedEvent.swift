import Measurements

/// An event with the octets that watchers are told it by: they are made once for all who may read heart rates, and once
/// for all who may not.
public struct EncodedEvent: Hashable, Sendable {
  public let event: Event
  /// The message for those who may read heart rates.
  public let message: [UInt8]
  /// That for those who may not, once somebody has needed it.
  public private(set) var redacted: [UInt8]?
  private let held: Bool
  private let durableThrough: Int64

  /// - Parameters: see `Event.message`.
  public init(_ event: Event, held: Bool, durableThrough: Int64) {
    self.event = event
    self.held = held
    self.durableThrough = durableThrough
    message = event.message(held: held, durableThrough: durableThrough)
  }

  /// How much room the octets take.
  public var count: Int { message.count + (redacted?.count ?? 0) }

  /// The message for those who may not read heart rates; made with the first call.
  public mutating func redact() -> [UInt8] {
    if let redacted { return redacted }
    let message = event.message(held: held, durableThrough: durableThrough, redacted: true)
    redacted = message
    return message
  }

  /// The end of every event's message.
  private static let end = Array(#"},"continues":true}"#.utf8) + [0]

  /// A measurement's message for a watcher whom it tells of others as well: the same octets, with how many it stands for.
  ///
  /// It is put in behind the other members, since encoding the event anew for each watcher would cost more than all else.
  public static func message(_ octets: [UInt8], standingFor count: Int) -> [UInt8] {
    guard count > 1 else { return octets }
    return octets.dropLast(end.count) + Array(#","coalesced":\#(count)"#.utf8) + end
  }
}

/// Tells one watcher that measurements were left out for it, since it had not read what it was told before.
public struct LagNotice: Hashable, Sendable {
  /// How many measurements.
  public var count: Int
  /// Among which numbers they are.
  public var numbers: ClosedRange<Int64>
  public var date: WallTime
  public var durableThrough: Int64

  public init(count: Int, numbers: ClosedRange<Int64>, date: WallTime, durableThrough: Int64) {
    self.count = count
    self.numbers = numbers
    self.date = date
    self.durableThrough = durableThrough
  }

  /// It is no event, and has the number of the last one that it tells of.
  public var message: [UInt8] {
    let reply = JSON.object([
      "sequence": .integer(numbers.upperBound), "kind": .string("lagged"), "date": .string(date.rfc3339),
      "count": .integer(Int64(count)), "firstSequence": .integer(numbers.lowerBound),
      "lastSequence": .integer(numbers.upperBound), "durableThrough": .integer(durableThrough),
    ])
    return VarlinkReply(reply, continues: true).message
  }
}
