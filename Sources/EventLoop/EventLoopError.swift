import Glibc

/// What the operating system refused: what was tried, on what, and what came back.
public struct EventLoopError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried; the raw value is the verb of the error's text.
  public enum Operation: String, Hashable, Sendable {
    case create, watch, feed, read, identify, start
    case takeOver = "take over"
    case waitIn = "wait in"
    case dispatchIn = "dispatch in"
    case listenOn = "listen on"
    case acceptOn = "accept a client on"
    case receiveFrom = "receive from"
    case sendTo = "send to"
  }

  public var operation: Operation
  /// A path, a descriptor or a signal.
  public var object: String
  /// The errno; 0 where the refusal is our own.
  public var code: Int32
  /// What came back and what to do about it.
  public var text: String

  /// - Parameter advice: What the reader can do about it, put behind the system's own text.
  init(_ operation: Operation, _ object: String, code: Int32, advice: String? = nil) {
    self.operation = operation
    self.object = object
    self.code = code
    let reason: String? = code == 0 ? nil : "\(String(cString: strerror(code))) (errno \(code))"
    text = [reason, advice].compactMap { $0 }.joined(separator: "; ")
  }

  public var description: String {
    "cannot \(operation.rawValue) \(object): \(text)"
  }
}
