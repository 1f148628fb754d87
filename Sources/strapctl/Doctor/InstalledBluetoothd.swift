import Glibc

extension InstalledBluetoothd {
  /// The first of these that can be run, with the version that it prints; none of it is started as a daemon.
  static func find(_ paths: [String], within limit: Duration) -> InstalledBluetoothd? {
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    let line = OneLine.of([path, "--version"], within: limit)
    // "5.82": whatever else it prints is no version.
    let isVersion = line?.contains(".") == true && line?.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } == true
    return InstalledBluetoothd(path: path, version: isVersion ? line : nil)
  }
}

/// What a program prints, if it does so in time.
enum OneLine {
  /// The first line of a program's output; nil where there is none, or not in time. The program is ended.
  static func of(_ words: [String], within limit: Duration) -> String? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard let program = words.first, socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = [strdup("LC_ALL=C"), nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, program, &actions, nil, &arguments, &variables)
    close(ends[1])
    guard code == 0 else { return nil }
    defer {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    return line(from: ends[0], until: Deadline(after: limit))
  }

  private static func line(from descriptor: Int32, until deadline: Deadline) -> String? {
    var octets: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while !octets.contains(0x0A), octets.count < 4096 {
      if Poll.wait(for: [.readable(descriptor)], until: deadline).isEmpty { return nil }
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      octets += chunk[..<count]
    }
    return octets.isEmpty ? nil : String(decoding: octets.prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
