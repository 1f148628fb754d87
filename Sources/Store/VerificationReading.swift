import Measurements
import Workout

/// What the daemon reads the rows of a store with.
struct Readers {
  fileprivate let axis: BootAxis
  fileprivate let boots: BootTable
  fileprivate let sessions: SessionTable
  fileprivate let events: EventTable
  fileprivate let workouts: WorkoutTable
  fileprivate let edits: WorkoutEditTable
  fileprivate let imports: ImportTable
  fileprivate let clientData: ClientDataTable
  fileprivate let straps: StrapTable
  fileprivate let athletes: AthleteTable

  init(_ connection: Connection) throws(StoreError) {
    boots = try BootTable(connection)
    sessions = try SessionTable(connection)
    events = try EventTable(connection)
    workouts = try WorkoutTable(connection)
    edits = try WorkoutEditTable(connection)
    imports = try ImportTable(connection, try Transactions(connection))
    clientData = try ClientDataTable(connection)
    straps = try StrapTable(connection)
    athletes = try AthleteTable(connection)
    let known = try boots.all()
    let now = known.last?.clocks ?? Moment(tick: Tick(nanoseconds: 0), wall: WallTime(nanoseconds: 0))
    axis = BootAxis(
      current: known.last?.number ?? 0, now: now, boots: known, newest: [], steps: try boots.steps())
  }
}

extension Readers {
  func session(_ id: SessionID) throws(StoreError) -> SessionRecord? { try sessions.session(id, on: axis) }

  /// nil where one of them cannot be read.
  func readableEvents(of id: SessionID) throws(StoreError) -> [EventRecord]? {
    try events.unreadable(of: id, on: axis).isEmpty ? events.events(of: id, on: axis) : nil
  }

  /// What cannot be read of the laps, activities and slices of workouts as they were before an edit.
  func unreadableBefore(_ connection: Connection) throws(StoreError) -> [StoreError] {
    var found: [StoreError] = []
    func name(_ table: String, _ key: String) -> (name: String, join: String) {
      let join = """
        FROM \(table) AS part JOIN workout_before AS whole ON whole.edit = part.edit AND whole.session = part.\(key)
        JOIN session ON session.number = whole.session WHERE existed = 1
        """
      return ("id || ' before edit ' || part.edit", join)
    }
    let parts = name("workout_part_before", "session")
    let columns = WorkoutPartTable.columns.map { "part.\($0)" }.joined(separator: ", ")
    let selectParts = try Statement(connection, "SELECT \(parts.name), boot, \(columns) \(parts.join)", for: .read)
    _ = try selectParts.rows([], "reading laps before edits") { (row: inout Row) in
      row.orLeftOut("a lap of workout", { found.append($0) }) { (row: inout Row) throws(StoreError) in
        row.skip(1)
        _ = try WorkoutPartTable.part(&row, on: axis)
      }
    }
    let slices = name("workout_slice_before", "workout")
    let moments = ["start", "end"].map { "part.\($0)_boot, part.\($0)_tick" }.joined(separator: ", ")
    let selectSlices = try Statement(connection, "SELECT \(slices.name), \(moments) \(slices.join)", for: .read)
    _ = try selectSlices.rows([], "reading slices before edits") { (row: inout Row) in
      row.orLeftOut("a stretch of workout", { found.append($0) }) { (row: inout Row) throws(StoreError) in
        row.skip(1)
        let start = try row.tick(on: axis)
        if try row.tick(on: axis) < start { throw row.unreadable("it ends before it begins") }
      }
    }
    return found
  }
}

// Each row is read as the daemon reads it, so that nothing is called sound which it could not tell.
extension Verification {
  mutating func checkPeople(_ readers: Readers) throws(StoreError) {
    var leftOut: [StoreError] = []
    _ = try readers.straps.all { leftOut.append($0) }
    _ = try readers.athletes.all { leftOut.append($0) }
    for error in leftOut { found(error.text) }
  }

  /// All that there is of a session and its workout.
  mutating func check(_ number: Int64, _ session: String, _ readers: Readers) throws(StoreError) {
    guard let id = SessionID(session) else { return found("session '\(session)': that is no id") }
    let axis = readers.axis
    var record: SessionRecord?
    var events: [EventRecord]?
    var read: FinishedWorkout??
    try noting("session \(id)") { this throws(StoreError) in
      record = try readers.sessions.session(id, on: axis)
    }
    try noting("events of session \(id)") { this throws(StoreError) in
      let unreadable = try readers.events.unreadable(of: id, on: axis)
      for error in unreadable { this.found("session \(id), \(error.text)") }
      if unreadable.isEmpty { events = try readers.events.events(of: id, on: axis) }
    }
    try noting("boots of session \(id)") { this throws(StoreError) in _ = try readers.boots.anchors(of: id) }
    try noting("client data of session \(id)") { this throws(StoreError) in _ = try readers.clientData.data(of: id) }
    try noting("import of session \(id)") { this throws(StoreError) in _ = try readers.imports.origin(of: id) }
    try noting("workout \(id)") { this throws(StoreError) in
      let found = try readers.workouts.workout(id, on: axis)
      read = .some(found)
      guard let workout = found else { return }
      for wrong in workout.contradictions { this.found("workout \(id): \(wrong)") }
      guard let count = workout.heartRate?.count, !workout.slices.isEmpty else { return }
      var there = 0
      for session in Set(workout.slices.map(\.session)) { there += try this.samples(of: session) }
      if count > there { this.found("workout \(id): it counts \(count) heart rates, and \(there) samples are there") }
    }
    try noting("edits of workout \(id)") { this throws(StoreError) in
      for edit in try readers.edits.edits(of: id, from: 0, limit: .max, octets: .max, on: axis) {
        for wrong in edit.before?.contradictions ?? [] {
          this.found("workout \(id) before edit \(edit.number): \(wrong)")
        }
      }
    }
    guard let record else { return }
    try noting("session \(id)") { this throws(StoreError) in
      try this.check(ReadSession(number: number, record: record, events: events, workout: read), readers)
    }
  }
}

extension Verification {
  /// How many samples there are of a session, by what its rows and pieces say.
  private func samples(of session: SessionID) throws(StoreError) -> Int {
    let counts = try rows(
      """
      WITH own AS (SELECT number FROM session WHERE id = ?)
      SELECT count(*) FROM own JOIN sample ON session = number
      UNION ALL SELECT coalesce(sum(count), 0) FROM own JOIN sample_piece ON session = number
      """, with: [.text(session.description)], "counting the samples of session \(session)"
    ) { (row: inout Row) in Int(row.integer()) }
    return counts.reduce(0, +)
  }
}

extension FinishedWorkout {
  /// What of it cannot be.
  fileprivate var contradictions: [String] {
    var found = summary.contradictions
    if end.tick < start.tick { found.append("it ends before it begins") }
    for lap in laps {
      let ownTime = lap.interval.end.tick < lap.interval.start.tick ? ["it ends before it begins"] : []
      found += (lap.summary.contradictions + ownTime).map { "lap \(lap.number): \($0)" }
    }
    for activity in activities {
      let isTurned = activity.end.map { $0.tick < activity.began.start.tick } ?? false
      let ownTime = isTurned ? ["it ends before it begins"] : []
      found += (activity.summary.contradictions + ownTime).map { "activity \(activity.number): \($0)" }
    }
    for (slice, next) in zip(slices, slices.dropFirst()) where next.start.tick < slice.end.tick {
      found.append("stretches of which it is made overlap")
    }
    return found
  }
}

extension IntervalSummary {
  fileprivate var contradictions: [String] {
    var found: [String] = []
    if elapsed < .zero || wall < .zero { found.append("it lasts less than no time") }
    if elapsed > wall { found.append("it lasts longer than from its start to its end") }
    if rrCount < 0 || energyKilojoules ?? 0 < 0 { found.append("it counts less than nothing") }
    guard let heartRate else { return found }
    // A stretch in which only a value of before holds counts none.
    if heartRate.count < 0 || heartRate.covered < .zero || heartRate.timeInZones.contains(where: { $0 < .zero }) {
      found.append("its heart rate was known for less than no time")
    }
    let range = (Double(heartRate.minimum) - 0.001, Double(heartRate.maximum) + 0.001)
    if !(heartRate.average >= range.0 && heartRate.average <= range.1) {
      found.append("its average heart rate is not between the lowest and the highest")
    }
    return found
  }
}
