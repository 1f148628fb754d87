import Glibc
import Synchronization

/// Held from making pipes to running the process that gets their ends: no other process may inherit them in between.
private let spawning = Mutex(())

/// A process of the test, killed at the latest when the test lets go of it.
final class Child {
  let pid: pid_t
  private var input: Int32
  private let output: Int32
  private var received: [UInt8] = []
  private var status: Int32?

  init(_ arguments: [String]) throws {
    (pid, input, output) = try spawning.withLock { _ in try Self.spawn(arguments) }
  }

  private static func spawn(_ arguments: [String]) throws -> (pid: pid_t, input: Int32, output: Int32) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw SystemError("pipe") }
    for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(toChild[0])
      close(fromChild[1])
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments[0], &actions, nil, &words, environ)
    guard code == 0 else { throw SystemError("running \(arguments[0])", code) }
    return (pid, toChild[1], fromChild[0])
  }

  deinit {
    kill()
    endInput()
    close(output)
  }

  /// Runs a command to its end.
  static func run(_ arguments: String...) throws {
    let child = try Child(arguments)
    guard child.wait() == 0 else { throw SystemError("'\(arguments.joined(separator: " "))'") }
  }

  /// Runs store-writer, which stands beside the tests' own executable.
  static func writer(_ arguments: String...) throws -> Child {
    var path = [CChar](repeating: 0, count: 4096)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { throw SystemError("readlink") }
    let own = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let directory = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return try Child(["\(directory)/store-writer"] + arguments)
  }

  /// The next line that it writes; nil at the end, or when none comes within a minute.
  func line() -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, 60_000) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &bytes, bytes.count)
      guard count > 0 else { return nil }
      received += bytes.prefix(count)
    }
  }

  /// All lines to the end of its output.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func kill() {
    guard status == nil else { return }
    Glibc.kill(pid, SIGKILL)
    wait()
  }

  /// Waits for the end; the exit status, or 128 and the signal.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
    let end = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    status = end
    return end
  }
}

struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ doing: String, _ code: Int32 = errno) {
    description = "\(doing): \(String(cString: strerror(code)))"
  }
}
