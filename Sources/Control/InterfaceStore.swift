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
