import Glibc

/// Carries octets between strapd's socket and this program's input and output, until either side is done: what
/// `strapctl --host` runs on the other machine.
struct Bridge {
  let connection: Connection
  var input = STDIN_FILENO
  var output = STDOUT_FILENO

  /// - Throws: `OutputError` where nobody takes the answers.
  func run() throws(OutputError) {
    let socket = connection.descriptor
    var (calls, answers) = (Way(from: input, to: socket), Way(from: socket, to: output))
    // With the socket's end the answers have ended, whatever the client still sends.
    while !answers.isOver {
      let files = calls.files + answers.files
      let ready = Set(Poll.wait(for: files))
      try calls.goOn(ready)
      try answers.goOn(ready)
      if calls.isOver, !calls.isClosed {
        calls.isClosed = true
        // strapd answers what it was asked, and then it closes.
        shutdown(socket, Int32(SHUT_WR))
      }
    }
  }

  /// One direction, with at most one piece on its way: who does not read is not read from.
  private struct Way {
    let from: Int32
    let to: Int32
    private var piece: ArraySlice<UInt8> = []
    private var hasEnded = false
    var isClosed = false

    init(from: Int32, to: Int32) {
      self.from = from
      self.to = to
    }

    var isOver: Bool { hasEnded && piece.isEmpty }

    var files: [Poll.File] {
      if !piece.isEmpty { return [.writable(to)] }
      return hasEnded ? [] : [.readable(from)]
    }

    mutating func goOn(_ ready: Set<Int32>) throws(OutputError) {
      if !piece.isEmpty {
        if ready.contains(to) { try write() }
      } else if !hasEnded, ready.contains(from) {
        read()
      }
    }

    private mutating func read() {
      var octets = [UInt8](repeating: 0, count: 65_536)
      // What is ready of a socket may be its other direction.
      var count = recv(from, &octets, octets.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == ENOTSOCK { count = Glibc.read(from, &octets, octets.count) }
      if count > 0 {
        piece = octets[..<count]
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        hasEnded = true
      }
    }

    /// What poll(2) has said of a pipe is room for PIPE_BUF octets; more would wait, and with it the other direction.
    private mutating func write() throws(OutputError) {
      var count = piece.withUnsafeBytes {
        send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == ENOTSOCK {
        count = piece.prefix(Int(PIPE_BUF)).withUnsafeBytes { Glibc.write(to, $0.baseAddress, $0.count) }
      }
      if count >= 0 {
        piece = piece.dropFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        throw OutputError(code: errno)
      }
    }
  }
}
