import CSQLite
import Glibc
import Measurements
import Workout

// A store whose files are moved or removed while they are open. SQLite goes on writing into what has no name any more, and
// with the process all of it would be gone.
extension Store {
  /// - Throws: with kind `moved` where the files are not in their place, `damaged` where they were cut short; nothing is to
  ///   be written into them then. With kind `inUse` where another daemon has come between.
  func checkPlace() throws(StoreError) {
    guard connection.isOpen else { return }
    let path = connection.path
    if let setAside = successor?.setAside { throw setAside.error }
    guard !connection.hasMoved, let log = sync.file, FileIdentity(path + "-shm") == sharedMemory else {
      throw moved("\(path) was moved or removed while it was open")
    }
    // The log begins with 32 octets; each frame is a page and 24 more.
    let least = connection.logFrames == 0 ? 0 : 32 + connection.logFrames * (pageSize + 24)
    guard log.size >= least, let file = FileIdentity(path), file.size >= pageSize else {
      throw StoreError(.commit, sqlite: SQLITE_CORRUPT, "\(path) or its log was cut short while it was open")
    }
    try keepLock()
  }

  private func moved(_ text: String) -> StoreError {
    StoreError(operation: .commit, code: SQLITE_OK, text: text, kind: .moved)
  }

  /// Puts all that is in the open files into their place again, which a commit has found empty.
  ///
  /// - Returns: the store to use from now on; nothing is left of this one.
  /// - Throws: with kind `moved` where that is not possible: the directory is missing, or another file is in the place,
  ///   which belongs to whoever has put it there. This one is to be used on.
  public func backInPlace(at now: Moment) throws(StoreError) -> Store {
    let path = connection.path
    if let file = successor?.file, file == FileIdentity(path) { return try replaced(at: now) }
    // Where only the log was removed, the file that is there is ours.
    guard !connection.hasMoved || access(path, F_OK) != 0 else {
      throw moved("\(path) is another file than strapd has open, which is not touched: move it away")
    }
    try copyIntoPlace(path)
    successor = (FileIdentity(path), nil)
    return try replaced(at: now)
  }

  private func copyIntoPlace(_ path: String) throws(StoreError) {
    let copy = path + ".copy"
    Self.remove(copy)
    do {
      let other = try Connection(path: copy, busyTimeout: .zero)
      defer { other.close() }
      try connection.backUp(into: other)
    } catch  where error.kind == .notWritable {
      throw moved("\(path) was moved or removed while it was open, and cannot be made again (\(error.text))")
    }
    // A log that was left alone belongs to no database.
    Self.remove(path, ["-wal", "-shm"])
    try Self.put(copy, at: path)
  }
}
