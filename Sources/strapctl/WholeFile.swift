import Glibc

/// A file that is written beside its place and put there when it is whole and on the disk; else nothing is left of it.
final class WholeFile {
  private let path: String
  private let part: String
  private let descriptor: Int32
  private var isInPlace = false

  /// What an earlier try has left is replaced; what another process is writing is not.
  ///
  /// - Parameter mode: who may read it, as for open(2).
  init(_ path: String, mode: mode_t) throws(WholeFileError) {
    self.path = path
    part = path + Self.ending
    descriptor = try Self.make(part, mode)
  }

  deinit {
    if !isInPlace { unlink(part) }
    close(descriptor)
  }

  /// What no file of a person's ends with.
  private static let ending = ".strapctl-part"

  /// Makes a file and locks it, so that a second process does not take it for a dead one's.
  private static func make(_ part: String, _ mode: mode_t) throws(WholeFileError) -> Int32 {
    for _ in 0..<8 {
      let made = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if made >= 0 {
        if flock(made, LOCK_EX | LOCK_NB) == 0 { return made }
        close(made)
        throw .busy(part)
      }
      guard errno == EEXIST else { throw .system("making", part, errno) }
      try removeRemains(part)
    }
    throw .busy(part)
  }

  private static func removeRemains(_ part: String) throws(WholeFileError) {
    var (named, opened) = (stat(), stat())
    guard lstat(part, &named) == 0 else { return }
    guard named.st_mode & S_IFMT == S_IFREG else { throw .exists(part) }
    let old = open(part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard old >= 0 else {
      if errno == ENOENT { return }
      throw .system("opening", part, errno)
    }
    defer { close(old) }
    guard flock(old, LOCK_EX | LOCK_NB) == 0 else { throw .busy(part) }
    // Whoever wrote it may have put it in place between the two, and what has its name now is another one.
    guard fstat(old, &opened) == 0, lstat(part, &named) == 0, opened.st_ino == named.st_ino else { return }
    unlink(part)
  }

  /// - Throws: `exists` where something is in the place.
  static func refuseExisting(_ path: String) throws(WholeFileError) {
    var status = stat()
    if lstat(path, &status) == 0 { throw .exists(path) }
  }

  func write(_ octets: [UInt8]) throws(WholeFileError) {
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
  func putInPlace(replacing replaces: Bool) throws(WholeFileError) {
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
  private func syncDirectory() throws(WholeFileError) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("opening", directory, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("syncing", directory, errno) }
  }
}

/// Why a file is not there.
enum WholeFileError: Error, Equatable, CustomStringConvertible {
  case exists(String)
  /// Another process is writing it.
  case busy(String)
  /// What was done on which file, and the errno.
  case system(String, String, Int32)

  var description: String {
    switch self {
    case .exists(let path): "\(path.printable) is there already: give another name, or --force to replace it"
    case .busy(let path):
      "there is no file: another strapctl is writing \(path.printable) right now. Let one do it"
    case .system(let doing, let path, let code):
      "there is no file: \(doing) \(path.printable) failed (\(String(cString: strerror(code)))). "
        + (code == ENOSPC || code == EDQUOT ? "Make room there" : "See whether you may write there")
    }
  }
}

extension WholeFile {
  /// Makes a directory, unless it is there.
  static func makeDirectory(_ path: String) throws(WholeFileError) {
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .system("making the directory", path, code == EEXIST ? ENOTDIR : code)
    }
  }

  /// A small file's text; nil where there is no file.
  static func text(of path: String) throws(WholeFileError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("opening", path, errno)
    }
    defer { close(descriptor) }
    var (text, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      if count > 0 { text += piece.prefix(count) } else if errno != EINTR { throw .system("reading", path, errno) }
    }
  }

  /// Makes a file where there is none, and keeps others from doing so until this process ends.
  static func lock(_ path: String) throws(WholeFileError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("opening", path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .busy(path)
    }
  }

  /// Puts text at a file's end, on the disk.
  static func append(_ text: String, to path: String) throws(WholeFileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("opening", path, errno) }
    defer { close(descriptor) }
    let octets = Array(text.utf8)
    guard Glibc.write(descriptor, octets, octets.count) == octets.count, fsync(descriptor) == 0 else {
      throw .system("writing", path, errno)
    }
  }
}
