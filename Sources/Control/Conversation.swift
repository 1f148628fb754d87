/// One client's side of the control socket: octets to calls, replies to octets, one call at a time.
///
/// Calls that a client sends ahead wait in its own buffer and are answered in order. A message that is no call closes
/// the conversation: varlink has no reply to it, and what follows could not be trusted.
public struct Conversation: Hashable, Sendable {
  private var reader = MessageReader()
  private var state = State.idle
  private let access: Access

  private enum State: Hashable, Sendable {
    /// Waits for a call. Leaves to: answering, closed.
    case idle
    /// A call is with the engine, which may give it several replies. Leaves to: idle, watching, closed.
    case answering(oneway: Bool)
    /// Every event goes to the client; calls sent behind Watch are never reached. Leaves to: closed.
    case watching
    /// Leaves to: nothing.
    case closed
  }

  /// What is to be done next.
  public enum Step: Hashable, Sendable {
    case perform(ControlCall)
    case write([UInt8])
    /// Close the socket: the client broke the protocol, for this reason.
    case close(String)
  }

  /// - Parameter access: what the client may do.
  public init(_ access: Access = .control) {
    self.access = access
  }

  /// Whether no call is being answered; a call may still wait in the buffer until `next` has found none.
  public var isIdle: Bool { state == .idle }
  public var isWatching: Bool { state == .watching }

  /// Whether more octets may be read from the client now. A client that sends ahead without end is made to wait.
  public var wantsMore: Bool { reader.pendingCount <= 2 * MessageReader.largestMessage }

  public mutating func received(_ bytes: some Collection<UInt8>) {
    if state != .closed { reader.append(bytes) }
  }

  /// The next step, until there is none: nil while a call is being answered or no whole message has come.
  ///
  /// - Parameter names: what straps are called, for a call that names one.
  public mutating func next(_ names: StrapNames = StrapNames()) -> Step? {
    do {
      while state == .idle || state == .watching {
        guard let message = try reader.next() else { return nil }
        // Behind Watch nothing can be answered in order; what is sent there is read and dropped.
        if state == .idle, let step = step(message, names) { return step }
      }
      return nil
    } catch {
      return close("a message of more than \(MessageReader.largestMessage) octets")
    }
  }

  /// The engine has answered the call that was performed; the octets to write.
  public mutating func answer(_ reply: VarlinkReply) -> [UInt8] {
    guard case .answering(let oneway) = state else { return [] }
    if !reply.continues { state = .idle }
    return oneway ? [] : reply.message
  }

  /// The engine has accepted Watch: events follow.
  public mutating func startWatching() {
    guard case .answering = state else { return }
    state = .watching
  }

  /// nil where the message wants no reply and has had its effect.
  private mutating func step(_ message: ArraySlice<UInt8>, _ names: StrapNames) -> Step? {
    let call: VarlinkCall
    do { call = try VarlinkCall(message) } catch {
      switch error {
      // Where the message ends is known all the same, and what follows can be trusted.
      case .notJSON(let problem) where problem.isBeyond:
        return .write(ControlError.invalidParameter("parameters").reply.message)
      case .notJSON(let problem): return close(problem.description)
      case .noCall: return close("a message that is no method call")
      }
    }
    do {
      // A reply without an error would tell the client that the connection is another protocol's now.
      if call.upgrade { throw ControlError.invalidParameter("upgrade") }
      if let reply = try ServiceInterface.answer(call) { return finish(reply, call) }
      guard let (interface, name) = call.parts, interface == Interface.name else {
        throw ControlError.interfaceNotFound(call.parts.map { String($0.interface) } ?? call.method)
      }
      let performed = try ControlCall(call, method: name, names: names)
      guard access == .control || performed.isReading else { throw ControlError.permissionDenied }
      if call.oneway, performed.onlyReplies { return nil }
      state = .answering(oneway: call.oneway)
      return .perform(performed)
    } catch let error as ControlError {
      return finish(error.reply, call)
    } catch {
      return close("\(error)")
    }
  }

  private func finish(_ reply: VarlinkReply, _ call: VarlinkCall) -> Step? {
    call.oneway ? nil : .write(reply.message)
  }

  private mutating func close(_ reason: String) -> Step {
    state = .closed
    return .close(reason)
  }
}
