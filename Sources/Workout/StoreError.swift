/// What the store could not do: the operation, SQLite's or the system's code and text.
///
/// It stands here and not in Store because the policy on it is the engine's, which imports no adapter.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    case open, migrate, commit, read, checkpoint, sync, close
  }

  public var operation: Operation
  /// SQLite's extended result code, or errno where the text says so.
  public var code: Int32
  public var text: String

  public init(operation: Operation, code: Int32, text: String) {
    self.operation = operation
    self.code = code
    self.text = text
  }

  public var description: String {
    "\(operation) failed (\(code)): \(text)"
  }
}
