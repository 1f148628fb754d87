/// What the store could not do: the operation, SQLite's or the system's code and text.
///
/// It stands here and not in Store because the policy on it is the engine's, which imports no adapter.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    case open, migrate, commit, read, checkpoint, sync, backup, close
  }

  /// What the policy may turn on.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No room: the file system or a quota.
    case full
    /// Another program holds a lock in the file.
    case busy
    /// The directory is missing, or it or a file in it may not be written.
    case notWritable
    /// Another daemon has the store; the text names its process.
    case inUse
    /// No database, or one that is broken.
    case damaged
    /// The database was moved or removed while it was open, or another one put in its place.
    case moved
    /// A database of another program.
    case foreign
    /// A database that a newer version has written.
    case newer
    case other
  }

  public var operation: Operation
  /// SQLite's extended result code, or errno where the text says so.
  public var code: Int32
  public var text: String
  public var kind: Kind

  public init(operation: Operation, code: Int32, text: String, kind: Kind = .other) {
    self.operation = operation
    self.code = code
    self.text = text
    self.kind = kind
  }

  public var description: String {
    let failure = "\(operation) failed (\(code)): \(text)"
    return kind.advice.map { "\(failure); \($0)" } ?? failure
  }
}

extension StoreError.Kind {
  /// What a person can do about it, if that is known.
  public var advice: String? {
    switch self {
    case .full: "make room on its file system"
    case .busy: "close the other program that has it open for writing"
    case .notWritable: "the directory must exist and belong to the user that strapd runs as, with all files in it"
    case .inUse: "only one daemon can use a store; stop the other one or give this one a directory of its own"
    case .damaged: "move the file and its -wal and -shm aside together, and start again with an empty store"
    case .moved: "move it back, or make its directory again, and what is there is written"
    case .foreign: "give strapd a directory of its own"
    case .newer: "install that newer version again, or give this one a directory of its own"
    case .other: nil
    }
  }
}
