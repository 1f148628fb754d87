extension Schema {
  /// Finished workouts in less room.
  static let version7 = """
    CREATE TABLE sample_piece (
      -- The samples of sessions that are over, some hundred in a piece, in place of their rows in the table sample; without
      -- loss. An octet with the version 1, then a frame of zstd with its check value, in which only strapd can read.
      -- "compact = no" in strapd.conf keeps samples as rows.
      session INTEGER NOT NULL REFERENCES session (number),
      first_sequence INTEGER NOT NULL,
      last_sequence INTEGER NOT NULL,
      count INTEGER NOT NULL,
      last_boot INTEGER NOT NULL REFERENCES boot (number), -- of the last sample, as is last_tick
      last_tick INTEGER NOT NULL,
      octets BLOB NOT NULL,
      PRIMARY KEY (session, first_sequence)
    ) STRICT;
    CREATE INDEX sample_piece_by_last ON sample_piece (last_sequence);
    """
}
