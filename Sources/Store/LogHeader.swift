import CSQLite
import Glibc
import Workout

/// The first 32 octets of a write-ahead log, which SQLite passes over without a word, and all behind them, where they are not
/// what it has written (https://www.sqlite.org/fileformat2.html#walformat).
enum LogHeader {
  private static let size = 32
  private static let magic: UInt32 = 0x377F_0682

  /// What is wrong with a database's log; nil where nothing is, or there is none.
  static func damage(of path: String) -> StoreError? {
    guard let header = read(path + "-wal"), !isSound(header) else { return nil }
    return StoreError(.open, sqlite: SQLITE_CORRUPT, "the beginning of \(path)-wal is none of a log")
  }

  /// Of the pages in a database's log; nil where there is none, or it says no size that can be.
  static func pageSize(of path: String) -> Int? {
    guard let header = read(path + "-wal"), isSound(header) else { return nil }
    let size = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
    return (512...65_536).contains(size) && size & (size - 1) == 0 ? size : nil
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: size)
    return Glibc.read(descriptor, &header, size) == size ? header : nil
  }

  static func isSound(_ header: [UInt8]) -> Bool {
    // A power cut may have left what was never written.
    if header.allSatisfy({ $0 == 0 }) { return true }
    func word(_ index: Int, isBigEndian: Bool = true) -> UInt32 {
      let octets = header[index * 4..<index * 4 + 4]
      return (isBigEndian ? Array(octets) : octets.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard word(0) & ~1 == magic else { return false }
    let isBigEndian = word(0) & 1 == 1
    var (first, second): (UInt32, UInt32) = (0, 0)
    for index in stride(from: 0, to: 6, by: 2) {
      first = first &+ word(index, isBigEndian: isBigEndian) &+ second
      second = second &+ word(index + 1, isBigEndian: isBigEndian) &+ first
    }
    return (first, second) == (word(6), word(7))
  }
}
