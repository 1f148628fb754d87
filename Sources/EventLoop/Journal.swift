import CSystemd
import Glibc

/// The daemon's log: entries with fields where standard error is the journal, else plain lines on standard error.
public struct Journal: Sendable {
  /// How urgent an entry is (syslog(3)).
  public enum Priority: UInt8, Hashable, Sendable, CaseIterable {
    case critical = 2
    case error, warning, notice, info, debug
  }

  private let descriptor: Int32
  private let isJournal: Bool

  /// Looks once whether standard error is the journal ($JOURNAL_STREAM, systemd.exec(5)).
  public init() {
    self.init(descriptor: STDERR_FILENO, stream: getenv("JOURNAL_STREAM").map { String(cString: $0) })
  }

  init(descriptor: Int32, stream: String?) {
    self.descriptor = descriptor
    isJournal = stream.map { Self.names($0, descriptor) } ?? false
  }

  /// Writes one entry. Fields (upper-case letters, digits and underscores) are kept by the journal alone.
  ///
  /// An entry that cannot be written is lost: there is no better place to say so.
  public func log(_ priority: Priority, _ text: String, fields: KeyValuePairs<StaticString, String> = [:]) {
    if isJournal && send(Self.entry(priority, text, fields)) { return }
    write((isJournal ? "<\(priority.rawValue)>" : "") + Self.line(text) + "\n")
  }

  /// The entry's fields, as sd_journal_sendv(3) takes them. A line break in a value forges nothing there: such a value
  /// is sent with its length.
  static func entry(
    _ priority: Priority, _ text: String, _ fields: KeyValuePairs<StaticString, String>
  ) -> [[UInt8]] {
    ["MESSAGE=\(text)", "PRIORITY=\(priority.rawValue)"].map { Array($0.utf8) }
      + fields.map { Array("\($0.key)=\($0.value)".utf8) }
  }

  /// The text on one line: control characters are written out, so that no text of a strap's or client's making can begin
  /// a line of its own or talk to the terminal.
  static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        line += scalar.escaped(asASCII: true)
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// Whether "device:inode" names what a descriptor stands for.
  private static func names(_ stream: String, _ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
      // libsystemd says nothing when the journal's socket is not there, as in a sandbox that hides /run.
      && access("/run/systemd/journal/socket", W_OK) == 0
  }

  private func send(_ entry: [[UInt8]]) -> Bool {
    var octets = entry.flatMap { $0 }
    return octets.withUnsafeMutableBytes { octets in
      var rest = octets[...]
      let vectors = entry.map { field in
        let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(field.count))
        rest = rest.dropFirst(field.count)
        return iovec(iov_base: part.baseAddress, iov_len: part.count)
      }
      return sd_journal_sendv(vectors, Int32(vectors.count)) >= 0
    }
  }

  private func write(_ line: String) {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
