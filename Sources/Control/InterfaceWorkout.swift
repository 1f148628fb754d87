/// The part of the description that is about workouts while they are made.
extension Interface {
  static let workout = """
    # How far collecting has come: it begins with the start, samples come to an end, the workout is saved.
    type Collection (open, ended, finished)

    # A kind of data, by HealthKit's names. What is collected is listed whether or not a sensor gives it.
    type DataType (
      heartRate, activeEnergyBurned, stepCount, runningSpeed, distanceWalkingRunning, cyclingCadence, cyclingSpeed,
      distanceCycling
    )

    # A heart-rate zone in beats a minute: from lower, which is in it, up to upper, which is not. The first of a list is
    # open below, the last above.
    type Zone (lower: ?int, upper: ?int)

    # A lap, by the number of its event, or without that number the stretch since the last lap. A heart rate that holds
    # from before it began has a part in its average, and is not counted again. What is computed from the store first, for
    # a lap in the past, is absent until then.
    type WorkoutLap (
      event: ?int,
      startDate: string,
      endDate: ?string,
      label: ?string,
      elapsedSeconds: ?float,
      wallSeconds: ?float,
      statistics: ?Statistics
    )

    # An activity within a workout, by the number of the event that began it; its statistics are as a lap's. Without
    # endDate it is under way.
    type WorkoutActivity (
      event: int,
      activity: string,
      location: Location,
      startDate: string,
      endDate: ?string,
      label: ?string,
      elapsedSeconds: ?float,
      wallSeconds: ?float,
      statistics: ?Statistics
    )

    # What a goal is about.
    type GoalKind (duration, energy)

    # So many seconds of running time, or so many kilojoules by the strap's own counter.
    type Goal (kind: GoalKind, seconds: ?float, kilojoules: ?int)

    # What an alert watches.
    type AlertKind (above, below, outsideZone, every)

    # above and below heartRate, outside zone: so, or so no more, for debounceSeconds (0 if absent); every intervalSeconds
    # of running time. Never before initialDelaySeconds (0 if absent) of running time.
    type Alert (
      kind: AlertKind,
      heartRate: ?int,
      zone: ?int,
      intervalSeconds: ?float,
      debounceSeconds: ?float,
      initialDelaySeconds: ?float
    )

    # HealthKit's names, and from gap on ours.
    type WorkoutEventKind (
      pause, resume, lap, marker, segment, motionPaused, motionResumed, pauseOrResumeRequest, gap, clockStep, recovered,
      sensorSwitched
    )

    # Something that happened within a workout; only laps and segments have an endDate. event is its number. A clockStep
    # has stepSeconds, a recovered gapSeconds, for which strapd was away, and provisional as in Session.
    type WorkoutEvent (
      kind: WorkoutEventKind,
      event: int,
      startDate: string,
      endDate: ?string,
      label: ?string,
      stepSeconds: ?float,
      gapSeconds: ?float,
      provisional: ?bool
    )

    # What leads from a boot's clock to dates: so many seconds after that boot it was that date, by a clock that was known
    # to be right or not. boot is the kernel's name for it. Newest pair of the boot.
    type Anchor (boot: string, bootSeconds: float, date: string, synchronised: bool)

    # Stops a countdown, or the wait for the first heart rate; the session stays prepared.
    method CancelCountdown(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Start has begun collection at its date, so this changes nothing.
    method BeginCollection(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # After Stop: no sample is added any more, laps, markers and metadata still are. After End it gives the saved workout.
    method EndCollection(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session, workout: ?Workout
    )

    # After EndCollection: saves the workout, and answers when it is on the disk; the session stays stopped until End.
    method Finish(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session, workout: ?Workout
    )

    # Ends the session; its workout goes to the trash, which keeps it for 30 days.
    method Discard(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # A lap: since the last one (or since the start) until now, or with dates of its own. Laps do not overlap. In a
    # stopped session it is until the end. label is up to 256 octets of the client's own, here and below.
    method Lap(session: ?string, ifState: ?[]State, startDate: ?string, endDate: ?string, label: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # A segment, until now or a date. Segments may overlap.
    method Segment(session: ?string, ifState: ?[]State, startDate: string, endDate: ?string, label: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Marks now, or a date since the start.
    method Marker(session: ?string, ifState: ?[]State, date: ?string, label: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Begins an activity within the workout, now or at a date; one that is under way ends there. Without a location it is
    # where the workout is.
    method BeginActivity(
      session: ?string, ifState: ?[]State, activity: string, location: ?Location, date: ?string, label: ?string
    ) -> (session: string, state: State, sequence: int, snapshot: Session)

    # Ends the activity that is under way, now or at a date.
    method EndActivity(session: ?string, ifState: ?[]State, date: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Tells all watchers that somebody wants to pause or resume; nothing else happens.
    method RequestPauseOrResume(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Keeps an object's members with the session, in place of those of the same name (null takes one away), and a text in
    # place of the one before (an empty one takes that away). Each may have 65536 octets, as compact JSON and as UTF-8.
    # strapd reads nothing of it; of a number that is no integer 15 digits are kept, integers have 64 bits, and no text may
    # hold U+0000.
    method SetMetadata(session: ?string, ifState: ?[]State, metadata: ?object, blob: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Before the start: the zones that time is told by, lowest first; without zones there are none.
    method SetZones(session: ?string, ifState: ?[]State, zones: ?[]Zone) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # What the session is to come to, in place of what was set before; each is told once, by an event.
    method SetGoals(session: ?string, ifState: ?[]State, goals: []Goal) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # What is to be told of while the session runs, in place of what was set before.
    method SetAlerts(session: ?string, ifState: ?[]State, alerts: []Alert) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Collects a type, too; from then on a change of activity changes nothing about what is collected.
    method EnableType(session: ?string, ifState: ?[]State, type: string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Collects a type no more; the same holds.
    method DisableType(session: ?string, ifState: ?[]State, type: string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # A live session with its laps and activities, and what a client keeps with it.
    method GetSession(session: string) -> (
      session: string,
      state: State,
      sequence: int,
      snapshot: Session,
      laps: []WorkoutLap,
      activities: []WorkoutActivity,
      anchors: []Anchor,
      metadata: ?object,
      blob: ?string
    )

    # The events of a workout, finished or not, ascending; at most limit (1 to 1000, 100 if absent) from a place on (0 if
    # absent). next is the place behind them, where there are more.
    method ListEvents(id: string, from: ?int, limit: ?int) -> (events: []WorkoutEvent, next: ?int)

    # A measurement after the end of a workout, so many seconds after it.
    type PostExerciseSample (event: int, seconds: float, heartRate: int, contact: Contact, rrTicks: []int)

    # The heart rate of the two minutes after a workout's end, apart from its statistics; complete when no more will come.
    # It is that behind the end of what was recorded: a workout that ends with a session has the series of that one, as long
    # as it goes on; one whose end was cut off has none of its own, and complete is true.
    method GetPostExercise(id: string) -> (samples: []PostExerciseSample, complete: bool)

    # The workouts in the trash, as ListWorkouts.
    method ListTrash(page: ?string, limit: ?int) -> (workouts: []Workout, nextPage: ?string)

    # Takes a workout out of the trash, where its age does not send it any more.
    method Restore(id: string) -> (workout: Workout)

    """

  static let workoutErrors = """
    # The session's state is none of those that the call expected.
    error StateChanged (session: string, state: State, expected: []State)

    # The date is not of the workout; without endDate it goes on.
    error OutsideWorkout (session: string, date: string, startDate: string, endDate: ?string)

    # What has a length must end after it begins.
    error EndNotAfterStart (session: string, endDate: string, startDate: string)

    # The lap would overlap another one.
    error LapsOverlap (
      session: string, startDate: string, endDate: string, otherStartDate: string, otherEndDate: string
    )

    # The activity would begin before the one before it has ended.
    error ActivitiesOverlap (session: string, date: string, endDate: string)

    # The workout has as many laps or activities as it may have.
    error TooMany (session: string, call: Call, most: int)

    # strapd knows no such type; these it knows.
    error UnknownType (type: string, allowed: []string)

    # The zones have a hole, overlap, or are too few or too many.
    error InvalidZones (text: string, allowed: string)

    # The goal at this place of the list, counted from 0, is none, or one too many.
    error InvalidGoal (index: int, allowed: string)

    # The alert at this place of the list, counted from 0, is none; or it is of a zone that the session does not have, or
    # would have no more.
    error InvalidAlert (index: int, text: string)

    # More than may be kept with a session.
    error TooLarge (session: string, parameter: string, octets: int, most: int)

    """
}
