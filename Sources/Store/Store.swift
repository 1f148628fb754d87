import CSQLite
import Glibc
import Measurements
import Workout

/// The store: sessions, events, samples, finished workouts and known straps in one SQLite file, and how far they are on
/// the disk.
///
/// A commit is one write to the log (WAL, synchronous NORMAL) and survives the death of the process; a second thread
/// makes it survive a power cut (`syncedThrough`). For the loop's thread alone.
public final class Store {
  /// The lowest sequence number that had certainly never been used when the store was opened.
  public let nextSequence: Int64
  /// When the daemon's previous life was last seen alive: the newest of its alive marks, events and samples, on this
  /// boot's axis; nil in a new store.
  public let lastAlive: DatedTick?

  /// What is to be known of this boot, as it was when the store was opened.
  public let bootReport: BootReport

  /// nil once another store has it.
  private var lock: LockFile?
  /// What was put in this one's place and could not be opened yet, for want of room perhaps; with why, where it is not all of
  /// this one.
  var successor: (file: FileIdentity?, setAside: SetAside?)?
  /// The file by which SQLite's connections know of each other: two that do not share one destroy the log.
  let sharedMemory: FileIdentity?
  let connection: Connection
  /// Of the file: what it was made with, whoever has made it.
  let pageSize: Int
  let sync: SyncThread
  var syncInterval: Duration
  private let transaction: Transactions
  private(set) var axis: BootAxis
  /// This boot's newest pair of clocks.
  private(set) var clocks: Moment
  private let boots: BootTable
  let sessions: SessionTable
  private let eventTable: EventTable
  private let sampleTable: SampleTable
  let workoutTable: WorkoutTable
  let workoutDates: WorkoutDates
  let editTable: WorkoutEditTable
  let importTable: ImportTable
  /// What is coming in.
  private var imports: Set<SessionID> = []
  private let strapTable: StrapTable
  private let athleteTable: AthleteTable
  private let clientDataTable: ClientDataTable
  private let meta: MetaTable
  private var compaction: Compaction
  let purge: Purge
  let limits: Limits
  /// A copy that is being made.
  var backup: Backup?
  /// What earlier ones have left on the disk.
  var remains: [Backup.Remains] = []
  /// Frames in the log when it was last copied.
  private var copiedFrames = 0
  /// Whether the log, or the database as long as it is not copied there, may have what was deleted for good.
  var keepsDeleted = false

  /// Opens or creates a database file, brings it to the newest version, and starts the sync thread.
  ///
  /// - Parameters:
  ///   - path: the database file; its -wal, -shm and .lock stand beside it.
  ///   - bootID: the kernel's name for this boot; ticks of other boots are laid onto this one's axis (`BootAxis`).
  ///   - syncInterval: how long a commit may wait for its sync when nobody asks for one.
  ///   - checkpointFrames: how long the log may grow, in pages; other than usual for measurements alone.
  /// - Throws: with kind `inUse`, `notWritable`, `foreign`, `newer` or `damaged` where that is the reason.
  public convenience init(
    path: String, bootID: String, at now: Moment, syncInterval: Duration, checkpointFrames: Int? = nil
  ) throws(StoreError) {
    var limits = Limits()
    limits.checkpointFrames = checkpointFrames
    try self.init(
      try LockFile(for: path), try Connection(path: path, busyTimeout: limits.openTimeout), bootID: bootID, at: now,
      syncInterval: syncInterval, limits: limits)
  }

  struct Limits {
    /// How long a lock of another program in the file is waited for while it is opened.
    var openTimeout = Duration.seconds(2)
    /// The same later, on the loop: the stamps of measurements wait as well. What cannot be written then is kept and
    /// written later, so there is no need to wait long.
    var busyTimeout = Duration.milliseconds(20)
    /// Log frames, a page each, before `checkpointIfDue` copies them; nil: as many as are 4 MiB.
    var checkpointFrames: Int?
    fileprivate static let checkpointOctets = 4 << 20
    var backup = Backup.Limits()
  }

  init(
    _ lock: LockFile, _ connection: Connection, bootID: String, at now: Moment, syncInterval: Duration, limits: Limits
  ) throws(StoreError) {
    self.limits = limits
    self.syncInterval = syncInterval
    self.lock = lock
    self.connection = connection
    Self.remove(Backup.path(of: connection.path))
    try Self.prepare(connection)
    pageSize = Int(try connection.answer(to: "PRAGMA page_size", for: .open)) ?? Self.usualPageSize
    try Self.readWhatIsNeeded(connection)
    transaction = try Transactions(connection)
    boots = try BootTable(connection)
    sessions = try SessionTable(connection)
    eventTable = try EventTable(connection)
    sampleTable = try SampleTable(connection)
    workoutTable = try WorkoutTable(connection)
    workoutDates = try WorkoutDates(connection)
    editTable = try WorkoutEditTable(connection)
    importTable = try ImportTable(connection, transaction)
    strapTable = try StrapTable(connection)
    athleteTable = try AthleteTable(connection)
    clientDataTable = try ClientDataTable(connection)
    meta = try MetaTable(connection)
    compaction = try Compaction(connection, transaction)
    purge = try Purge(connection, transaction)

    try importTable.abortAll()
    let known = try boots.all()
    let newest = [try eventTable.newest(), try sampleTable.newest()].compactMap { $0 }
    let boot = try boots.enter(bootID, at: now)
    for row in newest where row.at.boot != boot { try boots.extend(row.at.boot, through: row.at.tick) }
    let before = known.first { $0.number == boot }?.clocks
    let step = before.flatMap { now.step(since: $0, wasSet: true) }
    // What a time server has once set right stays so until it is set otherwise.
    let isClockSure = now.isSynchronised || step == nil && before?.isSynchronised == true
    clocks = Moment(tick: now.tick, wall: now.wall, isSynchronised: isClockSure)
    // A step is written with what follows from it, and found again if that is never written.
    if step == nil { try boots.write(clocks, boot: boot) }
    axis = BootAxis(
      current: boot, now: clocks, boots: known, newest: newest.map(\.at), steps: try boots.steps())
    let alive = LastAlive.find(boots: known, rows: newest, on: axis)
    lastAlive = alive?.at
    let interruption: Interruption =
      switch alive {
      case nil: .restart
      case let alive? where alive.boot == boot: .restart
      case let alive?: axis.isSettled(alive.boot) ? .reboot : .provisionalReboot
      }
    bootReport = BootReport(id: bootID, interruption: interruption, isClockSure: isClockSure, step: step)
    nextSequence = newest.map(\.sequence).reduce(try meta.reservedSequence(), max) + 1

    try Self.syncDirectory(of: connection.path)
    connection.wait(atMost: limits.busyTimeout)
    sharedMemory = FileIdentity(connection.path + "-shm")
    sync = try SyncThread(path: connection.path + "-wal", interval: syncInterval)
  }

  deinit {
    letGo()
  }
}

// MARK: - Writing

extension Store {
  /// Writes all records in one transaction, or none of them. After a failure the same records may be committed again.
  ///
  /// - Parameter through: a number that rises from commit to commit, by which `syncedThrough` names them.
  public func commit(_ records: [Record], through: Int64) throws(StoreError) {
    try checkPlace()
    clocks = records.compactMap(\.clocks).last ?? clocks
    for case .importBegan(let id, _) in records { imports.insert(id) }
    if records.count == 1, !records[0].isOfManyRows {
      // A statement by itself is a transaction; the usual wake-up of one sample is one page in the log, 1,048 octets.
      try write(records[0])
    } else if !records.isEmpty {
      try transaction.run { () throws(StoreError) in
        // All other rows refer to sessions, in whatever order the records were made.
        for record in records where record.isSession { try write(record) }
        for record in records where !record.isSession { try write(record) }
      }
    }
    for case .clockStepped(let size, let moment) in records {
      axis.stepped(ClockStep(at: BootTick(boot: axis.current, tick: moment.tick), size: size))
    }
    for record in records {
      if case .importFinished(let id) = record { imports.remove(id) }
      if case .importAborted(let id) = record { imports.remove(id) }
    }
    sync.committed(through: through)
  }

  private func axis(for session: SessionID) -> BootAxis { imports.contains(session) ? axis.ofThisBoot : axis }

  private func write(_ record: Record) throws(StoreError) {
    switch record {
    case .session(let session):
      try sessions.write(session, on: axis(for: session.id))
      try boots.write(clocks, boot: axis.current, of: session.id)
    case .event(let event): try eventTable.write(event, on: axis(for: event.session))
    case .sample(let sample, let session): try sampleTable.write(sample, of: session, on: axis)
    case .workout(let workout):
      try workoutTable.write(workout, on: axis, isClockSure: clocks.isSynchronised)
    case .workoutEdited(let edit): try write(edit)
    case .editUndone(let number, let date): try editTable.undo(number, at: date)
    case .strap(let strap): try strapTable.write(strap)
    case .strapForgotten(let address): try strapTable.delete(address)
    case .athlete(let athlete): try athleteTable.write(athlete)
    case .athleteForgotten(let name): try athleteTable.delete(name)
    case .clientData(let data, let session): try clientDataTable.write(data, of: session)
    case .discarded(let id, let mark): try workoutTable.discard(id, mark)
    case .importBegan(let id, let origin): try importTable.begin(id, origin)
    case .importFinished(let id): try importTable.finish(id)
    case .importAborted(let id): try importTable.abort(id)
    case .importReplaced(let old, let new): try replace(old, by: new)
    case .sequenceReserved(let through): try meta.reserveSequence(through: through)
    case .alive(let moment): try boots.alive(moment, boot: axis.current)
    case .clockStepped(let size, let moment):
      try boots.write(ClockStep(at: BootTick(boot: axis.current, tick: moment.tick), size: size))
      try boots.write(moment, boot: axis.current)
      try workoutDates.clockStepped(by: size, boot: axis.current)
    case .clockSynchronised(let moment):
      try boots.write(moment, boot: axis.current)
      try workoutDates.clockSynchronised(boot: axis.current)
    }
  }

  /// Lays the ticks of earlier boots anew, by this boot's clocks, since they are right now; all readings from here on
  /// are by that.
  public func layBoots(at now: Moment) {
    axis.lay(at: now)
  }

  /// Copies the log into the database file when it has grown past 4 MiB. It syncs twice and so may take long; call it
  /// when no transition waits.
  ///
  /// - Returns: whether it was due.
  @discardableResult
  public func checkpointIfDue() throws(StoreError) -> Bool {
    // Fewer frames than before: the log has begun anew. More: a reader has kept it from that, and copying again is
    // worth it only when as much has come together again.
    if connection.logFrames < copiedFrames { copiedFrames = 0 }
    let due = limits.checkpointFrames ?? Limits.checkpointOctets / pageSize
    guard connection.logFrames - copiedFrames >= due else { return false }
    copiedFrames = connection.logFrames
    try connection.checkpoint()
    return true
  }

  /// - Returns: whether nobody needed what was in it.
  func emptyLog() throws(StoreError) -> Bool {
    guard try connection.emptyLog() else { return false }
    copiedFrames = 0
    return true
  }

  /// Puts some hundred samples of a session that is over into less room, without loss, in a step of 1.4 ms on a server's
  /// core. Nothing else sees whether they are.
  ///
  /// - Throws: what kept the step from being done, of which nothing is left; it may be tried again.
  public func compact(at now: Tick) throws(StoreError) -> CompactionStep {
    try checkPlace()
    return try compaction.step(sampleTable.pieces, on: axis, at: now)
  }

  /// Syncs a last time, copies the log into the database, and lets go of everything.
  ///
  /// - Throws: what went wrong on the way; all is let go of nevertheless.
  public func close() throws(StoreError) {
    guard connection.isOpen else { return }
    defer { letGo() }
    sync.stop()
    if let failure = sync.failure { throw failure }
    try connection.checkpoint()
  }

  private func letGo() {
    endBackup()
    remains.removeAll()
    sync.stop()
    connection.close()
    lock?.release()
  }

  /// Opens the file that stands in this one's place now; nothing is left of this one then but its file, as it is.
  func replaced(at now: Moment) throws(StoreError) -> Store {
    let path = connection.path
    endBackup()
    try keepLock()
    guard let lock else { throw StoreError(.open, sqlite: SQLITE_MISUSE, "opening \(path): the store is closed") }
    let store = try Store(
      lock, try Connection(path: path, busyTimeout: limits.openTimeout), bootID: bootReport.id, at: now,
      syncInterval: syncInterval, limits: limits)
    self.lock = nil
    store.remains = remains
    remains = []
    sync.stop()
    connection.closeLeavingLog()
    return store
  }

  /// Whoever removes the lock file opens the way for a second daemon.
  func keepLock() throws(StoreError) {
    if let lock, !lock.isInPlace { try lock.renew() }
  }
}

// MARK: - Reading

extension Store {
  /// Every session that has not ended, oldest first.
  public func liveSessions() throws(StoreError) -> [SessionRecord] {
    try sessions.live(on: axis)
  }

  /// The same without those that cannot be read.
  ///
  /// - Parameter leftOut: gets why, here and below: one row is no reason to read none.
  public func liveSessions(_ leftOut: (StoreError) -> Void) throws(StoreError) -> [SessionRecord] {
    try sessions.live(on: axis, leftOut)
  }

  /// Every strap that is known, by address.
  public func straps(_ leftOut: (StoreError) -> Void = { _ in }) throws(StoreError) -> [StrapRecord] {
    try strapTable.all(leftOut)
  }

  /// Every athlete of whom there is a profile, by name.
  public func athletes(_ leftOut: (StoreError) -> Void = { _ in }) throws(StoreError) -> [AthleteProfile] {
    try athleteTable.all(leftOut)
  }

  /// All events of a session, by sequence number.
  public func events(of session: SessionID) throws(StoreError) -> [EventRecord] {
    try eventTable.events(of: session, on: axis)
  }

  /// At most `limit` samples of a session behind a sequence number, in their order: for reading in steps.
  public func samples(
    of session: SessionID, after sequence: Int64, limit: Int
  ) throws(StoreError) -> [HeartRateSample] {
    try sampleTable.samples(of: session, after: sequence, limit: limit, on: axis)
  }

  /// A sequence number behind which all samples of a session lie that came at a tick or later, and perhaps some before.
  public func sequence(of session: SessionID, before tick: Tick) throws(StoreError) -> Int64 {
    try sampleTable.pieces.sequence(of: session, before: tick, on: axis)
  }

  /// A session, live or ended; nil where there is none of this id.
  /// One that is coming in is not there yet.
  public func session(_ id: SessionID) throws(StoreError) -> SessionRecord? {
    if try importTable.isOpen(id) { return nil }
    return try sessions.session(id, on: axis)
  }

  /// The samples of a session from a tick on, in their order.
  public func samples(of session: SessionID, since tick: Tick) throws(StoreError) -> [HeartRateSample] {
    try sampleTable.samples(of: session, since: tick, on: axis)
  }

  /// Of the newest sessions, those that have ended since a tick and whose series after the exercise has not.
  public func ended(
    since tick: Tick, _ leftOut: (StoreError) -> Void = { _ in }
  ) throws(StoreError) -> [SessionRecord] {
    try sessions.ended(since: tick, on: axis, leftOut)
  }

  /// What a client keeps with a session for itself.
  public func clientData(of session: SessionID) throws(StoreError) -> ClientData {
    try clientDataTable.data(of: session)
  }

  /// At most `limit` finished workouts without their laps and activities, the latest start first, of those that a filter
  /// means: those that come after a place in that order, from the first where it is nil.
  public func workouts(
    before place: ListPlace?, limit: Int, matching filter: WorkoutFilter = WorkoutFilter()
  ) throws(StoreError) -> [FinishedWorkout] {
    try workoutTable.newest(before: place, limit: limit, matching: filter, on: axis)
  }

  /// What finished workouts come to by the calendar, the latest period first: of at most so many workouts, and those of one
  /// date with the last of them. `next` is the date before which the others started, for `filter.until`; nil where there
  /// are none.
  ///
  /// - Throws: `StoreError`.
  public func totals(
    _ period: CalendarPeriod, matching filter: WorkoutFilter, limit: Int
  ) throws(StoreError) -> (totals: [WorkoutTotals], next: WallTime?) {
    try workoutTable.totals(period, matching: filter, limit: limit)
  }

  /// The boots that a session lived in, each with the newest pair of its clocks.
  public func anchors(of session: SessionID) throws(StoreError) -> [Anchor] {
    try boots.anchors(of: session)
  }
}
