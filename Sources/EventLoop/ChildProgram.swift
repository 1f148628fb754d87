import CSystemd
import Glibc

/// A program that the loop has started, and whose lines it reads. Letting go of it kills the program.
public final class ChildProgram {
  /// Any number of lines, then the end, once.
  public enum Event {
    case line(String)
    /// Its exit status; nil where a signal has killed it.
    case ended(Int32?)
  }

  /// Octets of a line at most; what is behind them is left out.
  static let longestLine = 4096

  private let name: String
  private let process: pid_t
  /// Where its output is read, and what is readable when it has ended (pidfd_open(2)).
  private let output: Int32
  private let end: Int32
  private var isWaitedFor = false
  private var rest: [UInt8] = []
  private var action: ((Event) -> Void)?
  private var watches: [FileWatch] = []
  /// Held by nobody else, it is still to be waited for, so that no zombie stays.
  private var own: ChildProgram?

  /// Starts a program with this one's surroundings, nothing to read, and its standard output to the loop.
  ///
  /// - Parameters:
  ///   - path: /proc/self/exe is this program, whatever lies in its file's place by now.
  ///   - arguments: the program's name first.
  public init(
    _ loop: EventLoop, _ path: String, _ arguments: [String], _ action: @escaping (Event) -> Void
  ) throws(EventLoopError) {
    name = arguments.joined(separator: " ")
    self.action = action
    var pipe: [Int32] = [-1, -1]
    guard Glibc.pipe(&pipe) == 0 else { throw EventLoopError(.start, name, code: errno) }
    // Nothing else starts a program meanwhile: there is no other thread that would.
    for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    var process: pid_t = 0
    let code = Self.spawn(&process, path, arguments, output: pipe[1])
    close(pipe[1])
    output = pipe[0]
    self.process = process
    guard code == 0 else {
      end = -1
      close(pipe[0])
      throw EventLoopError(.start, name, code: code)
    }
    end = strapd_pidfd(process)
    guard end >= 0 else {
      let code = errno
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      close(output)
      throw EventLoopError(.watch, name, code: code)
    }
    watches = [
      try loop.watch(output, for: .readable) { [unowned self] _ in read() },
      try loop.watch(end, for: .readable) { [unowned self] _ in finish() },
    ]
  }

  deinit {
    for watch in watches { watch.cancel() }
    guard end >= 0 else { return }
    if !isWaitedFor {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(output)
    close(end)
  }

  /// Kills it; no event follows. It is waited for in the loop.
  public func stop() {
    guard action != nil else { return }
    action = nil
    kill(process, SIGKILL)
    if !watches.isEmpty { own = self }
  }

  /// The loop's own signals are blocked, and SIGPIPE is ignored: the program is to begin with neither.
  private static func spawn(
    _ process: inout pid_t, _ path: String, _ arguments: [String], output: Int32
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    return posix_spawn(&process, path, &actions, &attributes, &words, environ)
  }

  private func read() {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    let count = Glibc.read(output, &piece, piece.count)
    if count > 0 {
      take(piece[..<count])
    } else if count == 0 {
      // Its end is told by the other descriptor; this one would be ready without end.
      watches[0].cancel()
    }
  }

  private func take(_ octets: ArraySlice<UInt8>) {
    for octet in octets {
      if octet == 0x0A {
        tellRest()
      } else if rest.count < Self.longestLine {
        rest.append(octet)
      }
    }
  }

  private func tellRest() {
    let line = String(decoding: rest, as: UTF8.self)
    rest.removeAll(keepingCapacity: true)
    action?(.line(line))
  }

  private func finish() {
    // What it has written last is still in the pipe.
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = Glibc.read(output, &piece, piece.count), count > 0 { take(piece[..<count]) }
    if !rest.isEmpty { tellRest() }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    isWaitedFor = true
    for watch in watches { watch.cancel() }
    let action = action
    self.action = nil
    action?(.ended(status & 0x7F == 0 ? status >> 8 & 0xFF : nil))
    own = nil
  }
}
