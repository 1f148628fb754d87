import Control

/// Finished workouts for people.
enum WorkoutText {
  /// A table, in the order of the list.
  static func table(_ workouts: [JSON], _ style: TextStyle) -> [String] {
    if workouts.isEmpty { return ["no finished workouts"] }
    let hasTitles = workouts.contains { $0.text("title") != nil }
    var columns: [(String, Table.Alignment)] = [
      ("date", .left), ("activity", .left), ("elapsed", .right), ("average", .right), ("maximum", .right),
      ("id", .left),
    ]
    if hasTitles { columns.append(("title", .left)) }
    var table = Table(columns)
    for workout in workouts {
      let heartRate = workout["statistics"]?["heartRate"]
      var cells: [String] = [
        style.dateAndMinute(workout.text("startDate")) ?? "?", workout.text("activity") ?? "?",
        workout.hours("elapsedSeconds") ?? "?", heartRate?.real("average").map(tenths) ?? "-",
        heartRate?.integer("maximum").map(String.init) ?? "-", workout.text("id") ?? "?",
      ]
      if hasTitles { cells.append(workout.text("title") ?? "") }
      table.add(cells)
    }
    return table.lines
  }

  /// A workout with what else GetWorkout answers with, as one object.
  static func joined(_ reply: JSON) -> JSON {
    guard case .object(let members) = reply, case .object(let workout)? = reply["workout"] else { return reply }
    return .object(workout + members.filter { $0.name != "workout" })
  }

  /// Everything about one workout.
  static func whole(_ workout: JSON, _ style: TextStyle) -> [String] {
    var fields = Fields()
    fields.add("workout", workout.text("id"))
    fields.add("title", workout.text("title"))
    fields.add("activity", SessionText.activity(workout))
    fields.add("athlete", workout.text("athlete"))
    fields.add("strap", workout.text("strap"))
    fields.add("start", style.dateAndTime(workout.text("startDate")))
    fields.add("end", style.dateAndTime(workout.text("endDate")))
    fields.add("end reason", workout.text("endReason"))
    fields.add("elapsed", workout.hours("elapsedSeconds"))
    fields.add("from start to end", workout.hours("wallSeconds"))
    let statistics = workout["statistics"]
    if let heartRate = statistics?["heartRate"] {
      fields.add("average", heartRate.average("average"))
      fields.add("minimum", heartRate.integer("minimum").map { "\($0) bpm" })
      fields.add("maximum", heartRate.integer("maximum").map { "\($0) bpm" })
      fields.add("last", last(heartRate, style))
      fields.add("covered", heartRate.hours("coveredSeconds"))
      fields.add("samples", heartRate.integer("count").map(String.init))
    } else {
      fields.add("heart rate", "no sample counted")
    }
    fields.add("RR intervals", statistics?.integer("rrCount").map(String.init))
    fields.add("energy", statistics?.integer("energyKilojoules").map { "\($0) kJ" })
    fields.add("notes", workout.text("notes"))
    fields.add("in the trash", style.dateAndTime(workout.text("discardedDate")).map { "since \($0)" })
    return fields.lines + zones(workout) + laps(workout, style) + activities(workout, style)
  }

  private static func zones(_ workout: JSON) -> [String] {
    let seconds = workout["statistics"]?["heartRate"]?.list("secondsInZones") ?? []
    var table = Table([("zone", .right), ("from", .right), ("time", .right)])
    for (number, (zone, time)) in zip(1..., zip(workout.list("zones"), seconds)) {
      table.add([
        String(number), zone.integer("lower").map(String.init) ?? "-", JSON.object(["s": time]).hours("s") ?? "?",
      ])
    }
    return seconds.isEmpty ? [] : [""] + table.lines
  }

  private static func laps(_ workout: JSON, _ style: TextStyle) -> [String] {
    let laps = workout.list("laps")
    var table = Table([
      ("lap", .right), ("start", .left), ("elapsed", .right), ("average", .right), ("maximum", .right), ("", .left),
    ])
    for (number, lap) in zip(1..., laps) { table.add([String(number)] + part(lap, style)) }
    return laps.isEmpty ? [] : [""] + table.lines
  }

  private static func activities(_ workout: JSON, _ style: TextStyle) -> [String] {
    let activities = workout.list("activities")
    var table = Table([
      ("activity", .left), ("start", .left), ("elapsed", .right), ("average", .right), ("maximum", .right), ("", .left),
    ])
    for activity in activities { table.add([SessionText.activity(activity)] + part(activity, style)) }
    return activities.isEmpty ? [] : [""] + table.lines
  }

  private static func part(_ part: JSON, _ style: TextStyle) -> [String] {
    let heartRate = part["statistics"]?["heartRate"]
    return [
      style.time(part.text("startDate")) ?? "?", part.hours("elapsedSeconds") ?? "-",
      heartRate?.real("average").map(tenths) ?? "-", heartRate?.integer("maximum").map(String.init) ?? "-",
      part.text("label") ?? "",
    ]
  }

  private static func last(_ heartRate: JSON, _ style: TextStyle) -> String? {
    guard let value = heartRate.integer("mostRecent") else { return nil }
    return "\(value) bpm" + (style.time(heartRate.text("mostRecentDate")).map { " at \($0)" } ?? "")
  }
}
