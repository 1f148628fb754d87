import Glibc

/// A folder of its own under /tmp, short enough for a unix socket's path, removed with the value.
public final class TemporaryFolder {
  public let path: String

  public init() throws {
    var template = Array("/tmp/strapd-XXXXXX\0".utf8CString)
    guard let made = mkdtemp(&template) else { throw TestSupportError.errno("mkdtemp") }
    path = String(cString: made)
  }

  deinit {
    Self.remove(path)
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String {
    "\(path)/\(name)"
  }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    guard let stream = fopen(file(name), "w") else { throw TestSupportError.errno("open \(file(name))") }
    defer { fclose(stream) }
    guard fputs(text, stream) >= 0 else { throw TestSupportError.errno("write \(file(name))") }
    return file(name)
  }

  /// What a file in the folder holds.
  public func read(_ name: String) throws -> String {
    guard let stream = fopen(file(name), "r") else { throw TestSupportError.errno("open \(file(name))") }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, stream)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
