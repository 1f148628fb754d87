import Glibc

/// Text in and out by the plain system calls; Foundation would cost more than all the rest.
enum Files {
  /// What a file holds; nil with errno where it cannot be read.
  static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      switch chunk(of: descriptor) {
      case .bytes(let more): bytes += more
      case .end: return String(decoding: bytes, as: UTF8.self)
      case .failure: return nil
      }
    }
  }

  enum Chunk {
    case bytes([UInt8])
    case end
    case failure
  }

  /// What is there, at most 64 KiB.
  static func chunk(of descriptor: Int32) -> Chunk {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { return .bytes(Array(buffer[..<count])) }
      if count == 0 { return .end }
      if errno != EINTR { return .failure }
    }
  }

  /// Writes a line at once: tests synchronise on the log. Nobody reads it any more where that fails.
  static func write(line: String, to descriptor: Int32) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
