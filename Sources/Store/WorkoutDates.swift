import Measurements
import Workout

/// The dates of finished workouts, of their sessions and of what they were before an edit: by which clock they are, and how
/// they move when that is set.
///
/// What an edit makes is dated by the clocks by which the recordings were dated that it is made of, whatever the clock of
/// the day: each slice by that of its session, and the workout, with its laps and activities, by that of its first slice.
struct WorkoutDates {
  private let restamp: [Statement]
  private let synchronise: [Statement]
  private let inherit: [Statement]

  /// The boot by whose clock, not known to be right, a workout is dated; NULL where the dates are right.
  private static let unsure = "iif(is_clock_sure, NULL, coalesce(unsure_boot, boot))"

  init(_ connection: Connection) throws(StoreError) {
    func statement(_ sql: String) throws(StoreError) -> Statement { try Statement(connection, sql) }
    restamp = try Self.restampings.map(statement)
    synchronise = try ["", "_before"].flatMap { ending in
      [
        "UPDATE workout\(ending) SET is_clock_sure = 1, unsure_boot = NULL WHERE \(Self.unsure) = ?",
        "UPDATE workout_slice\(ending) SET unsure_boot = NULL WHERE unsure_boot = ?",
      ]
    }.map(statement)
    let own = "(SELECT number FROM session WHERE id = ?1)"
    let isSliced = "EXISTS (SELECT 1 FROM workout_slice WHERE workout = \(own))"
    let before = "FROM workout_before AS old WHERE edit = ?2 AND old.session = workout.session AND existed = 1"
    inherit = try [
      """
      UPDATE workout_slice SET unsure_boot = (
        SELECT max(clock) FROM (
          SELECT session, unsure_boot AS clock FROM workout_slice_before WHERE edit = ?2
          UNION ALL SELECT session, \(Self.unsure) FROM workout_before AS whole
          WHERE edit = ?2 AND existed = 1 AND NOT EXISTS (
            SELECT 1 FROM workout_slice_before AS part WHERE part.edit = ?2 AND part.workout = whole.session)
        ) AS known WHERE known.session = workout_slice.session)
      WHERE workout = \(own)
      """,
      """
      UPDATE workout SET (is_clock_sure, unsure_boot) = (
        SELECT unsure_boot IS NULL, unsure_boot FROM workout_slice WHERE workout = \(own) ORDER BY place LIMIT 1)
      WHERE session = \(own) AND \(isSliced) AND ?2 IS NOT NULL
      """,
      """
      UPDATE workout SET (is_clock_sure, unsure_boot) = (SELECT is_clock_sure, \(Self.unsure) \(before))
      WHERE session = \(own) AND NOT \(isSliced) AND EXISTS (SELECT 1 \(before))
      """,
    ].map(statement)
  }

  /// Moves the dates by ?1 that are by the clock of boot ?2: of sessions, of workouts with their laps, activities and slices,
  /// and of workouts as they were before an edit, which an undo brings back.
  private static var restampings: [String] {
    let own = "\(unsure) = ?2"
    func moved(_ moments: [String], _ condition: String = "") -> String {
      moments.map { "\($0)_date = \($0)_date + iif(\(condition)\($0)_tick > 0, ?1, 0)" }.joined(separator: ", ")
    }
    let ends = ["start", "end"]
    let placed = ends.map { "\($0)_date = \($0)_date + iif(\($0)_boot = ?2 AND \($0)_tick > 0, ?1, 0)" }
      .joined(separator: ", ")
    var all = [
      """
      UPDATE session SET created_date = created_date + iif(created_boot = ?2, ?1, 0), \(placed)
      WHERE state = 'ended' AND number IN (
        SELECT session FROM workout WHERE \(own) UNION SELECT session FROM workout_before WHERE \(own))
      """
    ]
    for ending in ["", "_before"] {
      let edit = ending.isEmpty ? "" : "edit, "
      let sameEdit = ending.isEmpty ? "" : "slice.edit = whole.edit AND "
      // Those of one that was edited are dated along its start.
      let which = """
        IN (SELECT \(edit)session FROM workout\(ending) AS whole WHERE \(own) AND (start_tick > 0 OR NOT EXISTS (
          SELECT 1 FROM workout_slice\(ending) AS slice WHERE \(sameEdit)slice.workout = whole.session)))
        """
      all += [
        "UPDATE workout_part\(ending) SET \(moved(ends)) WHERE (\(edit)session) \(which)",
        "UPDATE workout_slice\(ending) SET \(placed) WHERE unsure_boot = ?2",
        "UPDATE workout\(ending) SET \(moved(["start"])), \(moved(["end"], "start_tick > 0 AND ")) WHERE \(own)",
      ]
    }
    return all
  }

  /// A workout has just been written, with its slices, by an edit that has kept what it was made of. To be run within a
  /// transaction.
  func inherit(_ id: SessionID, from edit: Int64) throws(StoreError) {
    for statement in inherit {
      try statement.run([.text(id.description), .integer(edit)], "writing by which clock workout \(id) is dated")
    }
  }

  /// The wall clock of a boot, which was not known to be right, was set: the dates that were written by it move with it. To
  /// be run within a transaction.
  func clockStepped(by step: Duration, boot: Int64) throws(StoreError) {
    for statement in restamp {
      try statement.run([.integer(step.wholeNanoseconds), .integer(boot)], "dating workouts anew")
    }
  }

  /// The wall clock of a boot is known to be right from now on.
  func clockSynchronised(boot: Int64) throws(StoreError) {
    for statement in synchronise { try statement.run([.integer(boot)], "taking workouts for rightly dated") }
  }
}
