import Glibc

@testable import Store

/// What a check of a whole store finds. (The engine has a `Verification` of its own.)
func storeFindings(at path: String) throws -> [String] {
  var found: [String] = []
  _ = try Verification.run(path: path) { found.append($0) }
  return found
}

/// The same of a copy to which something was done.
func storeFindings(at path: String, copiedTo copy: String, after damage: String) throws -> [String] {
  for ending in ["", "-wal", "-shm"] { unlink(copy + ending) }
  let original = try Connection(path: path, busyTimeout: .seconds(1))
  defer { original.closeLeavingLog() }
  try original.execute("VACUUM INTO '\(copy)'", for: .read, "copying")
  let other = try Connection(path: copy, busyTimeout: .seconds(1))
  let settings = "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;"
  try other.execute("\(settings) \(damage)", for: .commit, "doing damage: \(damage)")
  other.close()
  return try storeFindings(at: copy)
}
