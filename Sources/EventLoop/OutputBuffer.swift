/// Octets that wait to be sent: a queue in one block, cut off at a limit.
struct OutputBuffer {
  let limit: Int
  private var octets: [UInt8] = []
  private var sent = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { octets.count - sent }
  var isEmpty: Bool { sent == octets.count }

  /// Whether so many more fit.
  func hasRoom(for count: Int) -> Bool {
    count <= limit - self.count
  }

  mutating func append(_ more: ArraySlice<UInt8>) {
    // What was sent is dropped when it is the larger part, so that each octet is moved at most once on average.
    if sent > octets.count / 2 {
      octets.removeFirst(sent)
      sent = 0
    }
    octets += more
  }

  /// Gives the octets that wait, oldest first, to a sender, which says how many it has taken.
  mutating func send(_ sender: (UnsafeRawBufferPointer) -> Int) {
    let taken = octets.withUnsafeBytes { sender(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
    sent += max(0, taken)
    if isEmpty { clear() }
  }

  /// Forgets all that waits. The memory of a large backlog is given back.
  mutating func clear() {
    octets.removeAll(keepingCapacity: octets.capacity <= 16 << 10)
    sent = 0
  }
}
