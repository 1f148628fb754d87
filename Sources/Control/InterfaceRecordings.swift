/// The part of the description that is about workouts that leave the store whole, and come in.
extension Interface {
  static let recordings = """
    # What measured, as far as it is known; texts have 256 octets at most.
    type RecordedDevice (
      address: ?string,
      name: ?string,
      manufacturer: ?string,
      model: ?string,
      serial: ?string,
      hardwareRevision: ?string,
      firmwareRevision: ?string,
      softwareRevision: ?string,
      batteryPercent: ?int
    )

    # What happened to a session.
    type RecordedEventKind (
      transition, availability, linkLost, gap, recovered, clockStep, gapFixed, lap, segment, marker, activityBegan,
      activityEnded, types, alert, goal, pauseOrResumeRequest, failed, host, postExerciseEnded
    )

    # What came between two lives of strapd.
    type Interruption (restart, reboot, provisionalReboot)

    # Something that happened at date. event is its place in the one order of events and samples of its recording, and no
    # number of the store. A transition has from, to, cause, atDate and, to ended, endReason; availability that; gap
    # sinceDate; recovered lastAliveDate and interruption; clockStep stepNanoseconds; gapFixed previousGapNanoseconds,
    # gapNanoseconds and provisional; lap and segment startDate and endDate; marker atDate; activityBegan activity, location
    # and startDate; activityEnded endDate; types that; alert and goal that, an alert also active; failed endReason; host
    # working. A date that a client gave stands as well as it gave it (requestedAtDate, requestedStartDate and so on): it
    # may lie up to a second behind the date.
    type RecordedEvent (
      event: int,
      kind: RecordedEventKind,
      date: string,
      from: ?State,
      to: ?State,
      cause: ?Cause,
      endReason: ?EndReason,
      availability: ?Availability,
      interruption: ?Interruption,
      atDate: ?string,
      requestedAtDate: ?string,
      startDate: ?string,
      requestedStartDate: ?string,
      endDate: ?string,
      requestedEndDate: ?string,
      sinceDate: ?string,
      requestedSinceDate: ?string,
      lastAliveDate: ?string,
      requestedLastAliveDate: ?string,
      stepNanoseconds: ?int,
      previousGapNanoseconds: ?int,
      gapNanoseconds: ?int,
      provisional: ?bool,
      label: ?string,
      activity: ?string,
      location: ?Location,
      types: ?[]DataType,
      alert: ?Alert,
      active: ?bool,
      goal: ?Goal,
      working: ?bool
    )

    # A finished workout with all that was recorded of it, in the trash or not, with more. The first reply has what is said of
    # it and no events or samples; those follow, each ascending by event, which numbers both from 1 on. Samples before its
    # start and behind its end are those that were kept; of one that was trimmed, split or merged there are those that are its
    # own, between two stretches is a pause, and its laps begin and end within it. Where its session was made by an import,
    # device and anchors are those that came with it.
    method GetRecording(id: string) -> (
      workout: ?Workout,
      device: ?RecordedDevice,
      anchors: ?[]Anchor,
      metadata: ?object,
      blob: ?string,
      events: []RecordedEvent,
      samples: []Sample
    )

    # Begins to bring in a finished workout that was recorded elsewhere; it is seen by nobody before CommitImport, and nothing is
    # left of it where the client goes before that. One is brought in at a time. id is a UUID by which it is known again: its
    # own, or one made of the file's octets. It is the workout's, unless something of another one is left under it; the answer
    # has the one that it gets. format is the kind of file, 16 octets at most. A workout takes 31 days at most. Without an
    # athlete it is the default one's, and an empty one makes it nobody's; without zones it has those of its athlete, and with
    # an empty list none. device and anchors are kept as they are. Where the workout of this id came in by a file of one of the
    # formats that replaces names, and no edit of it stands, this one takes its place when it is committed, and not before that:
    # with its title, notes and metadata where this one says nothing of them (empty: it has none). The
    # answer then says by which format.
    method BeginImport(
      id: string, format: string, startDate: string, endDate: string, activity: ?string, location: ?Location,
      strap: ?string, endReason: ?EndReason, athlete: ?string, title: ?string, notes: ?string, zones: ?[]Zone,
      device: ?RecordedDevice, anchors: ?[]Anchor, metadata: ?object, blob: ?string, replaces: ?[]string
    ) -> (id: string, replaces: ?string)

    # Up to 200 events and 200 samples, each ascending by event, which goes on where the call before ended. The transitions
    # are those of a session (prepared to running, running to paused, and so on, to stopped and to ended at the end). Of a
    # sample date and payload are needed; rrTicks, warnings, repeat, lastBeatDate and beatUncertaintySeconds count, and the rest
    # repeats them. Dates lie within a day of the workout. count: how many have come in all.
    method AppendImport(events: ?[]RecordedEvent, samples: ?[]Sample) -> (count: int)

    # Counts what has come in as live samples are counted, and saves the workout; answers when it is written.
    method CommitImport() -> (workout: Workout)

    # Leaves nothing of what has come in.
    method AbortImport() -> (count: int)

    # There is a workout of this id: it may be in the trash, or be part of another one. format is the kind of file that it came
    # in by, and edited whether an edit of it stands; both are missing where it was recorded here.
    error WorkoutExists (id: string, inTrash: bool, into: ?string, format: ?string, edited: ?bool)

    # Another workout is being brought in, and one is at a time.
    error ImportBusy ()

    # Nothing is being brought in for this client.
    error NoImport ()

    # What has come in is no recording of a workout; text says why. Nothing of it is kept.
    error ImportRefused (text: string)

    """
}
