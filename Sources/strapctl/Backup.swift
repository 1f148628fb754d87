import Control
import Glibc

/// A copy of strapd's store, as a file that comes into its place whole or not at all.
struct Backup {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  let target: BackupTarget
  /// How long nothing may come.
  private static let patience = Duration.seconds(60)

  /// - Throws: `Refusal`, `ConnectionError`, `OutputError`, `BackupError`, `WholeFileError`; a file that was there before is as it was then.
  func run() throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    if case .file(let path, let replaces) = target, !replaces { try WholeFile.refuseExisting(path) }
    let call = Command.backupCall
    try connection.send(call)
    var progress = BackupProgress(Output(STDERR_FILENO), isJSON: isJSON)
    var file: WholeFile?
    var digest = SHA256()
    var size = 0
    while true {
      let reply = try next()
      if let refusal = Refusal(reply, to: call.method) {
        try progress.end()
        throw refusal
      }
      let report = reply.parameters
      if let text = report["data"]?.asString {
        guard let octets = Base64.octets(of: text) else { throw BackupError.damaged }
        digest.update(octets)
        size += octets.count
        switch target {
        case .standardOutput: try output.write(octets)
        case .file(let path, _):
          let part = try file ?? WholeFile(path, mode: 0o600)  // it has heart rates
          file = part
          try part.write(octets)
        }
      }
      try progress.show(report)
      guard !reply.continues else { continue }
      try progress.end()
      guard report["sha256"]?.asString == digest.hexadecimal, report.integer("octets") == Int64(size), size > 0
      else { throw BackupError.damaged }
      guard case .file(let path, let replaces) = target else { return }
      try file?.putInPlace(replacing: replaces)
      return try tell(path, size, digest)
    }
  }

  private func next() throws -> VarlinkReply {
    let deadline = Deadline(after: Self.patience)
    while true {
      if let reply = try connection.nextReply() { return reply }
      let ready = Poll.wait(
        for: [.readable(connection.descriptor), .readable(SignalPipe.descriptor)], until: deadline)
      if ready.contains(SignalPipe.descriptor) { throw BackupError.interrupted }
      if ready.isEmpty {
        throw ConnectionError(
          .receive, connection.path, .timedOut(Self.patience), method: Command.backupCall.method)
      }
      try connection.receive()
    }
  }

  private func tell(_ path: String, _ size: Int, _ digest: SHA256) throws(OutputError) {
    if isJSON {
      let told = JSON.object([
        "file": .string(path), "octets": .integer(Int64(size)), "sha256": .string(digest.hexadecimal),
      ])
      try output.line(told.text)
    } else {
      try output.line("\(path.printable): \(size) octets, SHA-256 \(digest.hexadecimal)")
    }
  }
}

/// Where a backup goes.
enum BackupTarget: Equatable {
  case standardOutput
  case file(String, replaces: Bool)
}

/// Why there is no backup.
enum BackupError: Error, Equatable, CustomStringConvertible {
  /// What came is not what was sent.
  case damaged
  case interrupted
  case terminal

  var description: String {
    switch self {
    case .damaged: "the backup is thrown away: what came is not what strapd has sent. Try again"
    case .interrupted: "the backup was given up, and nothing is left of it"
    case .terminal: "a backup is no text for a terminal: name a file, or pass it on, as in 'strapctl backup - | gzip'"
    }
  }
}

/// How far it is, on one line of a terminal.
private struct BackupProgress {
  private let output: Output
  private let isShown: Bool
  private var shown = ""

  init(_ output: Output, isJSON: Bool) {
    self.output = output
    isShown = output.isTerminal && !isJSON
  }

  mutating func show(_ report: JSON) throws(OutputError) {
    guard isShown, let octets = report.integer("octets"), let all = report.integer("of"), all > 0 else { return }
    let text = "\(report.text("phase") ?? "") \(octets * 100 / all) % of \((all + 1023) / 1024) KiB"
    if text == shown { return }
    shown = text
    try output.write("\r\(text)\u{1B}[K")
  }

  /// The line is cleared for whatever follows.
  mutating func end() throws(OutputError) {
    if !shown.isEmpty { try output.write("\r\u{1B}[K") }
    shown = ""
  }
}
