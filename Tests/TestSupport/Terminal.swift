import Glibc

/// A terminal with a test in front of it: what a program writes there is read, and what a person would type is typed.
public final class Terminal {
  /// The file that a program opens.
  let name: String
  private let master: Int32
  /// Kept open, so that the terminal does not hang up before the program has opened it.
  private let slave: Int32
  private var shown = ""

  public init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw TestSupportError.errno("openpty") }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    // Not ttyname(3), whose answer another test's would overwrite.
    var text = [CChar](repeating: 0, count: 64)
    guard ttyname_r(slave, &text, text.count) == 0 else { throw TestSupportError("the terminal has no name") }
    name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  deinit {
    close(master)
    close(slave)
  }

  /// Types; a line ends with "\n", and "\u{3}" is ^C.
  public func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBytes({ write(master, $0.baseAddress, $0.count) }) == bytes.count else {
      throw TestSupportError.errno("typing")
    }
  }

  /// Waits until a text is on the screen, and takes all up to its end off it.
  @discardableResult
  public func read(until text: String, before deadline: Deadline = Deadline()) throws -> String {
    while true {
      if let range = shown.range(of: text) {
        defer { shown.removeSubrange(..<range.upperBound) }
        return String(shown[..<range.upperBound])
      }
      deadline.wait(for: [(master, POLLIN)])
      if deadline.isOver { throw TestSupportError("too late: no '\(text)' on the screen, but '\(shown)'") }
      take()
    }
  }

  /// What is on the screen and was not read, of a program that has ended.
  public func rest() -> String {
    while poll(for: POLLIN) { take() }
    defer { shown = "" }
    return shown
  }

  private func poll(for events: Int32) -> Bool {
    var entry = pollfd(fd: master, events: Int16(events), revents: 0)
    return Glibc.poll(&entry, 1, 0) > 0
  }

  private func take() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &chunk, chunk.count)
    // The terminal makes two octets of a line's end.
    shown += String(decoding: chunk.prefix(max(0, count)).filter { $0 != 0x0D }, as: UTF8.self)
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
