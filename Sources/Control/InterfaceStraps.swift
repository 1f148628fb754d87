extension Interface {
  /// What there is to do with straps outside of sessions.
  static let straps = """
    # A strap that is known: by the configuration, because it was named, or because it was used. name and athlete are what
    # the configuration says, else what a person has said; deviceName is what it calls itself. batteryPercent is the last
    # level that was read, batteryUnreliable as for a Strap, rssi the signal in dBm while a scan hears it; bonded is absent while bluetoothd cannot be asked.
    # session uses it now, clients are those that hold its link without a session. lastSeenDate is when it was last
    # connected. configurationFile has a section for it; adapter is the one by which the configuration wants it reached. unattended is there where its workouts begin by themselves.
    type KnownStrap (
      address: string,
      name: ?string,
      deviceName: ?string,
      athlete: ?string,
      manufacturer: ?string,
      model: ?string,
      firmwareRevision: ?string,
      serial: ?string,
      batteryPercent: ?int,
      batteryUnreliable: ?bool,
      rssi: ?int,
      connected: bool,
      bonded: ?bool,
      link: Link,
      session: ?string,
      clients: int,
      lastSeenDate: ?string,
      configurationFile: ?string,
      adapter: ?string,
      unattended: ?Unattended
    )

    # Where a strap stands whose workouts begin by themselves: not worn as far as is known, worn and not yet for long
    # enough, used by a session, to be taken off first since a person has ended the workout, and in a dry run with a workout
    # that would run.
    type UnattendedPhase (off, worn, busy, done, wouldRun)

    # A workout begins by itself when the strap has been worn and has beaten for startSeconds, with the first of those
    # beats, and ends when no heart rate has come for absenceSeconds, at the last one. With dryRun it is only said what would
    # happen; sinceDate is when the workout began that would run.
    type Unattended (
      dryRun: bool, phase: UnattendedPhase, sinceDate: ?string, startSeconds: float, absenceSeconds: float
    )

    # What has come of a strap's having been worn: a workout, or in a dry run one that would have begun or ended.
    type UnattendedNews (started, wouldStart, wouldEnd)

    # How many seconds sessions may be left alone: running without heart rate (absent: for ever), not started, paused,
    # stopped; and for how many strapd may have been away from a running one. heldRecords: how many samples and events are
    # held in memory while the store cannot be written. What comes then is the end.
    type Limits (
      absenceSeconds: ?float,
      prepareSeconds: float,
      pauseSeconds: float,
      stoppedSeconds: float,
      recoverySeconds: float,
      heldRecords: int
    )

    # A device that bluetoothd has in sight. name is what it calls itself, givenName what people call it, rssi its signal
    # in dBm while it is heard. heartRate says whether it has the Heart Rate Service, known whether ListStraps has it.
    type ScannedDevice (
      address: string,
      name: ?string,
      givenName: ?string,
      rssi: ?int,
      heartRate: bool,
      batteryPercent: ?int,
      connected: bool,
      bonded: bool,
      known: bool
    )

    # Scans until the client leaves, with more: by the adapter, else by the configured one, else by all. First come the devices that are in sight already, then
    # those that are new or have changed, for a changed signal alone at most once a second each; gone are the addresses of
    # those that bluetoothd has forgotten. all: devices without heart rate as well. advice says what keeps devices from
    # being heard, while something does. scanning: an adapter scans for it now; while none does, the devices are what
    # bluetoothd knows from before.
    method Scan(all: ?bool, adapter: ?string) -> (
      devices: []ScannedDevice, gone: []string, advice: ?string, scanning: bool
    )

    # Every known strap, by address.
    method ListStraps() -> (straps: []KnownStrap)

    # Says what a strap is called and who wears it; what is absent stays, what is empty is taken away. A name has 1 to 64
    # octets, is no other strap's whatever its case, and cannot be taken for an address.
    method NameStrap(strap: string, name: ?string, athlete: ?string) -> (strap: KnownStrap)

    # Removes what is known of a strap, and bluetoothd's bond with it. bondRemoved is absent where bluetoothd could not be
    # asked. A section of the configuration stays: configurationFile names its file.
    method ForgetStrap(strap: string) -> (strap: string, bondRemoved: ?bool, configurationFile: ?string)

    # How far a pairing has come. enterPinCode, enterPasskey and confirmPasskey wait for AnswerPairing; showPinCode and
    # showPasskey are for the person, who types what is shown on the strap.
    type PairingProgress (
      searching, connecting, pairing, enterPinCode, enterPasskey, confirmPasskey, showPinCode, showPasskey, paired
    )

    # Makes a bond with a strap: the named one, else the configured one, else the only one in sight. Answered when it is
    # made; with more, a reply says each time how far it has come, the last one "paired". interactive (with more): what
    # the strap wants of a person is asked by such a reply, and answered by AnswerPairing on another connection. again:
    # a bond that stands is removed first, as when the strap has lost it, but not before the strap is there. A pairing
    # that is not made within a minute or so fails, and ends when the client goes. advice says what keeps it from going on,
    # and what helps.
    method Pair(strap: ?string, again: ?bool, interactive: ?bool) -> (
      strap: string, progress: PairingProgress, passkey: ?string, pinCode: ?string, advice: ?string
    )

    # Answers what Pair's reply asks: with accept, pinCode (1 to 16 octets) to enterPinCode, passkey (0 to 999999) to
    # enterPasskey, neither to confirmPasskey; without accept, any of them is refused.
    method AnswerPairing(strap: string, accept: bool, pinCode: ?string, passkey: ?int) -> (strap: string)

    # No strap of this name or address is known; these names are.
    error UnknownStrap (strap: string, known: []string)

    # Another strap is called that, in whatever case.
    error NameTaken (name: string, strap: string)

    # The value of this parameter cannot be a name.
    error NameNotAllowed (parameter: string, value: string, allowed: string)

    # The configuration says it, and goes before what a client says: change it in this file.
    error SetInConfiguration (strap: string, parameter: string, file: string)

    # Who holds a strap's link where no session does: the series behind a workout's end, a client that pairs or watches it,
    # the configuration, since its workouts begin by themselves, or a client that has it forgotten already.
    type StrapHolder (postExercise, pairing, monitor, unattended, forgetting)

    # The strap's link is held; file is the configuration that wants it.
    error StrapHeld (strap: string, by: StrapHolder, file: ?string)

    """
}
