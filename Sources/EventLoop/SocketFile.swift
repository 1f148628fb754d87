import Glibc

/// The file of a unix socket that this process has made.
struct SocketFile {
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Makes a listening socket at a path, in the place of one that nobody answers on.
  static func make(_ path: String, mode: mode_t) throws(EventLoopError) -> (descriptor: Int32, file: SocketFile) {
    let descriptor = try socket(for: path)
    do throws(EventLoopError) {
      var code = bind(descriptor, to: path)
      if code == EADDRINUSE {
        try removeStale(path)
        code = bind(descriptor, to: path)
      }
      guard code == 0 else { throw failure(path, code, advice: bindAdvice(code)) }
      return (descriptor, try open(descriptor, path, mode))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Removes the file, unless another has taken its place.
  func remove() {
    guard let status = Self.status(path), status.st_dev == device, status.st_ino == inode else { return }
    unlink(path)
  }

  private init(_ path: String) throws(EventLoopError) {
    guard let status = Self.status(path) else { throw Self.failure(path, errno) }
    self.path = path
    device = status.st_dev
    inode = status.st_ino
  }

  /// Lets clients in: those that the mode admits.
  private static func open(
    _ descriptor: Int32, _ path: String, _ mode: mode_t
  ) throws(EventLoopError) -> SocketFile {
    let file = try SocketFile(path)
    // Nobody can connect before listen(2), so that nobody slips in between bind's permissions and these.
    guard chmod(path, mode) == 0, listen(descriptor, SOMAXCONN) == 0 else {
      let code = errno
      file.remove()
      throw failure(path, code)
    }
    return file
  }

  private static func socket(for path: String) throws(EventLoopError) -> Int32 {
    let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    guard !path.isEmpty, path.utf8.count <= longest, !path.utf8.contains(0) else {
      let advice = "a socket's path has 1 to \(longest) octets, this one has \(path.utf8.count); choose another folder"
      throw failure(path, 0, advice: advice)
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw failure(path, errno) }
    return descriptor
  }

  /// Removes a socket on which nobody answers. Two daemons that start at the same instant could both come past this;
  /// the store's lock, taken earlier, is what keeps them apart.
  private static func removeStale(_ path: String) throws(EventLoopError) {
    guard let status = status(path) else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw failure(path, EADDRINUSE, advice: "what is there is no socket; move it away")
    }
    let probe = try socket(for: path)
    defer { close(probe) }
    let answer = withAddress(of: path) { connect(probe, $0, $1) == 0 ? 0 : errno }
    // Whoever answers otherwise (0, or EAGAIN of a full queue, or EPROTOTYPE of another kind of socket) is alive.
    guard answer == ECONNREFUSED else {
      let advice =
        answer == EACCES
        ? "it belongs to another user" : "another program answers there; stop it or choose another path"
      throw failure(path, EADDRINUSE, advice: advice)
    }
    guard unlink(path) == 0 else {
      throw failure(path, errno, advice: "nobody answers there, but it cannot be removed")
    }
  }

  private static func bind(_ descriptor: Int32, to path: String) -> Int32 {
    withAddress(of: path) { Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  private static func bindAdvice(_ code: Int32) -> String? {
    switch code {
    case ENOENT: "make its folder first (systemd-tmpfiles --create), or set RUNTIME_DIRECTORY"
    case EACCES, EROFS: "its folder must be writable for this user"
    default: nil
    }
  }

  private static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func failure(_ path: String, _ code: Int32, advice: String? = nil) -> EventLoopError {
    EventLoopError(.listenOn, path, code: code, advice: advice)
  }
}
