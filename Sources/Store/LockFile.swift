import Glibc
import Workout

/// Keeps a second daemon out: a POSIX lock on a file beside the database, which the kernel drops when the process dies.
///
/// The database's own locks do not do, because reading and even writing it with other programs is allowed. The lock is
/// of the whole process: no other part of it may ever open the lock file, since closing any descriptor drops the lock.
final class LockFile {
  private let path: String
  private var descriptor: Int32

  /// - Throws: with kind `inUse`, naming the process, where another one has the lock.
  init(for path: String) throws(StoreError) {
    let lockPath = path + ".lock"
    self.path = lockPath
    descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw StoreError(.open, errno: errno, "making the lock file \(lockPath)") }
    var wanted = flock()
    wanted.l_type = Int16(F_WRLCK)
    wanted.l_whence = Int16(SEEK_SET)
    guard fcntl(descriptor, F_SETLK, &wanted) != 0 else { return }
    let code = errno
    guard code == EACCES || code == EAGAIN else { throw StoreError(.open, errno: code, "locking \(lockPath)") }
    let holder = fcntl(descriptor, F_GETLK, &wanted) == 0 && wanted.l_pid > 0 ? "process \(wanted.l_pid)" : "a process"
    throw StoreError(operation: .open, code: code, text: "\(holder) has the store \(path)", kind: .inUse)
  }

  /// Whether the file is still where others look for it.
  var isInPlace: Bool {
    var (own, other) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev
      && own.st_ino == other.st_ino
  }

  deinit {
    release()
  }

  func release() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
