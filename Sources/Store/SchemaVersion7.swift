extension Schema {
  /// Finished workouts in less room; and what lists and totals of many of them need, in one index.
  static let version7 = """
    CREATE TABLE sample_piece (
      -- The samples of sessions that are over, some hundred in a piece, in place of their rows in the table sample; without
      -- loss. An octet with the version 1, then a frame of zstd with its check value, in which only strapd can read.
      -- The view sample_kept says which samples are where; "strapctl samples" prints those of a workout from both, and
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

    CREATE VIEW sample_kept AS
      -- Of each session: how many samples are rows of the table sample, and how many in pieces of how many octets.
      SELECT session.id AS session, state,
        (SELECT count(*) FROM sample WHERE sample.session = session.number) AS rows_in_sample,
        coalesce(sum(count), 0) AS samples_in_pieces, count(octets) AS pieces, coalesce(sum(length(octets)), 0) AS octets,
        min(first_sequence) AS first_in_pieces, max(last_sequence) AS last_in_pieces
      FROM session LEFT JOIN sample_piece ON sample_piece.session = session.number GROUP BY session.number;

    -- All that filters and totals ask for: of ten years of workouts only those are read that are shown. (discarded_date is
    -- NULL in all of it, but SQLite 3.40 would look into the table for that.)
    DROP INDEX workout_by_start;
    CREATE INDEX workout_by_start ON workout (
      start_date, session, activity, athlete, strap, elapsed_nanoseconds, heart_rate_covered_nanoseconds,
      heart_rate_average, heart_rate_maximum, rr_count, energy_kilojoules, discarded_date
    ) WHERE discarded_date IS NULL;
    """
}
