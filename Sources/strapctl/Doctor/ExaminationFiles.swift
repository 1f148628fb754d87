import Glibc

/// A file that could not be looked at.
struct FileError: Error, CustomStringConvertible {
  var path: String
  var code: Int32

  var description: String { "\(path): \(String(cString: strerror(code)))" }
}

extension RadioSwitch {
  /// The Bluetooth switches below /sys/class/rfkill, by number; none where the kernel has no rfkill.
  static func all(below folder: String) throws(FileError) -> [RadioSwitch] {
    var switches: [RadioSwitch] = []
    for entry in try entries(of: folder).sorted(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
      // One that is unplugged while it is read is none.
      guard contents("\(folder)/\(entry)/type") == "bluetooth" else { continue }
      switches.append(
        RadioSwitch(
          name: contents("\(folder)/\(entry)/name") ?? entry,
          isBlockedBySoftware: contents("\(folder)/\(entry)/soft") == "1",
          isBlockedByHardware: contents("\(folder)/\(entry)/hard") == "1"))
    }
    return switches
  }

  private static func entries(of folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else {
      let code = errno
      if code == ENOENT { return [] }
      throw FileError(path: folder, code: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The first line of a file of sysfs.
  private static func contents(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &octets, octets.count)
    guard count > 0 else { return nil }
    return String(decoding: octets[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}

extension SocketFile {
  /// nil where there is no such file.
  static func read(_ path: String) throws(FileError) -> SocketFile? {
    guard let file = try status(of: path) else { return nil }
    return SocketFile(
      path: path, isSocket: file.st_mode & S_IFMT == S_IFSOCK, mode: file.st_mode & 0o7777,
      owner: Names.user(file.st_uid), group: Names.group(file.st_gid), mayConnect: access(path, W_OK) == 0)
  }
}

extension StateFolder {
  /// nil where there is none.
  static func read(_ path: String) throws(FileError) -> StateFolder? {
    guard let file = try status(of: path) else { return nil }
    return StateFolder(
      path: path, isFolder: file.st_mode & S_IFMT == S_IFDIR, mode: file.st_mode & 0o7777,
      owner: Names.user(file.st_uid), ownerNumber: file.st_uid)
  }
}

extension Disk {
  /// Of a folder, or of the nearest above it that is there.
  static func read(_ folder: String) throws(FileError) -> Disk {
    var path = folder[...]
    while true {
      var disk = statvfs()
      if statvfs(String(path), &disk) == 0 {
        // A file system that counts no files, such as btrfs, says 0 of 0.
        return Disk(
          path: String(path), freeOctets: UInt64(disk.f_bavail) * UInt64(disk.f_frsize),
          hasFreeFiles: disk.f_files == 0 || disk.f_favail > 0, isReadOnly: disk.f_flag & UInt(ST_RDONLY) != 0)
      }
      let code = errno
      guard code == ENOENT, path != "/" else { throw FileError(path: String(path), code: code) }
      let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
      path = parent.isEmpty ? "/" : parent
    }
  }
}

private func status(of path: String) throws(FileError) -> stat? {
  var file = stat()
  guard stat(path, &file) != 0 else { return file }
  let code = errno
  if code == ENOENT || code == ENOTDIR { return nil }
  throw FileError(path: path, code: code)
}
