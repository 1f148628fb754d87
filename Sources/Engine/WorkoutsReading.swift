import Control
import Measurements
import Workout

/// A call of ListWorkouts or ListTrash that is being answered: the store is read in steps, a turn of the loop each.
struct WorkoutsReading: Sendable {
  private let limit: Int
  private let filter: WorkoutFilter
  private var list = WorkoutList()
  private var last: ListPlace?
  private(set) var isOver = false

  /// Workouts of a step. Measured on a server's core: a page of 100 in one step keeps the loop for 4 ms.
  static let step = 16

  init(before place: ListPlace?, limit: Int, _ filter: WorkoutFilter) {
    self.limit = limit
    self.filter = filter
    last = place
  }

  /// What is to be asked of the store next.
  var question: Question { .workouts(before: last, limit: wanted, filter) }

  private var wanted: Int { min(Self.step, limit - list.count) }

  /// Takes what the store has answered.
  ///
  /// - Returns: the whole page, where it is.
  mutating func take(_ workouts: [FinishedWorkout]) -> WorkoutList? {
    let isLast = workouts.count < wanted
    list.add(workouts.map(WorkoutSnapshot.init))
    last = workouts.last.map(ListPlace.init) ?? last
    isOver = isLast || list.count == limit
    guard isOver else { return nil }
    list.next = isLast ? nil : last.map { PageToken($0, filter: filter.digest) }
    return list
  }
}

// The calls that are on their way.
extension Engine {
  mutating func begin(_ reading: WorkoutsReading, for client: ClientID) {
    workoutsReadings[client] = reading
    effects.append(.read(client, reading.question))
  }

  /// A step has been read.
  mutating func take(_ workouts: [FinishedWorkout], for client: ClientID, _ now: Moment) {
    guard var reading = workoutsReadings[client] else { return }
    let page = reading.take(workouts)
    workoutsReadings[client] = page == nil ? reading : nil
    if let page { return reply(client, .workouts(page), now) }
    effects.append(.read(client, reading.question))
  }
}
