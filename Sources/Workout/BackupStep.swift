/// What one step of a backup has come to: the store is copied into a file beside it, the copy is looked through, and is
/// then read from its first octet to its last.
public enum BackupStep: Hashable, Sendable {
  /// So many octets of so many are in the copy.
  case copied(Int, of: Int)
  /// So many octets of the copy, which has so many, have been looked through.
  case checked(Int, of: Int)
  /// The copy's next octets, of so many in all.
  case read([UInt8], of: Int)
  /// All of it has been read.
  case over
}
