import Engine
import Glibc

/// Reads strapd.conf(5) from the disk.
enum ConfigurationFile {
  static let defaultPath = "/etc/strapd/strapd.conf"
  private static let largestSize = 1 << 20

  /// Reads a file; nil means the default one, which may be missing.
  ///
  /// - Throws: `ConfigurationError` for what is in it, `ConfigurationFileError` where it cannot be read.
  static func read(_ path: String?) throws -> Configuration {
    guard let text = try contents(path ?? defaultPath, mayBeMissing: path == nil) else { return Configuration() }
    return try Configuration(parsing: text, file: path ?? defaultPath)
  }

  private static func contents(_ path: String, mayBeMissing: Bool) throws(ConfigurationFileError) -> String? {
    // Nobody may be at the other end of a FIFO, and the loop would wait for them.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT, mayBeMissing { return nil }
      throw ConfigurationFileError(path: path, code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ConfigurationFileError(path: path, code: errno) }
    guard status.st_mode & S_IFMT != S_IFIFO else { throw ConfigurationFileError(path: path, code: EOPNOTSUPP) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ConfigurationFileError(path: path, code: errno) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece.prefix(count)
      guard bytes.count <= largestSize else { throw ConfigurationFileError(path: path, code: EFBIG) }
    }
  }
}

/// The configuration file could not be read.
struct ConfigurationFileError: Error, CustomStringConvertible {
  var path: String
  var code: Int32

  var description: String {
    "cannot read the configuration file \(path): \(String(cString: strerror(code)))"
  }
}
