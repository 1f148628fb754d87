extension Schema {
  /// Clocks that are not right, and are set: what is known of each boot's, by how much they were set, and which boot
  /// counted a moment that an event is about.
  static let version2 = """
    -- Whether the wall clock of the newest pair was known to be right; the first pair whose was, by which the gap before the
    -- boot is fixed; and the newest, which leads to the next boot.
    ALTER TABLE boot ADD COLUMN is_synchronised INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE boot ADD COLUMN fixed_tick INTEGER;
    ALTER TABLE boot ADD COLUMN fixed_wall INTEGER;
    ALTER TABLE boot ADD COLUMN sure_tick INTEGER;
    ALTER TABLE boot ADD COLUMN sure_wall INTEGER;

    CREATE TABLE clock_step (
      -- The wall clock was set. Dates of events that were written before it in that boot stay as they were written; to
      -- what they say is to be added what the clock was set by since.
      number INTEGER PRIMARY KEY,
      boot INTEGER NOT NULL REFERENCES boot (number),
      tick INTEGER NOT NULL,
      nanoseconds INTEGER NOT NULL
    ) STRICT;

    -- The date as the client gave it; start_date and end_date move with the clock while the session lives.
    ALTER TABLE session ADD COLUMN start_requested INTEGER;
    ALTER TABLE session ADD COLUMN end_requested INTEGER;
    UPDATE session SET start_requested = start_date WHERE start_is_requested = 1;
    UPDATE session SET end_requested = end_date WHERE end_is_requested = 1;

    -- The boots of about_tick and until_tick, where they are not the event's own.
    ALTER TABLE event ADD COLUMN about_boot INTEGER REFERENCES boot (number);
    ALTER TABLE event ADD COLUMN until_boot INTEGER REFERENCES boot (number);

    -- Whether its length rests on a clock that was not known to be right; and whether its dates do not.
    ALTER TABLE workout ADD COLUMN is_provisional INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE workout ADD COLUMN is_clock_sure INTEGER NOT NULL DEFAULT 1;

    DROP VIEW event_dated;
    CREATE VIEW event_dated AS
      SELECT session.id AS session, sequence,
        strftime('%Y-%m-%dT%H:%M:%fZ', (coalesce(about_date, date) + iif(about_boot IS NULL, (
          SELECT coalesce(sum(nanoseconds), 0) FROM clock_step
          WHERE clock_step.boot = event.boot AND clock_step.tick > event.tick), 0)) / 1e9, 'unixepoch') AS date,
        kind, from_state, to_state, cause, event.end_reason, availability, detail
      FROM event JOIN session ON session.number = event.session;
    """
}
