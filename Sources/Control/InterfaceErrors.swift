/// The part of the description that is about what goes wrong with sessions, straps and the daemon.
extension Interface {
  static let errors = """
    # No session is live.
    error NoSession (call: Call)

    # Several sessions are live: name one.
    error SessionAmbiguous (sessions: []string)

    # There is no session with this id.
    error NoSuchSession (session: string)

    # The session's state does not allow the call; these it allows.
    error CallNotAllowed (session: string, state: State, call: Call, allowed: []Call)

    # The date is more than a second ahead of the daemon's clock.
    error DateAhead (session: string, date: string, now: string)

    # The end date is before the start date.
    error EndBeforeStart (session: string, endDate: string, startDate: string)

    # Another session uses the strap.
    error StrapInUse (strap: string, session: string)

    # This machine has no adapter with this address; these it has.
    error NoSuchAdapter (adapter: string, existing: []string)

    # HealthKit has no such activity; these it has.
    error UnknownActivity (activity: string, allowed: []string)

    # No finished workout has this id.
    error NoSuchWorkout (id: string)

    # The strap does not stream; without strap: none does.
    error NotStreaming (strap: ?string)

    # Several straps stream: name one.
    error StrapAmbiguous (straps: []string)

    # The strap has no Heart Rate Control Point, so it counts no energy.
    error NotSupported (strap: string)

    # The strap, or bluetoothd, refused.
    error StrapFailed (strap: string, text: string)

    # No strap was named, none is configured, and none is in sight.
    error NoStrap ()

    # bluetoothd knows this device, and that it has no Heart Rate Service. name is what it calls itself.
    error NoHeartRate (strap: string, name: ?string)

    # The strap could not be paired.
    error PairingFailed (strap: string, text: string)

    # Nothing is asked about the pairing of this strap, or something else than was answered.
    error NothingAsked (strap: string)

    # This strap is being paired, and one is paired at a time.
    error PairingBusy (strap: string)

    # The store could not do it.
    error StoreFailed (operation: string, code: int, text: string)

    # The daemon is about to exit.
    error ShuttingDown ()

    """
}
