import EventLoop
import Glibc

/// Standard input by lines. Its end ends nothing else.
final class StandardInput {
  private var watch: FileWatch?
  private var partial: [UInt8] = []
  private let action: (String) -> Void

  /// Takes each line as it comes; a file's lines at once, since epoll does not take files.
  init(_ loop: EventLoop, _ action: @escaping (String) -> Void) throws(EventLoopError) {
    self.action = action
    do throws(EventLoopError) {
      watch = try loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _ in _ = takeChunk() }
    } catch {
      guard error.code == EPERM else { throw error }
      while takeChunk() {}
    }
  }

  /// False at the end.
  private func takeChunk() -> Bool {
    guard case .bytes(let bytes) = Files.chunk(of: STDIN_FILENO) else {
      watch?.cancel()
      watch = nil
      if !partial.isEmpty { action(String(decoding: partial, as: UTF8.self)) }
      partial = []
      return false
    }
    partial += bytes
    while let end = partial.firstIndex(of: 0x0A) {
      let line = String(decoding: partial[..<end], as: UTF8.self)
      partial.removeSubrange(...end)
      action(line)
    }
    return true
  }
}
