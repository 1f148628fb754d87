import Glibc
import Workout

/// Whole files.
enum Files {
  /// Copies a file, or its first octets, and has the copy on the disk.
  ///
  /// SQLite must not have the new one open, other than to be done with it: closing it here drops its locks.
  static func copy(_ path: String, to newPath: String, most: Int = .max) throws(StoreError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw StoreError(.open, errno: errno, "opening \(path)") }
    defer { close(source) }
    let target = open(newPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
    guard target >= 0 else { throw StoreError(.open, errno: errno, "making \(newPath)") }
    defer { close(target) }
    var piece = [UInt8](repeating: 0, count: 65_536)
    var left = most
    while left > 0 {
      let count = read(source, &piece, min(piece.count, left))
      guard count >= 0 else { throw StoreError(.open, errno: errno, "reading \(path)") }
      if count == 0 { break }
      guard write(target, piece, count) == count else { throw StoreError(.open, errno: errno, "writing \(newPath)") }
      left -= count
    }
    guard fsync(target) == 0 else { throw StoreError(.open, errno: errno, "syncing \(newPath)") }
  }
}
