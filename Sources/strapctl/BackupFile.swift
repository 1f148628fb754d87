import Glibc

/// A file that is written beside its place and put there when it is whole and on the disk; else nothing is left of it.
final class BackupFile {
  private let path: String
  private let part: String
  private let descriptor: Int32
  private var isInPlace = false

  /// Nobody else may read it: it has heart rates. What an earlier try has left is replaced.
  init(_ path: String) throws(BackupError) {
    self.path = path
    part = path + ".part"
    var status = stat()
    if lstat(part, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .exists(part) }
      unlink(part)
    }
    descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("making", part, errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if !isInPlace { unlink(part) }
  }

  /// - Throws: `exists` where something is in the place.
  static func refuseExisting(_ path: String) throws(BackupError) {
    var status = stat()
    if lstat(path, &status) == 0 { throw .exists(path) }
  }

  func write(_ octets: [UInt8]) throws(BackupError) {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .system("writing", part, errno)
      }
    }
  }

  /// - Parameter replaces: whether it may take the place of another file.
  func putInPlace(replacing replaces: Bool) throws(BackupError) {
    guard fsync(descriptor) == 0 else { throw .system("syncing", part, errno) }
    // What has come into the place meanwhile stays there: link(2) does not replace, as rename(2) does. Not every file
    // system has it.
    if !replaces, link(part, path) == 0 {
      unlink(part)
    } else {
      if !replaces {
        if errno == EEXIST { throw .exists(path) }
        try Self.refuseExisting(path)
      }
      guard rename(part, path) == 0 else { throw .system("moving \(part.printable) to", path, errno) }
    }
    isInPlace = true
    try syncDirectory()
  }

  /// Its name is to be on the disk as well.
  private func syncDirectory() throws(BackupError) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("opening", directory, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("syncing", directory, errno) }
  }
}
