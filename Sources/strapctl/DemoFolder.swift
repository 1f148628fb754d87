import Glibc

/// The demo's temporary folder.
struct DemoFolder {
  let path: String

  /// Makes a folder of its own in $TMPDIR or /tmp.
  init() throws(DemoError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let template = "\(parent.isEmpty ? "/tmp" : parent)/strapctl-demo-XXXXXX"
    var octets = Array(template.utf8CString)
    guard mkdtemp(&octets) != nil else { throw .folder(template, code: errno) }
    path = String(decoding: octets.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func makeFolder(_ name: String) throws(DemoError) -> String {
    guard mkdir(file(name), 0o700) == 0 else { throw .folder(file(name), code: errno) }
    return file(name)
  }

  func write(_ text: String, to name: String) throws(DemoError) -> String {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .folder(file(name), code: errno) }
    defer { close(descriptor) }
    do { try Output(descriptor).write(text) } catch { throw .folder(file(name), code: error.code) }
    return file(name)
  }

  /// A file's text; empty where there is no such file.
  func contents(_ name: String) -> String {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { octets += chunk[..<count] }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Removes the folder and everything in it; what cannot be removed stays.
  func remove() {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name == "." || name == ".." { continue }
        if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
