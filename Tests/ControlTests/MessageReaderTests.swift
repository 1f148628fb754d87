import Control
import Testing

@Suite struct MessageReaderTests {
  @Test func severalInOnePiece() throws {
    var reader = MessageReader()
    reader.append("one\0two\0\0three".utf8)
    #expect(try next(&reader) == "one")
    #expect(try next(&reader) == "two")
    #expect(try next(&reader) == "")
    #expect(try next(&reader) == nil)
    #expect(reader.pendingCount == 5)
    reader.append(" four\0".utf8)
    #expect(try next(&reader) == "three four")
    #expect(try next(&reader) == nil)
    #expect(reader.pendingCount == 0)
  }

  @Test(arguments: 1...7)
  func anyPieces(size: Int) throws {
    let stream = Array("{}\0{\"a\":1}\0\0x\0unfinished".utf8)
    var reader = MessageReader()
    var messages: [String] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      reader.append(stream[start..<min(start + size, stream.count)])
      while let message = try next(&reader) { messages.append(message) }
    }
    #expect(messages == ["{}", "{\"a\":1}", "", "x"])
    #expect(reader.pendingCount == "unfinished".utf8.count)
  }

  @Test func emptyPieces() throws {
    var reader = MessageReader()
    reader.append([])
    #expect(try next(&reader) == nil)
    reader.append("a".utf8)
    reader.append([])
    #expect(try next(&reader) == nil)
    reader.append("\0".utf8)
    #expect(try next(&reader) == "a")
  }

  @Test func pendingCountIsWhatIsLeft() throws {
    var reader = MessageReader()
    reader.append("ab\0cd\0e".utf8)
    #expect(reader.pendingCount == 7)
    _ = try reader.next()
    #expect(reader.pendingCount == 4)
    reader.append("f".utf8)
    #expect(reader.pendingCount == 5)
    _ = try reader.next()
    #expect(reader.pendingCount == 2)
  }

  // MARK: The limit

  static let most = MessageReader.largestMessage

  @Test func limitIsOneMebibyte() {
    #expect(Self.most == 1_048_576)
  }

  @Test func exactlyTheLimit() throws {
    var reader = MessageReader()
    reader.append(repeatElement(0x61, count: Self.most))
    #expect(try reader.next() == nil)
    reader.append([0])
    #expect(try reader.next()?.count == Self.most)
  }

  @Test func oneOver() {
    var reader = MessageReader()
    reader.append(repeatElement(0x61, count: Self.most + 1) + [0])
    #expect(throws: MessageTooLong.self) { try reader.next() }
  }

  @Test func oneOverThatHasNotEnded() throws {
    var reader = MessageReader()
    reader.append(repeatElement(0x61, count: Self.most))
    #expect(try reader.next() == nil)
    reader.append([0x61])
    #expect(throws: MessageTooLong.self) { try reader.next() }
  }

  @Test func messagesBeforeOneThatIsTooLong() throws {
    var reader = MessageReader()
    reader.append("a\0b\0".utf8)
    reader.append(repeatElement(0x61, count: Self.most + 1))
    #expect(try next(&reader) == "a")
    #expect(try next(&reader) == "b")
    #expect(throws: MessageTooLong.self) { try reader.next() }
  }

  // MARK: Time; what is quadratic here takes many minutes

  @Test(.timeLimit(.minutes(3)))
  func oneMebibyteAByteAtATime() throws {
    var reader = MessageReader()
    for _ in 0..<Self.most {
      reader.append(CollectionOfOne(0x61))
      if try reader.next() != nil { Issue.record("a message that has not ended") }
    }
    reader.append(CollectionOfOne(0))
    #expect(try reader.next()?.count == Self.most)
  }

  /// A client that sends ahead, and a little more after each answer.
  @Test(.timeLimit(.minutes(3)))
  func longQueueThatGrowsAsItIsRead() throws {
    var reader = MessageReader()
    let queue = 32 << 20
    reader.append([UInt8](repeating: 0, count: queue))
    for _ in 0..<100_000 {
      if try reader.next()?.isEmpty != true { Issue.record("another message than was sent") }
      reader.append(CollectionOfOne(0))
    }
    #expect(reader.pendingCount == queue)
  }

  private func next(_ reader: inout MessageReader) throws -> String? {
    try reader.next().map { String(decoding: $0, as: UTF8.self) }
  }
}
