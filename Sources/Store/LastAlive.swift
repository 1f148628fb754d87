import Measurements
import Workout

/// The row of a table with the highest sequence number.
struct NewestRow {
  var sequence: Int64
  var at: BootTick
  /// nil where the table has none.
  var date: WallTime?
}

/// When the daemon was last seen alive before this life: every event and sample is a sign, and so is what it says
/// once a minute.
enum LastAlive {
  static func find(boots: [Boot], rows: [NewestRow], on axis: BootAxis) -> (at: DatedTick, boot: Int64)? {
    var signs: [(at: DatedTick, boot: Int64)] = []
    for boot in boots {
      if let alive = boot.alive, let tick = axis.tick(alive.tick, of: boot.number) {
        signs.append((DatedTick(tick: tick, date: alive.wall), boot.number))
      }
      for row in rows where row.at.boot == boot.number {
        if let tick = axis.tick(row.at.tick, of: boot.number) {
          signs.append((DatedTick(tick: tick, date: row.date ?? boot.clocks.wall(at: row.at.tick)), boot.number))
        }
      }
    }
    return signs.max { $0.at.tick < $1.at.tick }
  }
}
