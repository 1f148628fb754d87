import Control
import Measurements
import Workout

/// Numbers the events, takes what is to be written, and keeps it while the store cannot write.
struct Ledger: Sendable {
  /// The number of the last event.
  private(set) var sequence: Int64
  /// Events up to this number survive a power cut.
  private(set) var durableThrough: Int64
  /// Why the store does not write, while it does not.
  private(set) var held: StoreError?
  /// Why written records are not known to be on the disk, once that cannot be known any more.
  private(set) var unsyncable: StoreError?
  private var heldRecords: [Record] = []
  /// Held records that are with the store once more, and come back if it fails.
  private var offeredCount = 0
  /// The number of the last event before the store failed.
  private var heldSince: Int64 = 0
  /// How many records are held at most.
  var mostHeld = Limits().heldRecords
  /// How often finished workouts have changed.
  private(set) var workoutChanges = 0
  private var reservedThrough: Int64
  private var effects: [Effect] = []
  /// Commits that are written and not yet synced, with the last event number in each.
  private var unsynced: [(commit: Int64, sequence: Int64)] = []

  /// How many numbers are reserved at a time. They are lost when the daemon dies, so that a number that a reader has
  /// seen, and whose row a power cut has taken, is never given to another event.
  /// Half of it is what can be published while the store cannot be written.
  static let reservation: Int64 = 1_000_000
  /// Of those, what is kept for the ends of the sessions.
  static let spareNumbers: Int64 = 10_000

  init(nextSequence: Int64) {
    sequence = nextSequence - 1
    durableThrough = nextSequence - 1
    reservedThrough = nextSequence - 1
  }

  mutating func nextSequence() -> Int64 {
    sequence += 1
    reserve()
    return sequence
  }

  /// Reserves numbers ahead; before the first is given out as well, so that none is published unreserved.
  mutating func reserve() {
    guard sequence + Self.reservation / 2 > reservedThrough else { return }
    reservedThrough = sequence + Self.reservation
    record(.sequenceReserved(through: reservedThrough))
  }

  mutating func record(_ record: Record) {
    if record.changesWorkouts { workoutChanges += 1 }
    if held == nil { effects.append(.record(record)) } else { heldRecords.append(record) }
  }

  /// The store has deleted a workout by itself.
  mutating func workoutDeleted() { workoutChanges += 1 }

  mutating func publish(_ event: Event) {
    effects.append(.publish(event))
  }

  /// An event of a session: written and published under one number.
  ///
  /// - Parameter date: when it happened, where that is not now.
  mutating func happened(
    _ what: EventRecord.What, _ published: Event.What, session: SessionID, strap: StrapAddress?, date: WallTime? = nil,
    at now: Moment
  ) {
    let number = nextSequence()
    record(.event(EventRecord(sequence: number, session: session, at: DatedTick(at: now), what: what)))
    publish(Event(sequence: number, date: date ?? now.wall, what: published, session: session, strap: strap))
  }

  /// The same for an event that has got its number already, since what is published depends on it.
  mutating func happened(_ event: EventRecord, _ published: Event.What, strap: StrapAddress?) {
    record(.event(event))
    publish(
      Event(sequence: event.sequence, date: event.at.date, what: published, session: event.session, strap: strap))
  }

  /// An event that no row keeps.
  mutating func passing(_ what: Event.What, session: SessionID? = nil, strap: StrapAddress? = nil, at now: Moment) {
    guard hasNumbers else { return }
    publish(Event(sequence: nextSequence(), date: now.wall, what: what, session: session, strap: strap))
  }

  /// What has come together since the last time.
  mutating func takeEffects() -> [Effect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  // MARK: What is held

  /// Whether no more is to be held: as many records as may be, or numbers that are not known to be reserved.
  var isFull: Bool {
    held != nil && (heldCount >= mostHeld || !hasNumbers)
  }

  var heldCount: Int { heldRecords.count + offeredCount }

  /// Whether what no row keeps may still be published.
  var hasNumbers: Bool {
    held == nil || sequence - heldSince < Self.reservation / 2 - Self.spareNumbers
  }

  /// When what is held is offered again: many records cost the store something each time.
  var flushInterval: Duration { heldRecords.count < 1_000 ? .seconds(1) : .seconds(10) }

  // MARK: The store's answers

  /// - Returns: whether nothing is left to be written.
  mutating func committed(_ commit: Int64) -> Bool {
    held = nil
    offeredCount = 0
    guard heldRecords.isEmpty else {
      flush()  // what came while the held records were being written
      return false
    }
    if unsyncable == nil { unsynced.append((commit, sequence)) }
    return true
  }

  mutating func commitFailed(_ error: StoreError, _ records: [Record]) {
    if held == nil { heldSince = sequence }
    held = error
    heldRecords = records + heldRecords
    offeredCount = 0
  }

  /// The store is a new one: what it needs to know goes before what could not be written.
  mutating func beginAnew(with seeds: [Record], _ records: [Record]) {
    heldRecords = [.sequenceReserved(through: reservedThrough)] + seeds + records + heldRecords
    flush()
  }

  /// Offers again what could not be written.
  mutating func flush() {
    offeredCount = heldRecords.count
    effects.append(.records(heldRecords))
    heldRecords = []
  }

  mutating func syncFailed(_ error: StoreError) {
    unsyncable = error
    unsynced.removeAll()
  }

  mutating func synced(throughCommit commit: Int64) {
    let count = unsynced.prefix { $0.commit <= commit }.count
    guard count > 0 else { return }
    durableThrough = max(durableThrough, unsynced[count - 1].sequence)
    unsynced.removeFirst(count)
  }
}
