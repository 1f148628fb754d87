extension Interface {
  /// Everything as it happens.
  static let watch = """
    # How often measurements are told: every one; the newest of each strap and session, once a second or once in five
    # seconds at most; or those whose heart rate, contact, availability or counted differs from what was told last.
    type WatchRate (every, second, fiveSeconds, change)

    # The kinds of events that Watch tells.
    type EventKind (
      transition, heartRate, availability, gap, link, battery, countdown, recovered, clockStep, gapFixed, lap, segment,
      marker, activityBegan, activityEnded, pauseOrResumeRequest, types, zone, alert, goal, session, failed, host,
      unattended, postExerciseEnded, discarded, restored
    )

    # First a snapshot (kind "snapshot"), then every event, with more. Each kind has the fields that concern it:
    # transition (from, to, cause, requestedDate, endReason), heartRate (heartRate in beats a minute, contact,
    # rrIntervals in ms, rrTicks in 1/1024 s, energyKilojoules, warnings, repeat, availability, counted: whether it is among
    # the session's statistics,
    # postExercise: the session to whose series after the workout it belongs,
    # lastBeatDate and beatUncertaintySeconds: when the last interval's beat was, and by how much it may have been later),
    # availability, gap (sinceDate: no measurement for three periods, three seconds at least), link (link, trouble,
    # batteryPercent, batteryUnreliable), countdown (remainingSeconds, or cancelled: the countdown, or the wait for the
    # first heart rate), recovered (lastAliveDate, gapSeconds, rebooted, provisional), clockStep (stepSeconds: the wall
    # clock was set by so much; durations stay, dates move), gapFixed (gapSeconds, previousGapSeconds, provisional: the
    # gap across a reboot, now that the clock is right), lap (lap), segment (startDate, endDate, label), marker (startDate,
    # label), activityBegan and activityEnded (activity), pauseOrResumeRequest, types (typesToCollect from here on), zone
    # (zone, previousZone: the heart rate has come into another zone), alert (alert, and active: whether it went on or
    # off), goal (goal: reached), failed (endReason: the session is being stopped by an error, and the transitions follow),
    # host (working: whether this machine can receive from the running session's strap, by its adapter, bluetoothd and
    # the scan; while it cannot, the absence limit does not run; advice says what to do), unattended (unattended, startDate,
    # athlete, and endDate: a workout has begun by itself, whose measurements so far were told without a session; or would
    # have, by a dry run), postExerciseEnded (nothing more comes for the series after the workout), session (snapshot: something else about the session has changed), discarded and restored
    # (the workout went to the trash, or came back),
    # battery (batteryPercent has come down to thresholdPercent: 20, 10 or 5; batteryUnreliable; a fall through several is
    # one event of the lowest, and the same is told again only after the level was 5 points above it). Of the warnings,
    # shortInterval says that an interval which is no beat's was left out, and unsteady that the heart rate jumps as no
    # heart does; both come only from kinds of straps that are known for it.
    # held: the store could not write the event yet, and it will be written when it can; behind hold_limit, what straps
    # send is not kept any more and has no held. redacted: as with GetStatus.
    # straps: the links of these straps are held until the client leaves, so that live values come without
    # a session, and nothing is saved; anyStrap, instead: that of the configured strap, else of the only one that
    # streams, else of the one with the strongest signal. A message of kind "monitoring" tells this client alone which
    # strap it is (none while one is being looked for), with link, trouble, batteryPercent, batteryUnreliable and, once
    # it is chosen, the adapter: not the one that was asked for, where somebody uses the strap by another one already. It
    # is no event, and has the number of the last one.
    # sessions, ofStraps, kinds: only events of these sessions, of these straps (whose links are not held by that), and of
    # these kinds; all of them where nothing is said, and none of the lists may be empty. Of several of them each has to
    # hold. A measurement of the series after a workout is of that workout's session as well. What is of no session and
    # no strap (such as host and clockStep, while there is no session) concerns everybody; what is of a session that has
    # no strap yet is of no strap. An id that no session has is no error: nothing is of it. The snapshot tells of these
    # sessions and straps alone. What is for this client alone (snapshot, monitoring, lagged) comes always, and is no kind.
    # since: a sequence number, not beyond the last one. The events behind it that are still in memory (the last 2048, of
    # at most a mebibyte) come after the snapshot, each as it was told then, and those from then on: each once, in order.
    # The snapshot says by replaysAfter where they begin, and by missed whether events between since and there are not
    # known any more; so it is with all that happened before strapd has started. The snapshot is of now, not of then.
    # rate: how often measurements (heartRate) are told. coalesced says how many one stands for: itself, as the newest, and
    # those of its strap and session that were left out before it. Their intervals are left out as well: who wants every
    # one takes every measurement. What still waits is told before the next event of any other kind that the client is
    # told, and before each transition that it would be told but for its kinds; with change nothing waits, as what was
    # told last still holds. Nothing but heartRate is ever left out.
    # lagged: of a client that does not read, 256 KiB are kept; what comes then is told when it has read them, but for
    # the measurements, of which it is told count, firstSequence and lastSequence where they are missing. They can be
    # had by since. At 4 MiB it is cut off.
    method Watch(
      straps: ?[]string,
      anyStrap: ?bool,
      adapter: ?string,
      sessions: ?[]string,
      ofStraps: ?[]string,
      kinds: ?[]EventKind,
      since: ?int,
      rate: ?WatchRate
    ) -> (
      sequence: int,
      kind: string,
      date: string,
      session: ?string,
      strap: ?string,
      sessions: ?[]Session,
      straps: ?[]Strap,
      from: ?State,
      to: ?State,
      cause: ?Cause,
      requestedDate: ?string,
      endReason: ?EndReason,
      heartRate: ?int,
      contact: ?Contact,
      rrIntervals: ?[]float,
      rrTicks: ?[]int,
      energyKilojoules: ?int,
      warnings: ?[]string,
      repeat: ?bool,
      availability: ?Availability,
      counted: ?bool,
      postExercise: ?string,
      lastBeatDate: ?string,
      beatUncertaintySeconds: ?float,
      sinceDate: ?string,
      link: ?Link,
      trouble: ?string,
      batteryPercent: ?int,
      batteryUnreliable: ?bool,
      adapter: ?string,
      thresholdPercent: ?int,
      remainingSeconds: ?int,
      cancelled: ?bool,
      lastAliveDate: ?string,
      gapSeconds: ?float,
      previousGapSeconds: ?float,
      rebooted: ?bool,
      provisional: ?bool,
      stepSeconds: ?float,
      lap: ?WorkoutLap,
      startDate: ?string,
      endDate: ?string,
      label: ?string,
      activity: ?WorkoutActivity,
      typesToCollect: ?[]DataType,
      zone: ?int,
      previousZone: ?int,
      alert: ?Alert,
      active: ?bool,
      goal: ?Goal,
      working: ?bool,
      advice: ?string,
      unattended: ?UnattendedNews,
      athlete: ?string,
      snapshot: ?Session,
      replaysAfter: ?int,
      missed: ?bool,
      coalesced: ?int,
      count: ?int,
      firstSequence: ?int,
      lastSequence: ?int,
      durableThrough: int,
      held: ?bool, redacted: ?bool
    )

    """
}
