extension Schema {
  /// Workouts that were recorded elsewhere, and those that were brought back from the trash.
  static let version9 = """
    CREATE TABLE imported (
      -- Sessions that an import has made. Their ticks are before this boot, by the wall clock, if they have to be.
      session INTEGER PRIMARY KEY REFERENCES session (number),
      format TEXT NOT NULL, -- what kind of file it came in
      date INTEGER NOT NULL, -- when
      details TEXT NOT NULL, -- JSON: the device and the anchors that came with it
      is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)) -- not all of it has come; nobody is to see it yet
    ) STRICT;
    CREATE INDEX open_import ON imported (session) WHERE is_open = 1;

    -- What was left of workouts that were deleted for good, as they were before an edit.
    DELETE FROM workout_slice_before
      WHERE workout NOT IN (SELECT number FROM session) OR session NOT IN (SELECT number FROM session);
    DELETE FROM workout_part_before WHERE session NOT IN (SELECT number FROM session);
    DELETE FROM workout_before WHERE session NOT IN (SELECT number FROM session);
    DELETE FROM workout_edit WHERE number NOT IN (SELECT edit FROM workout_before);

    -- Somebody has taken it out of the trash: age does not send it there any more.
    ALTER TABLE workout ADD COLUMN is_restored INTEGER NOT NULL DEFAULT 0;

    -- The boot by whose clock, not known to be right, the dates are: of a workout where is_clock_sure is 0 and it is another
    -- one than boot; of a slice, where it is NULL its dates are right.
    ALTER TABLE workout ADD COLUMN unsure_boot INTEGER;
    ALTER TABLE workout_before ADD COLUMN unsure_boot INTEGER;
    ALTER TABLE workout_slice ADD COLUMN unsure_boot INTEGER;
    ALTER TABLE workout_slice_before ADD COLUMN unsure_boot INTEGER;
    UPDATE workout_slice SET unsure_boot =
      (SELECT boot FROM workout WHERE workout.session = workout_slice.workout AND is_clock_sure = 0);
    UPDATE workout_slice_before SET unsure_boot = (SELECT boot FROM workout_before AS old
      WHERE old.edit = workout_slice_before.edit AND old.session = workout_slice_before.workout AND is_clock_sure = 0);
    """
}
