import Workout

extension WorkoutTotals {
  public var json: JSON {
    .object([
      "firstDay": .string(firstDay), "workouts": .integer(Int64(workouts)), "elapsedSeconds": .real(elapsed.inSeconds),
      "coveredSeconds": .real(covered.inSeconds), "averageHeartRate": average.map(JSON.real),
      "maximumHeartRate": maximum.map { .integer(Int64($0)) }, "rrCount": .integer(Int64(rrCount)),
      "energyKilojoules": energyKilojoules.map { .integer(Int64($0)) },
    ])
  }
}
