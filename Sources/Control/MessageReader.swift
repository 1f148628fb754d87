/// Cuts a stream into varlink messages, which end with a NUL (varlink.org, "Protocol").
public struct MessageReader: Hashable, Sendable {
  /// The most octets a message may have.
  public static let largestMessage = 1 << 20

  private var buffer: [UInt8] = []
  /// Octets of the buffer that are known to hold no NUL.
  private var searched = 0
  private var consumed = 0

  public init() {}

  /// Octets that are kept and not yet taken out.
  public var pendingCount: Int { buffer.count - consumed }

  public mutating func append(_ bytes: some Collection<UInt8>) {
    // Only when less is left than is dropped: a client that sends ahead without end would else have its whole queue
    // moved for each message.
    if consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      searched -= consumed
      consumed = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message without its NUL; nil where it has not ended yet.
  ///
  /// - Throws: `MessageTooLong` once a message exceeds the limit, ended or not.
  public mutating func next() throws(MessageTooLong) -> ArraySlice<UInt8>? {
    searched = max(searched, consumed)
    guard let end = buffer[searched...].firstIndex(of: 0) else {
      searched = buffer.count
      if pendingCount > Self.largestMessage { throw MessageTooLong() }
      return nil
    }
    let message = buffer[consumed..<end]
    if message.count > Self.largestMessage { throw MessageTooLong() }
    consumed = end + 1
    searched = consumed
    return message
  }
}

/// A message exceeds `MessageReader.largestMessage`.
public struct MessageTooLong: Error, Hashable, Sendable {}
