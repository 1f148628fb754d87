import Control

/// What a client sends over the control socket, in pieces, with every call answered.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var rest = UnsafeBufferPointer(start: data, count: count)[...]
  var conversation = Conversation()
  while !rest.isEmpty {
    conversation.received(rest.prefix(1 + count % 97))
    rest = rest.dropFirst(1 + count % 97)
    while let step = conversation.next() {
      if case .perform = step { _ = conversation.answer(VarlinkReply()) }
    }
  }
  return 0
}
