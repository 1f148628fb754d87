extension Schema {
  /// An anchor of its own for each session and boot, which a workout keeps when the boot goes on.
  static let version4 = """
    CREATE TABLE anchor (
      -- For each boot that a session lived in: both clocks at one moment of it, the newest while the session lives.
      session INTEGER NOT NULL REFERENCES session (number),
      boot INTEGER NOT NULL REFERENCES boot (number),
      tick INTEGER NOT NULL,
      wall INTEGER NOT NULL,
      is_synchronised INTEGER NOT NULL CHECK (is_synchronised IN (0, 1)),
      PRIMARY KEY (session, boot)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO anchor
      SELECT lived.session, number, tick, wall, is_synchronised FROM boot JOIN (
        SELECT number AS session, created_boot AS boot FROM session UNION SELECT session, boot FROM event
      ) AS lived ON lived.boot = boot.number;
    """
}
