/// A page of a list of workouts; each is made text when it is added, so that no turn of the loop has all of them to do.
public struct WorkoutList: Hashable, Sendable {
  private var workouts: [JSON] = []
  /// The next page; nil where there is none.
  public var next: PageToken?

  public init(_ workouts: [WorkoutSnapshot] = [], next: PageToken? = nil) {
    self.next = next
    add(workouts)
  }

  public mutating func add(_ more: [WorkoutSnapshot]) {
    workouts += more.map { .encoded($0.json.bytes) }
  }

  public var count: Int { workouts.count }

  public var json: JSON {
    .object(["workouts": .array(workouts), "nextPage": next.map { .string($0.text) }])
  }
}
