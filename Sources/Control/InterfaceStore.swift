/// The part of the description that is about the store as a whole.
extension Interface {
  static let store = """
    # Where a backup stands.
    type BackupPhase (copying, checking, sending, done)

    # A copy of the whole store, as one SQLite file that needs no other beside it, made while workouts go on; with more. What
    # was committed before the last octet is copied is in it. It is copied first (of is how many octets that will be, and may
    # still grow), each row of the copy is read once, and then it is sent: data has its next octets in base64, octets is how
    # many are sent with them. The last reply has no data, and sha256 of all of them, in hexadecimal. One is made at a time.
    # A client that takes nothing for a minute is closed.
    method Backup() -> (phase: BackupPhase, octets: int, of: int, data: ?string, sha256: ?string)

    # Looks through the whole store, with more: its file as SQLite sees it, that what rows refer to is there, that pieces of
    # samples can be unpacked, and that a workout counts none that is not there. Each reply but the last has a finding, in
    # words; the last one says whether there was none, and what there is. It is done by a program of its own, takes as long as
    # reading everything, changes nothing, and ends with the client. One is made at a time.
    method Verify() -> (finding: ?string, sound: ?bool, summary: ?string)

    # How often something was done since the daemon was started, and how long it took: half of them, 99 in 100, and each. The
    # first two are told up to a sixteenth too long. Without times where it was not done yet.
    type Timing (method: ?string, count: int, medianSeconds: ?float, p99Seconds: ?float, longestSeconds: ?float)

    # How long the daemon takes, as measured by itself. calls: for each method, from the turn of the loop in which a call was
    # taken until its last answer was handed to the kernel, what it waited for (a disk, a strap, a person) included. heartRates:
    # from the turn in which a measurement was taken from the bus until it was written to the store and handed to every watcher.
    # turns: how long a turn of the loop has kept everything else waiting.
    method GetTimings() -> (calls: []Timing, heartRates: Timing, turns: Timing)

    # The store is being checked for another client.
    error VerifyBusy ()

    # The store could not be checked, so that nothing is known of it.
    error VerifyFailed (text: string)

    # Another client is given a backup, and one is made at a time.
    error BackupBusy ()

    # The client's user has a locked screen and the configuration says redact_when_locked: it gets no heart rates, and no
    # file that has them.
    error ScreenLocked ()

    """
}
