extension Schema {
  /// Workouts that begin by themselves, and who wears the straps.
  static let version3 = """
    ALTER TABLE session ADD COLUMN athlete TEXT; -- who wears the strap
    ALTER TABLE session ADD COLUMN is_unattended INTEGER NOT NULL DEFAULT 0; -- it has begun by itself
    ALTER TABLE workout ADD COLUMN athlete TEXT;
    -- A person has ended a workout on it, and none begins by itself before it was taken off.
    ALTER TABLE strap ADD COLUMN awaits_taking_off INTEGER NOT NULL DEFAULT 0;
    """
}
