extension Schema {
  /// A dry run of unattended use, which goes on after a restart.
  static let version6 = """
    ALTER TABLE strap ADD COLUMN dry_run_start_date INTEGER; -- when the workout would have begun that would run
    ALTER TABLE strap ADD COLUMN dry_run_last_date INTEGER; -- when the last heart rate came
    """
}
