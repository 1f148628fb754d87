extension Schema {
  /// Who wears straps; and workouts that people change after the fact, and can change back.
  static let version8 = """
    CREATE TABLE athlete (
      name TEXT PRIMARY KEY,
      year_of_birth INTEGER,
      biological_sex TEXT CHECK (biological_sex IN ('female', 'male', 'other')),
      mass_kilograms REAL,
      resting_heart_rate INTEGER, -- beats a minute, as is the next
      maximum_heart_rate INTEGER,
      zones TEXT, -- where each zone but the first begins, in beats a minute
      is_default INTEGER NOT NULL CHECK (is_default IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE session ADD COLUMN are_zones_by_hand INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE workout ADD COLUMN title TEXT;
    ALTER TABLE workout ADD COLUMN notes TEXT;

    CREATE TABLE workout_slice (
      -- Of what a workout is made, where that is not the whole of its own session; ticks as in event.
      workout INTEGER NOT NULL REFERENCES workout (session) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      session INTEGER NOT NULL REFERENCES session (number),
      start_boot INTEGER NOT NULL REFERENCES boot (number),
      start_tick INTEGER NOT NULL,
      start_date INTEGER NOT NULL,
      start_is_requested INTEGER NOT NULL,
      end_boot INTEGER NOT NULL REFERENCES boot (number),
      end_tick INTEGER NOT NULL,
      end_date INTEGER NOT NULL,
      end_is_requested INTEGER NOT NULL,
      PRIMARY KEY (workout, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX workout_slice_of_session ON workout_slice (session);

    CREATE TABLE purge (
      -- Sessions whose workouts were deleted for good, of which something is still there.
      session INTEGER PRIMARY KEY
    ) STRICT;

    CREATE TABLE workout_edit (
      number INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('edit', 'trim', 'merge', 'split')),
      date INTEGER NOT NULL,
      undone_date INTEGER,
      is_sealed INTEGER NOT NULL DEFAULT 0 -- one of its workouts is deleted for good: it is not undone any more
    ) STRICT;

    -- The rows of a workout as they were before an edit, in columns of the same names.
    CREATE TABLE workout_before (
      edit INTEGER NOT NULL REFERENCES workout_edit (number) ON DELETE CASCADE,
      session INTEGER NOT NULL,
      existed INTEGER NOT NULL CHECK (existed IN (0, 1)), -- 0: the edit made it
      activity TEXT, location TEXT, strap TEXT, boot INTEGER, start_tick INTEGER, start_date INTEGER,
      start_is_requested INTEGER, end_tick INTEGER, end_date INTEGER, end_is_requested INTEGER, end_reason TEXT,
      elapsed_nanoseconds INTEGER, wall_nanoseconds INTEGER, rr_count INTEGER, energy_kilojoules INTEGER,
      heart_rate_count INTEGER, heart_rate_minimum INTEGER, heart_rate_maximum INTEGER, heart_rate_average REAL,
      heart_rate_most_recent INTEGER, heart_rate_most_recent_tick INTEGER, heart_rate_covered_nanoseconds INTEGER,
      zone_nanoseconds TEXT,
      zones TEXT, athlete TEXT, discarded_date INTEGER, discarded_is_sure INTEGER, is_provisional INTEGER,
      is_clock_sure INTEGER, title TEXT, notes TEXT,
      PRIMARY KEY (edit, session)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX workout_before_of_session ON workout_before (session, edit);

    CREATE TABLE workout_part_before (
      edit INTEGER NOT NULL REFERENCES workout_edit (number) ON DELETE CASCADE,
      session INTEGER NOT NULL,
      kind TEXT, event INTEGER, activity TEXT, location TEXT, label TEXT, start_tick INTEGER, start_date INTEGER,
      start_is_requested INTEGER, end_tick INTEGER, end_date INTEGER, end_is_requested INTEGER,
      elapsed_nanoseconds INTEGER, wall_nanoseconds INTEGER, rr_count INTEGER, energy_kilojoules INTEGER,
      heart_rate_count INTEGER, heart_rate_minimum INTEGER, heart_rate_maximum INTEGER, heart_rate_average REAL,
      heart_rate_most_recent INTEGER, heart_rate_most_recent_tick INTEGER, heart_rate_covered_nanoseconds INTEGER,
      zone_nanoseconds TEXT,
      PRIMARY KEY (edit, session, event)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE workout_slice_before (
      edit INTEGER NOT NULL REFERENCES workout_edit (number) ON DELETE CASCADE,
      workout INTEGER NOT NULL,
      place INTEGER NOT NULL,
      session INTEGER, start_boot INTEGER, start_tick INTEGER, start_date INTEGER, start_is_requested INTEGER,
      end_boot INTEGER, end_tick INTEGER, end_date INTEGER, end_is_requested INTEGER,
      PRIMARY KEY (edit, workout, place)
    ) STRICT, WITHOUT ROWID;
    """
}
