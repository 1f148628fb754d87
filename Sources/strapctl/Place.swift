import Glibc

/// Where the strapd is that is spoken to.
enum Place: Equatable {
  /// On this machine, by its control socket's path.
  case socket(String)
  /// On another machine, which ssh reaches by this name; the path is one over there, nil the usual one.
  case host(String, socket: String?)

  /// Where strapd listens when nothing else is said.
  static let defaultPath = "/run/strapd/control.sock"

  /// What was named, else $STRAPD_SOCKET, else the default. Over there, $STRAPD_SOCKET is the other machine's.
  init(host: String?, socket: String?) {
    if let host {
      self = .host(host, socket: socket)
    } else if let socket {
      self = .socket(socket)
    } else if let variable = getenv("STRAPD_SOCKET"), variable.pointee != 0 {
      self = .socket(String(cString: variable))
    } else {
      self = .socket(Self.defaultPath)
    }
  }

  /// For people.
  var name: String {
    switch self {
    case .socket(let path): path
    case .host(let host, let socket): socket.map { "\($0) on \(host)" } ?? host
    }
  }
}

/// ssh, which runs strapctl's bridge on another machine (as systemctl does with systemd-stdio-bridge).
struct RemoteShell: Equatable {
  let host: String
  private let process: pid_t

  /// Starts it, with one end of a pair of sockets as its input and output; it asks for a password on the terminal itself.
  ///
  /// - Returns: the other end.
  static func start(
    _ host: String, socket: String?
  ) throws(ConnectionError) -> (descriptor: Int32, shell: RemoteShell) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ConnectionError(.connect, host, .system(errno))
    }
    let program = getenv("STRAPD_SSH").map { String(cString: $0) } ?? "ssh"
    // -x: no X11; -T: no terminal over there; -- : a host's name is no option.
    var words = [program, "-xT", "--", host, "strapctl"]
    // What ssh is given goes through a shell over there.
    if let socket { words += ["--socket", quoted(socket)] }
    words.append("bridge")
    var process: pid_t = 0
    let code = run(&process, words, on: ends[1])
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw ConnectionError(.connect, host, .noShell(program, code))
    }
    return (ends[0], RemoteShell(host: host, process: process))
  }

  /// Waits for its end, which is near when it has closed its output.
  ///
  /// - Returns: its exit status; nil where a signal ended it.
  func end() -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// A word that a POSIX shell takes as it is.
  static func quoted(_ text: String) -> String {
    var word = "'"
    for character in text { word += character == "'" ? "'\\''" : String(character) }
    return word + "'"
  }

  /// posix_spawnp(3) with a descriptor as input and output; 0 or an errno.
  private static func run(_ process: inout pid_t, _ words: [String], on descriptor: Int32) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var ours = sigset_t()
    sigemptyset(&ours)
    sigaddset(&ours, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    return posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
  }
}
