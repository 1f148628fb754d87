import CSQLite
import Glibc
import Workout

extension StoreError {
  /// An error of the system.
  init(_ operation: Operation, errno code: Int32, _ doing: String) {
    let kind: Kind =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS, ENOENT, ENOTDIR: .notWritable
      default: .other
      }
    self.init(
      operation: operation, code: code, text: "\(doing): \(String(cString: strerror(code))) (errno)", kind: kind)
  }

  /// An error of SQLite, with the system's own where there is one behind it.
  init(_ operation: Operation, sqlite code: Int32, systemError: Int32 = 0, _ text: String) {
    var text = text
    var kind: Kind =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .notWritable
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      default: .other
      }
    // Other failures leave error numbers behind as well, of calls that may fail; only an I/O error is explained by them.
    if code & 0xFF == SQLITE_IOERR, systemError != 0 {
      text += " (\(String(cString: strerror(systemError))))"
      // SQLite calls only ENOSPC full; for a person and for the policy a spent quota is the same.
      if systemError == EDQUOT { kind = .full }
    }
    self.init(operation: operation, code: code, text: text, kind: kind)
  }
}
