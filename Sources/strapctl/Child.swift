import Glibc

/// A program that the demo has started, with its output in files beside it.
final class Child {
  let name: String
  private let pid: pid_t
  private let folder: DemoFolder
  /// waitpid(2)'s status, once the program has ended.
  private var end: Int32?

  /// Starts a program in a process group of its own: ^C on the terminal is for the demo, which then ends its children
  /// in order.
  ///
  /// - Parameter path: the program's file.
  init(
    _ name: String, _ path: String, _ arguments: [String], environment: [String: String], in folder: DemoFolder
  ) throws(DemoError) {
    self.name = name
    self.folder = folder
    // A demo that is killed with SIGKILL cannot end its children; the kernel does, where setpriv(1) of util-linux is
    // there to ask for it. prctl(2), being variadic, cannot be called from here, and not at all between fork and exec.
    let wrapped = Executable.inPath("setpriv").map { [$0, "--pdeathsig", "KILL", path] } ?? [path]
    var pid: pid_t = 0
    let code = spawn(
      &pid, wrapped + arguments, environment, output: folder.file("\(name).out"), errors: folder.file("\(name).log"))
    guard code == 0 else { throw .cannotStart(path, code: code) }
    self.pid = pid
  }

  /// What it has written to its output so far.
  var output: String { folder.contents("\(name).out") }

  var hasEnded: Bool {
    reap()
    return end != nil
  }

  /// Throws where the program has ended.
  func check() throws(DemoError) {
    if hasEnded, let end { throw .ended(name, Self.words(end), log: log) }
  }

  /// The error that says why the program did not come up.
  func notReady(_ limit: Duration) -> DemoError {
    .notReady(name, limit, log: log)
  }

  /// Ends the program, gently at first.
  func stop() {
    if !hasEnded { kill(pid, SIGTERM) }
    let deadline = Deadline(after: .seconds(5))
    while !hasEnded, !deadline.isOver {
      _ = Poll.wait(for: [], until: Deadline(after: .milliseconds(10)))
    }
    if !hasEnded {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  private func reap() {
    var status: Int32 = 0
    if end == nil, waitpid(pid, &status, WNOHANG) == pid { end = status }
  }

  /// The last lines of what it complained.
  private var log: String {
    folder.contents("\(name).log").split(separator: "\n").suffix(20).joined(separator: "\n")
  }

  private static func words(_ status: Int32) -> String {
    status & 0x7F == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
  }
}

/// posix_spawn(3) with /dev/null as input, files for output and errors, and no signal ignored or blocked; 0 or an errno.
private func spawn(
  _ pid: inout pid_t, _ words: [String], _ environment: [String: String], output: String, errors: String
) -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var (none, ours) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  sigemptyset(&ours)
  for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&ours, number) }
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &ours)
  let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  posix_spawnattr_setflags(&attributes, Int16(flags))
  var arguments = words.map { strdup($0) } + [nil]
  var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for text in arguments + variables { free(text) } }
  return posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &variables)
}

/// Finds programs.
enum Executable {
  /// Beside this program's own file.
  static func beside(_ name: String) throws(DemoError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = "\(own.lastIndex(of: "/").map { own[..<$0] } ?? ".")/\(name)"
    guard access(path, X_OK) == 0 else {
      throw .missing(path, "it is built together with strapctl, and the demo runs where both are")
    }
    return path
  }

  /// In $PATH; nil where there is none.
  static func inPath(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
