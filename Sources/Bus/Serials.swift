/// Gives out the numbers of the messages that the core sends.
///
/// The core numbers them itself, so that the table of calls that wait for a reply is its own value and needs no
/// answer from the adapter.
public struct Serials: Hashable, Sendable {
  private var last: UInt32 = 0

  /// The first number is 1.
  public init() {}

  /// The first number is the one behind this: a range of its own, for a part of the core that shares a connection.
  public init(behind last: UInt32) {
    self.last = last
  }

  /// The next number; 0 is none (D-Bus specification, "Message Format").
  public mutating func next() -> UInt32 {
    last &+= 1
    if last == 0 { last = 1 }
    return last
  }
}
