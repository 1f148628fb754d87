/// `io.strapd`: its name, version and description.
public enum Interface {
  public static let name = "io.strapd"
  public static let version = "0.1.0"
  /// Grows by one with each addition to the interface; nothing is ever taken away.
  public static let protocolVersion: Int64 = 1
  static let url = "https://strapd.io/"

  /// The interface in varlink's language, as GetInterfaceDescription serves it.
  public static let description =
    sessions + watch + history + recordings + store + errors + straps + "\n" + workout + "\n" + workoutErrors

  /// Sessions on straps, and what goes for everything.
  private static let sessions = """
    # Heart-rate straps, workout sessions on them, and their live data.
    # Dates are RFC 3339 in UTC. Sequence numbers are given out once and rise over all events of one store.
    interface io.strapd

    # A session's state. There is no way back from stopped.
    type State (notStarted, prepared, running, paused, stopped, ended)

    # What may be asked of a session.
    type Call (
      prepare, start, pause, resume, stop, end, cancelCountdown, beginCollection, endCollection, finish, discard, lap,
      marker, segment, beginActivity, endActivity, requestPauseOrResume, setMetadata, setZones, setGoals, setAlerts,
      enableType, disableType
    )

    # Who or what made a transition happen.
    type Cause (user, auto, system, remote, recovered)

    # Why a session ended.
    type EndReason (
      user, cancelled, sensorAbsent, superseded, prepareExpired, pauseExpired, staleRecovery, storageFull, handedOff
    )

    # Where the workout takes place.
    type Location (unknown, indoor, outdoor)

    # What is known of the heart rate at the moment.
    type Availability (acquiring, available, unavailable, noContact, unknown)

    # Skin contact as the strap reports it; unknown where it cannot tell.
    type Contact (detected, notDetected, unknown)

    # Where a link stands.
    type Link (
      standing, waitingForBluetoothd, waitingForAdapter, searching, connecting, resolving, pairing, subscribing,
      streaming, backingOff, releasing
    )

    # Beats a minute. The average is weighted by time: each value holds until the next, at most 10 s.
    type HeartRateStatistics (
      count: int,
      minimum: int,
      maximum: int,
      average: float,
      mostRecent: int,
      mostRecentDate: ?string,
      coveredSeconds: float,
      secondsInZones: ?[]float
    )

    # heartRate is absent while no sample has counted; a lap or an activity may begin with a value that was received before
    # it and still holds, and has count 0 then until one of its own comes. energyKilojoules is what was spent in counted time, by the strap's
    # own counter; absent where it has none. rrCount leaves out measurements that were signalled twice.
    type Statistics (heartRate: ?HeartRateStatistics, rrCount: int, energyKilojoules: ?int)

    # A session. elapsedSeconds is the running time, wallSeconds the time from start to end. provisional: it has lasted
    # across a reboot, and how long the machine was off rests on a clock that was not known to be right.
    # heartRate is beats a minute, while it is available, whether or not it counts. zone is the last counted value's,
    # counted from 1. lap is the stretch since the last lap, or since the start. adapter is the one that was asked for.
    # computing: elapsedSeconds and the statistics are being computed again from the store, since something was dated into
    # the past or the daemon has started; an event session tells what they have come to.
    # athlete wears the strap; unattended: it has begun by itself. trouble says why a session that takes any strap has none
    # yet, and what helps.
    type Session (
      id: string,
      state: State,
      sequence: int,
      activity: string,
      location: Location,
      strap: ?string,
      adapter: ?string,
      createdDate: string,
      startDate: ?string,
      endDate: ?string,
      requestedStartDate: ?string,
      requestedEndDate: ?string,
      unprepared: bool,
      endReason: ?EndReason,
      collection: Collection,
      elapsedSeconds: float,
      wallSeconds: float,
      provisional: bool,
      availability: Availability,
      trouble: ?string,
      heartRate: ?int,
      countdownSeconds: ?float,
      startsAtFirstBeat: bool,
      statistics: ?Statistics,
      computing: ?bool,
      zones: ?[]Zone,
      zone: ?int,
      typesToCollect: []DataType,
      collectedTypes: []DataType,
      lapCount: int,
      lap: ?WorkoutLap,
      activityCount: int,
      currentActivity: ?WorkoutActivity,
      goals: []Goal,
      alerts: []Alert,
      athlete: ?string,
      unattended: ?bool
    )

    # A finished workout; its id was its session's. discardedDate is when it went to the trash, for one that is there.
    type Workout (
      id: string,
      activity: string,
      location: Location,
      strap: ?string,
      startDate: string,
      endDate: string,
      elapsedSeconds: float,
      wallSeconds: float,
      provisional: bool,
      endReason: EndReason,
      statistics: ?Statistics,
      zones: ?[]Zone,
      discardedDate: ?string,
      athlete: ?string,
      title: ?string,
      notes: ?string
    )

    # What keeps a strap from streaming: the first five are this machine's. bondLost and noHeartRate are told also while
    # nobody wants the strap, since they stay until somebody does something; so is bondNeeded.
    type TroubleKind (
      bluetoothdAbsent, refused, noAdapter, adapterOff, adapterBlocked, bondLost, bondNeeded, pairFailed, noHeartRate,
      connectFailed, subscribeFailed, endsEarly, notAdvertising, silentWhileConnecting, neverResolved, neverSubscribed,
      silentAfterSubscribing, wentSilent, linkLost
    )

    # A strap. name is what it calls itself, givenName what people call it. trouble says why it does not stream and what
    # helps, troubleKind what it is by a name; lastTrouble is what it was the last time since the daemon's start, and
    # lastTroubleDate when. ageSeconds is the last measurement's, periodSeconds the time between measurements and
    # jitterSeconds how much that varies. lostBeats is an estimate, by the sum of the RR intervals against the clock.
    # batteryUnreliable: straps of this kind are known to send a wrong level. quirks are the ids, which stay, of what
    # straps of this kind are known to do otherwise than expected. reconnects, refusedPackets and repeats are counted since the daemon's start. monitors is
    # how many clients hold its link by Watch. adapter is the address of the one that reaches it, once it is chosen and
    # while this machine has it.
    type Strap (
      address: string,
      name: ?string,
      givenName: ?string,
      athlete: ?string,
      link: Link,
      trouble: ?string,
      troubleKind: ?TroubleKind,
      lastTrouble: ?string,
      lastTroubleDate: ?string,
      availability: Availability,
      heartRate: ?int,
      contact: ?Contact,
      ageSeconds: ?float,
      batteryPercent: ?int,
      batteryUnreliable: ?bool,
      bodySensorLocation: ?string,
      manufacturer: ?string,
      model: ?string,
      serial: ?string,
      hardwareRevision: ?string,
      firmwareRevision: ?string,
      softwareRevision: ?string,
      quirks: []string,
      periodSeconds: ?float,
      jitterSeconds: ?float,
      lostBeats: int,
      reconnects: int,
      refusedPackets: int,
      repeats: int,
      monitors: int,
      adapter: ?string,
      unattended: ?Unattended
    )

    # A Bluetooth adapter of this machine.
    type Adapter (name: string, address: ?string, powered: bool, discovering: bool)

    # A lock of systemd-logind's that keeps the machine awake while a session is prepared, running, paused or stopped: what is
    # "idle" or "sleep", mode "block" or "delay". trouble: why it is not held then, and what helps.
    type Lock (what: string, held: bool, mode: ?string, trouble: ?string)

    # The daemon as it is now. redacted: the client's user has a locked screen, and the configuration says
    # redact_when_locked; whatever it asks, it gets no heartRate, statistics, RR intervals, energy, zone, alert, goal or
    # metadata. bluetooth is one of ready, bluetoothdAbsent, refused, noAdapter, adapterOff and
    # adapterBlocked; advice says what to do. Events up to durableThrough survive a power cut. held says what keeps
    # the store from being written, while something does. oddSignals counts what could not be understood on the bus.
    # configurationFile is what strapd has read its configuration from, where there is one.
    method GetStatus() -> (
      version: string,
      protocolVersion: int,
      sequence: int,
      durableThrough: int,
      date: string,
      clockSynchronised: bool,
      bluetooth: string,
      advice: ?string,
      adapters: []Adapter,
      straps: []Strap,
      sessions: []Session,
      locks: []Lock,
      limits: Limits,
      configurationFile: ?string,
      watchers: int,
      oddSignals: int,
      held: ?string, redacted: ?bool
    )

    # Makes a session in notStarted. The activity is one of HealthKit's names, "other" if absent; the strap is an
    # address or a name, here and wherever one is asked for, and the daemon's choice if absent. The adapter (an address) is
    # the configured one if absent, else the one that hears the strap best.
    method Create(activity: ?string, location: ?Location, strap: ?string, adapter: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Connects the strap; heart rate is shown and does not count. Without session: prepares the only session in
    # notStarted whose configuration is as is said here, else makes one; where nothing is said and several are in
    # notStarted, one has to be named. A strap that another session uses is refused; with supersede, that session is stopped,
    # saved and ended (reason superseded) first. Without a strap, supersede takes that of the only session that uses one.
    # Here and below, with ifState the call is refused in any state but those.
    method Prepare(
      session: ?string, ifState: ?[]State, activity: ?string, location: ?Location, strap: ?string, adapter: ?string,
      supersede: ?bool
    ) -> (session: string, state: State, sequence: int, snapshot: Session)

    # Starts now, at a date (past, or up to a second ahead), when a countdown (an hour at most) has run out, or with the
    # first heart rate;
    # collection begins with it. While a countdown or the wait for a heart rate is on, asking for one again changes
    # nothing. Here and below, the session may be left out when exactly one is live. supersede is as with Prepare, where
    # the session is not prepared.
    method Start(
      session: ?string, ifState: ?[]State, date: ?string, countdownSeconds: ?float, atFirstBeat: ?bool, supersede: ?bool
    ) -> (session: string, state: State, sequence: int, snapshot: Session)

    # Samples are kept and do not count until Resume.
    method Pause(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    method Resume(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Freezes the end date: now, or a date since the start.
    method Stop(session: ?string, ifState: ?[]State, date: ?string) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Saves the workout and ends the session; answered when the workout is on the disk. Before the start it cancels.
    method End(session: ?string, ifState: ?[]State) -> (
      session: string, state: State, sequence: int, snapshot: Session
    )

    # Sets a strap's own energy counter to zero (Heart Rate Control Point). A workout's energy does not fall by it. The
    # strap may be left out when exactly one streams.
    method ResetEnergy(strap: ?string) -> (strap: string)

    """
}
