import CSystemd
import Glibc
import Measurements

/// An accepted connection of a unix stream socket. Letting go of it closes it.
public final class StreamConnection {
  /// What happens on a connection, in this order: any number of the first three, `closed` at most once and last.
  public enum Event {
    /// At most 64 KiB a turn, so that one client cannot keep the others waiting.
    case received([UInt8])
    /// The client sends no more; it may still read.
    case inputEnded
    /// All that waited has been sent; comes only after something had to wait.
    case outputDrained
    /// The client is gone, with the error if it was one. Not sent after `close`.
    case closed(EventLoopError?)
  }

  /// The process that connected, as it was then (SO_PEERCRED, unix(7)).
  public struct Peer: Hashable, Sendable {
    public var user: uid_t
    public var group: gid_t
    public var process: pid_t
  }

  public static let defaultOutputLimit = 4 << 20

  public let peer: Peer
  /// Octets that wait to be sent.
  public var waitingCount: Int { output.count }
  /// Whether it has been closed by neither side.
  public var isOpen: Bool { state == .open }
  /// Whether input is taken. While it is not, the client's sends run full, which is how it is told to wait.
  public var takesInput = true {
    didSet { updateInterest() }
  }

  private enum State {
    /// Leaves to: lingering (`closeAfterFlushing`), closed (`close`, or the client is gone).
    case open
    /// Nobody listens any more; what waits is sent. Leaves to: closed (all sent, too late, or the client is gone).
    case lingering
    case closed
  }

  private let table: SourceTable
  private let descriptor: Int32
  private var state = State.open
  private var output: OutputBuffer
  private var inputHasEnded = false
  private var peerHasHungUp = false
  /// Why nothing can be sent any more; told from the loop, not from inside `write`.
  private var sendFailure: EventLoopError?
  private var action: ((StreamConnection, Event) -> Void)?
  private var watch: FileWatch?
  private var lingerLimit: DeadlineTimer?

  /// Takes over a connected descriptor, also where it throws.
  public convenience init(
    _ loop: EventLoop, adopting descriptor: Int32, outputLimit: Int = defaultOutputLimit
  ) throws(EventLoopError) {
    try self.init(loop.table, adopting: descriptor, outputLimit: outputLimit)
  }

  init(_ table: SourceTable, adopting descriptor: Int32, outputLimit: Int) throws(EventLoopError) {
    self.table = table
    self.descriptor = descriptor
    output = OutputBuffer(limit: outputLimit)
    var (user, group, process) = (uid_t(), gid_t(), pid_t())
    guard strapd_peer(descriptor, &user, &group, &process) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw EventLoopError(.identify, "the client on descriptor \(descriptor)", code: code)
    }
    peer = Peer(user: user, group: group, process: process)
  }

  deinit {
    close()
  }

  /// Begins to tell what happens. The action gets the connection with each event, so that it need not hold it.
  public func start(_ action: @escaping (StreamConnection, Event) -> Void) throws(EventLoopError) {
    guard state == .open, watch == nil else { return }
    self.action = action
    watch = try FileWatch(table, descriptor, wantedInterest) { [unowned self] in ready($0) }
  }

  /// Sends octets, at once as far as the kernel takes them; the rest waits.
  ///
  /// - Returns: False where they were not taken, none of them: what waits would go over the limit, or the connection is
  ///   closed or broken.
  public func write(_ bytes: [UInt8]) -> Bool {
    guard state == .open, sendFailure == nil, output.hasRoom(for: bytes.count) else { return false }
    if bytes.isEmpty { return true }
    var rest = bytes[...]
    if output.isEmpty {
      rest = rest.dropFirst(bytes.withUnsafeBytes { send($0) })
      guard sendFailure == nil else {
        updateInterest()
        return false
      }
    }
    if !rest.isEmpty {
      output.append(rest)
      updateInterest()
    }
    return true
  }

  /// Closes at once; what waits is lost. No event follows, and the action is let go of.
  public func close() {
    guard state != .closed else { return }
    state = .closed
    action = nil
    watch?.cancel()
    lingerLimit?.cancel()
    output.clear()
    table.lingering[ObjectIdentifier(self)] = nil
    Glibc.close(descriptor)
  }

  /// Closes as soon as all that waits is sent, or a span has passed. No event follows; nobody needs to hold the
  /// connection meanwhile.
  public func closeAfterFlushing(atMost span: Duration = .seconds(5)) {
    guard state == .open else { return }
    guard !output.isEmpty, sendFailure == nil, !peerHasHungUp else { return close() }
    state = .lingering
    action = nil
    table.lingering[ObjectIdentifier(self)] = self
    do throws(EventLoopError) {
      if watch == nil { watch = try FileWatch(table, descriptor, wantedInterest) { [unowned self] in ready($0) } }
      let limit = try DeadlineTimer(table) { [unowned self] in close() }
      limit.arm(at: Clocks.read().tick + span)
      lingerLimit = limit
      updateInterest()
    } catch {
      close()
    }
  }
}

// MARK: - In the loop

extension StreamConnection {
  private var wantedInterest: Readiness {
    var interest: Readiness = []
    if state == .open && takesInput && !inputHasEnded { interest.insert(.readable) }
    if !output.isEmpty || sendFailure != nil { interest.insert(.writable) }
    // A hang-up is reported as long as it lasts; where input is held back it cannot be answered by reading to the end.
    if peerHasHungUp && !interest.contains(.readable) { interest.insert(.changesOnly) }
    return interest
  }

  private func updateInterest() {
    guard state != .closed else { return }
    watch?.change(to: wantedInterest)
  }

  private func ready(_ readiness: Readiness) {
    if readiness.contains(.hangUp) { peerHasHungUp = true }
    if let sendFailure, !mayHaveInput { return end(sendFailure) }
    if readiness.contains(.writable) && !output.isEmpty { flush() }

    switch state {
    case .open:
      if takesInput && !inputHasEnded && !readiness.isDisjoint(with: [.readable, .hangUp, .failed]) { receive() }
      if state == .open && peerHasHungUp && inputHasEnded { return end(sendFailure) }
      updateInterest()
    case .lingering:
      if output.isEmpty || sendFailure != nil || readiness.contains(.failed) { close() }
    case .closed: break
    }
  }

  /// Whether a client that is gone has left something to read: what it asked for last is still carried out.
  private var mayHaveInput: Bool {
    peerHasHungUp && !inputHasEnded
  }

  private func receive() {
    let buffer = table.scratch
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      action?(self, .received(Array(buffer.prefix(count))))
    } else if count == 0 {
      inputHasEnded = true
      action?(self, .inputEnded)
    } else if errno != EAGAIN && errno != EINTR {
      end(EventLoopError(.receiveFrom, name, code: errno))
    }
  }

  private func flush() {
    output.send { send($0) }
    if sendFailure != nil { output.clear() }
    if output.isEmpty && sendFailure == nil && state == .open { action?(self, .outputDrained) }
  }

  /// Returns how many octets the kernel has taken.
  private func send(_ octets: UnsafeRawBufferPointer) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = Glibc.send(descriptor, octets.baseAddress, octets.count, flags)
    if count >= 0 { return count }
    if errno != EAGAIN && errno != EINTR {
      sendFailure = EventLoopError(.sendTo, name, code: errno)
    }
    return 0
  }

  private func end(_ error: EventLoopError?) {
    let action = action
    close()
    action?(self, .closed(error))
  }

  private var name: String {
    "the client with process id \(peer.process)"
  }
}
