extension Schema {
  /// Dates that clients gave, where they are not the ones they were taken to mean.
  static let version5 = """
    -- The date as the client gave it: it may lie a second after about_date and until_date, which agree with the ticks.
    ALTER TABLE event ADD COLUMN about_requested INTEGER;
    ALTER TABLE event ADD COLUMN until_requested INTEGER;
    UPDATE event SET about_requested = about_date WHERE about_is_requested = 1;
    UPDATE event SET until_requested = until_date WHERE until_is_requested = 1;
    """
}
