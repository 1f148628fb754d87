/// The part of the description that is about finished workouts.
extension Interface {
  static let history = """
    # Finished workouts that are not in the trash, newest first, at most limit (1 to 1000, 100 if absent); page is the
    # nextPage of a call before with the same other parameters. Of an activity, an athlete, a strap; that started at since
    # or later, and before until.
    method ListWorkouts(
      page: ?string, limit: ?int, activity: ?string, athlete: ?string, strap: ?string, since: ?string, until: ?string
    ) -> (workouts: []Workout, nextPage: ?string)

    # A part of the calendar; a week begins on Monday.
    type CalendarPeriod (week, month, year)

    # What the workouts that started in one period of the calendar come to. firstDay is its first day: 2026-11-30. The
    # average is by the time for which a heart rate was known, coveredSeconds.
    type Totals (
      firstDay: string,
      workouts: int,
      elapsedSeconds: float,
      coveredSeconds: float,
      averageHeartRate: ?float,
      maximumHeartRate: ?int,
      rrCount: int,
      energyKilojoules: ?int
    )

    # A measurement as its event was (heartRate in Watch), received at date, so many seconds after the session's start;
    # payload: its octets as they came, in hexadecimal.
    type Sample (
      event: int,
      date: string,
      seconds: float,
      heartRate: int,
      contact: Contact,
      rrIntervals: []float,
      rrTicks: []int,
      energyKilojoules: ?int,
      warnings: ?[]string,
      repeat: ?bool,
      lastBeatDate: ?string,
      beatUncertaintySeconds: ?float,
      payload: string
    )

    # One kind of value that measurements have: beats a minute, of those with a heart rate while the skin is touched;
    # milliseconds, one for each interval; kilojoules since the strap's counter was reset; 1 with skin contact, 0 without.
    type SampleSeries (heartRate, rrIntervals, energyKilojoules, contact)

    # A value of a series, received at date with its event, so many seconds after the session's start.
    type SeriesValue (event: int, date: string, seconds: float, value: float)

    # The values of a series that were received from date on, for bucketSeconds: how many, the lowest, their mean (each
    # counts the same, however long it stood), the highest.
    type SeriesBucket (date: string, seconds: float, count: int, minimum: float, mean: float, maximum: float)

    # Every measurement of a session, live or finished, in the order in which they came, also those that count for nothing
    # and the series after the end: behind the event after, at most limit (1 to 1000, 100 if absent). next is the after of
    # the next call, where there are more. With more, all of them, or as many as limit says, in as many replies as it takes.
    # from, to: of those received in the workout from the one date on and before the other; its start and its end, or now,
    # where they are absent. A date may lie up to a second outside of the workout, and is taken for its start or end then.
    # series: the values of one series in place of measurements (samples is empty then), in the same range; limit still
    # counts measurements. bucketSeconds (0.001 to 604800), or buckets, 10000 at most: the same (heartRate where series is
    # absent) in stretches of so many seconds, or in so many of equal length; those without a value are left out. More than
    # 1000 need more; after and limit do not go with them.
    method GetSamples(
      id: string, after: ?int, limit: ?int, series: ?SampleSeries, from: ?string, to: ?string, bucketSeconds: ?float,
      buckets: ?int
    ) -> (samples: []Sample, values: ?[]SeriesValue, buckets: ?[]SeriesBucket, bucketSeconds: ?float, next: ?int)

    # The workouts that ListWorkouts would list, summed up by week (from Monday), month or year in the local time of the
    # daemon's machine, the latest period first; periods without a workout are left out.
    method GetTotals(
      by: CalendarPeriod, activity: ?string, athlete: ?string, strap: ?string, since: ?string, until: ?string
    ) -> (totals: []Totals)

    # One finished workout, in the trash or not, with what a client has kept with it.
    method GetWorkout(id: string) -> (
      workout: Workout,
      laps: []WorkoutLap,
      activities: []WorkoutActivity,
      anchors: []Anchor,
      metadata: ?object,
      blob: ?string
    )

    """
}
