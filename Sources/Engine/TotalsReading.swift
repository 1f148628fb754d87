import Control
import Measurements
import Workout

/// A call of GetTotals that is being answered: the store is read in steps, a turn of the loop each.
struct TotalsReading: Sendable {
  private let period: CalendarPeriod
  private var filter: WorkoutFilter
  private var totals: [WorkoutTotals] = []

  /// Workouts of a step. Measured on a server's core: 10,000 in one step keep the loop for 20 ms.
  static let step = 512

  init(_ period: CalendarPeriod, _ filter: WorkoutFilter) {
    self.period = period
    self.filter = filter
  }

  /// What is to be asked of the store next.
  var question: Question { .totals(period, filter, limit: Self.step) }

  /// Takes what the store has answered.
  ///
  /// - Returns: all of the totals, where these were the last.
  mutating func take(_ more: [WorkoutTotals], before next: WallTime?) -> [WorkoutTotals]? {
    var rest = more[...]
    if let last = totals.last, let first = rest.first, first.firstDay == last.firstDay {
      totals[totals.count - 1].add(rest.removeFirst())
    }
    totals += rest
    guard let next else { return totals }
    filter.until = next
    return nil
  }
}

// The calls that are on their way.
extension Engine {
  mutating func begin(_ reading: TotalsReading, for client: ClientID) {
    totalsReadings[client] = reading
    effects.append(.read(client, reading.question))
  }

  /// A step has been read.
  mutating func take(_ totals: [WorkoutTotals], before next: WallTime?, for client: ClientID, _ now: Moment) {
    guard var reading = totalsReadings[client] else { return }
    let all = reading.take(totals, before: next)
    totalsReadings[client] = all == nil ? reading : nil
    if let all { return reply(client, .totals(all), now) }
    effects.append(.read(client, reading.question))
  }
}
