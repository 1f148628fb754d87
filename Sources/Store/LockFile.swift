import Glibc
import Workout

/// Keeps a second daemon out: a POSIX lock on a file beside the database, which names its process and which the kernel drops
/// when the process dies, and a lock (flock) on the directory, which nobody can take away by removing a file.
///
/// The database's own locks do not do, because reading and even writing it with other programs is allowed. The POSIX lock
/// is of the whole process: no other part of it may ever open the lock file, since closing any descriptor drops the lock.
final class LockFile {
  private let path: String
  private let directoryPath: String
  private var descriptor: Int32
  private var directory: Int32

  /// - Throws: with kind `inUse`, naming the process, where another one has the lock.
  init(for path: String) throws(StoreError) {
    self.path = path + ".lock"
    directoryPath = Store.directory(of: path)
    descriptor = try Self.lockFile(self.path, of: path)
    do { directory = try Self.lockDirectory(directoryPath, of: path) } catch {
      close(descriptor)
      throw error
    }
  }

  private static func lockFile(_ lockPath: String, of path: String) throws(StoreError) -> Int32 {
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw StoreError(.open, errno: errno, "making the lock file \(lockPath)") }
    var wanted = flock()
    wanted.l_type = Int16(F_WRLCK)
    wanted.l_whence = Int16(SEEK_SET)
    guard fcntl(descriptor, F_SETLK, &wanted) != 0 else { return descriptor }
    let code = errno
    defer { close(descriptor) }
    guard code == EACCES || code == EAGAIN else { throw StoreError(.open, errno: code, "locking \(lockPath)") }
    let holder = fcntl(descriptor, F_GETLK, &wanted) == 0 && wanted.l_pid > 0 ? "process \(wanted.l_pid)" : "a process"
    throw StoreError(operation: .open, code: code, text: "\(holder) has the store \(path)", kind: .inUse)
  }

  private static func lockDirectory(_ directory: String, of path: String) throws(StoreError) -> Int32 {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.open, errno: errno, "opening the directory \(directory)") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
    let code = errno
    close(descriptor)
    guard code == EWOULDBLOCK else { throw StoreError(.open, errno: code, "locking the directory \(directory)") }
    let text = "a process has the store \(path), whose lock file was removed"
    throw StoreError(operation: .open, code: code, text: text, kind: .inUse)
  }

  /// Whether the file is still where others look for it.
  var isInPlace: Bool { FileIdentity(path) == FileIdentity(descriptor) }

  /// Locks what is in its place now.
  ///
  /// - Throws: with kind `inUse` where another daemon has been quicker; the old lock is kept then.
  func renew() throws(StoreError) {
    let store = String(path.dropLast(".lock".count))
    let newDirectory =
      FileIdentity(directoryPath) == FileIdentity(directory) ? nil : try Self.lockDirectory(directoryPath, of: store)
    do {
      let new = try Self.lockFile(path, of: store)
      close(descriptor)
      descriptor = new
    } catch {
      if let newDirectory { close(newDirectory) }
      throw error
    }
    guard let newDirectory else { return }
    close(directory)
    directory = newDirectory
  }

  deinit {
    release()
  }

  func release() {
    // A child that has not come to its exec yet has the directory open as well, and would keep its lock.
    if directory >= 0 { flock(directory, LOCK_UN) }
    for open in [descriptor, directory] where open >= 0 { close(open) }
    (descriptor, directory) = (-1, -1)
  }
}

/// Which file it is that a name or a descriptor stands for.
struct FileIdentity: Equatable {
  var device: UInt
  var node: UInt
  var size: Int

  /// nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
    size = Int(status.st_size)
  }

  static func == (one: Self, other: Self) -> Bool { one.device == other.device && one.node == other.node }
}
