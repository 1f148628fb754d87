import Glibc

/// A program that a test has started; killed with the value.
public final class ChildProcess {
  public enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  public let pid: pid_t
  private let program: String
  private var input: Int32
  private let output: LineReader
  private let errors: ErrorFile
  private var end: End?

  /// Starts a program (looked up in PATH unless it has a slash) with pipes for input and output.
  ///
  /// - Parameter terminal: in place of these and of the file for errors, and as the program's controlling terminal.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], terminal: Terminal? = nil
  ) throws {
    self.program = program
    let (input, output) = (try Pipe(), try Pipe())
    errors = try ErrorFile()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if let terminal {
      // A leader of a new session gets the first terminal that it opens.
      posix_spawnattr_setflags(&attributes, Self.newSession)
      posix_spawn_file_actions_addopen(&actions, 0, terminal.name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      posix_spawn_file_actions_adddup2(&actions, input.reader, 0)
      posix_spawn_file_actions_adddup2(&actions, output.writer, 1)
      posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)
    }
    var pid: pid_t = 0
    let arguments = CStrings([program] + arguments)
    let variables = CStrings(Self.variables(adding: environment))
    let failure = withExtendedLifetime((arguments, variables)) {
      posix_spawnp(&pid, program, &actions, &attributes, arguments.pointers, variables.pointers)
    }
    for descriptor in [input.reader, output.writer] { close(descriptor) }
    self.pid = pid
    self.input = input.writer
    self.output = LineReader(output.reader)
    guard failure == 0 else {
      end = .exited(127)
      throw TestSupportError("cannot start \(program): \(String(cString: strerror(failure)))")
    }
  }

  deinit {
    if end == nil {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    closeInput()
  }

  /// The next line of its output, nil at the end of it.
  public func line(before deadline: Deadline = Deadline()) throws -> String? {
    try output.line(before: deadline, of: program)
  }

  /// The next line of its output that is this one or begins with it and a space; lines before it are passed over.
  @discardableResult
  public func line(_ beginning: String, before deadline: Deadline = Deadline()) throws -> String {
    var passed: [String] = []
    while let line = try output.line(before: deadline, of: "\(program), waiting for \(beginning) after \(passed)") {
      if line == beginning || line.hasPrefix(beginning + " ") { return line }
      passed.append(line)
    }
    throw TestSupportError("\(program) ended without the line \(beginning): \(passed), \(try errorText())")
  }

  /// Passes over what it has written so far: a program whose lines nobody reads stops after some hundreds of them.
  public func passOverLines() {
    while (try? output.line(before: Deadline(seconds: 0.002), of: program)) != nil {}
  }

  /// All that is left of its output.
  public func outputText(before deadline: Deadline = Deadline()) throws -> String {
    try output.rest(before: deadline, of: program)
  }

  /// All that is left of its errors, once it has ended.
  public func errorText(before deadline: Deadline = Deadline()) throws -> String {
    _ = try wait(before: deadline)
    return errors.rest()
  }

  /// Writes a line to its input.
  public func write(line: String) throws {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestSupportError.errno("write to \(program)") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Ends its input.
  public func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  public func signal(_ number: Int32) {
    if end == nil { kill(pid, number) }
  }

  /// Waits for its end.
  public func wait(before deadline: Deadline = Deadline()) throws -> End {
    while true {
      if let end { return end }
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
      } else if deadline.isOver {
        throw TestSupportError("\(program) does not end")
      } else {
        poll(nil, 0, 2)
      }
    }
  }

  /// POSIX_SPAWN_SETSID of glibc's spawn.h, which Swift's Glibc does not show.
  private static let newSession: Int16 = 0x80

  private static func variables(adding additions: [String: String]) -> [String] {
    var variables = additions.map { "\($0.key)=\($0.value)" }
    var next = environ
    while let variable = next.pointee {
      let text = String(cString: variable)
      if additions[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
      next += 1
    }
    return variables
  }
}

/// What posix_spawn(3) takes for arguments and environment: pointers, with a null behind them.
private final class CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) {
    pointers = texts.map { strdup($0) } + [nil]
  }

  deinit {
    for pointer in pointers { free(pointer) }
  }
}

/// A pipe whose ends close on exec, so that no other child keeps them open. A socket pair, because Swift's Glibc does not
/// show pipe2(2), and setting the flag afterwards would race with a child that another test starts.
private struct Pipe {
  let reader: Int32
  let writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestSupportError.errno("socketpair") }
    (reader, writer) = (ends[0], ends[1])
  }
}

/// A file that takes a program's errors. Not a pipe: who writes much, as a daemon its journal, would wait
/// for a test that reads nothing.
private final class ErrorFile {
  let descriptor: Int32
  private var taken = 0

  init() throws {
    // The folder goes at once, and the file's name with it.
    let folder = try TemporaryFolder()
    descriptor = withExtendedLifetime(folder) {
      open(folder.file("errors"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw TestSupportError.errno("open") }
  }

  deinit {
    close(descriptor)
  }

  /// What was written since the last time.
  func rest() -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = pread(descriptor, &chunk, chunk.count, off_t(taken))
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += chunk[..<count]
      taken += count
    }
  }
}

private final class LineReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  func line(before deadline: Deadline, of program: String) throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      if isAtEnd {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
      }
      try more(before: deadline, of: program)
    }
  }

  func rest(before deadline: Deadline, of program: String) throws -> String {
    while !isAtEnd { try more(before: deadline, of: program) }
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  private func more(before deadline: Deadline, of program: String) throws {
    deadline.wait(for: [(descriptor, POLLIN)])
    if deadline.isOver { throw TestSupportError("too late: \(program) says nothing") }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 || errno != EINTR {
      isAtEnd = true
    }
  }
}
