/// The part of the description that is about finished workouts.
extension Interface {
  static let history = """
    # Finished workouts that are not in the trash, newest first, at most limit (1 to 1000, 100 if absent); page is the
    # nextPage of a call before with the same other parameters. Of an activity, an athlete, a strap; with a title of which
    # title is a part (A to Z in whatever case); that started at since or later, and before until.
    method ListWorkouts(
      page: ?string, limit: ?int, activity: ?string, athlete: ?string, strap: ?string, title: ?string, since: ?string,
      until: ?string
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

    # Every measurement of a session, live or finished, in the order in which they came, also those that count for nothing:
    # before its start, in a pause, and in the series after its end. Of a trimmed, split or merged workout those that were
    # received in what it is made of, and no others (GetPostExercise has the series behind its end). Behind the event after,
    # at most limit (1 to 1000, 100 if absent). next is the after of the next call, where there are more. With more, all of
    # them, or as many as limit says, in as many replies as it takes.
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
      by: CalendarPeriod, activity: ?string, athlete: ?string, strap: ?string, title: ?string, since: ?string,
      until: ?string
    ) -> (totals: []Totals)

    # One finished workout, in the trash or not, with what a client has kept with it. events: the first 1000 of what
    # ListEvents tells, gaps among them.
    method GetWorkout(id: string) -> (
      workout: Workout,
      laps: []WorkoutLap,
      activities: []WorkoutActivity,
      anchors: []Anchor,
      events: []WorkoutEvent,
      metadata: ?object,
      blob: ?string
    )

    # HealthKit's biological sexes.
    type BiologicalSex (female, male, other)

    # A person who wears straps. Workouts are the default one's where nobody is known to wear the strap; one of all is that.
    # zones, lowest first, are for this person's workouts where the strap's section of strapd.conf has none and no client
    # sets any.
    type Athlete (
      name: string,
      yearOfBirth: ?int,
      biologicalSex: ?BiologicalSex,
      massKilograms: ?float,
      restingHeartRate: ?int,
      maximumHeartRate: ?int,
      zones: ?[]Zone,
      default: bool
    )

    # Those of whom there is a profile, by name. A workout's athlete need not have one.
    method ListAthletes() -> (athletes: []Athlete)

    # Makes a person's profile, or puts another one in its place: what is left out is not known. The first one is the
    # default, until another one is made that. Answers with all of them.
    method SetAthlete(
      name: string, yearOfBirth: ?int, biologicalSex: ?BiologicalSex, massKilograms: ?float, restingHeartRate: ?int,
      maximumHeartRate: ?int, zones: ?[]Zone, default: ?bool
    ) -> (athletes: []Athlete)

    # Removes a person's profile; workouts and straps keep the name. Answers with those that are left.
    method ForgetAthlete(name: string) -> (athletes: []Athlete)

    # This of a profile is out of range.
    error InvalidProfile (parameter: string, allowed: string)

    # There is no profile of this name; these there are.
    error UnknownAthlete (athlete: string, known: []string)

    # Changes what is said of a finished workout: its activity, its location, its title, its notes (16 KiB at most), whose it
    # is. What is left out stays; an empty text takes a title, notes or an athlete away.
    method EditWorkout(
      id: string, activity: ?string, location: ?Location, title: ?string, notes: ?string, athlete: ?string
    ) -> (workout: Workout, second: ?Workout)

    # Moves the start or the end of a finished workout inwards, to a date or to so many seconds after its start; statistics,
    # laps and activities are computed again. Its samples stay in the store.
    method TrimWorkout(
      id: string, startDate: ?string, startSeconds: ?float, endDate: ?string, endSeconds: ?float
    ) -> (workout: Workout, second: ?Workout)

    # Makes one workout of two, which has the earlier one's start, the later one's end, and what is said of workout id, or
    # else of the other one; the time between them is a pause. The other one is no workout any more (WorkoutMerged).
    method MergeWorkouts(id: string, other: string) -> (workout: Workout, second: ?Workout)

    # Makes two workouts of one, at a date or so many seconds after its start: the first one keeps the id, second is new.
    method SplitWorkout(id: string, date: ?string, seconds: ?float) -> (workout: Workout, second: ?Workout)

    # What an edit is, by the method that made it.
    type EditKind (edit, trim, merge, split)

    # What was done to a workout by the four methods above; workouts: all that it changed, made or took away. before: the
    # workout as it was, absent where there was none; after: as it became, absent where it became part of another one, and
    # where the edit was undone. sealed: whether it stays for good, since what it had to do with is deleted.
    type Edit (
      edit: int,
      kind: EditKind,
      date: string,
      undoneDate: ?string,
      workouts: []string,
      before: ?Workout,
      after: ?Workout,
      sealed: ?bool
    )

    # The edits of a workout, oldest first, from a place on (0 if absent); at most limit (1 to 1000, 100 if absent), and
    # fewer where they are long. next is the place behind them, where there are more.
    method ListEdits(id: string, from: ?int, limit: ?int) -> (edits: []Edit, next: ?int)

    # Undoes the last edit of a workout that is not undone: the workouts are what they were before it.
    method UndoEdit(id: string) -> (kind: EditKind, editDate: string, workouts: []Workout)

    # The workout has become part of another one; ListEdits tells of it, and UndoEdit brings it back.
    error WorkoutMerged (id: string, into: string)

    # The workout is in the trash: Restore it first.
    error WorkoutInTrash (id: string)

    # The workout may still change by itself, or its parts may come to lie farther apart when the clock is right: it cannot
    # be edited so yet; text says why.
    error WorkoutNotFinal (id: string, text: string)

    # Why a workout cannot be changed so.
    type RevisionRefusal (outsideWorkout, endNotAfterStart, overlap, athletesDiffer, sameWorkout)

    # The workout cannot be changed so, and has not been. startDate and endDate are its own.
    error RevisionRefused (id: string, reason: RevisionRefusal, text: string, startDate: string, endDate: string)

    # The workout has not been edited, or all of its edits are undone.
    error NothingToUndo (id: string)

    # The last edit of this workout stays: a workout that was part of it is deleted for good, which an undo would bring
    # back.
    error EditSealed (id: string)

    # The last edit of this workout concerns another one as well, which has been edited since: undo that first.
    error UndoOtherFirst (id: string, other: string)

    """
}
