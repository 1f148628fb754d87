import Control
import Engine
import EventLoop
import Glibc

/// The connections of the control socket.
final class Clients {
  private let loop: EventLoop
  private var listeners: [Listener] = []
  private var connections: [ClientID: StreamConnection] = [:]
  /// Clients whose output is to be told of when all is sent.
  private var awaited: Set<ClientID> = []
  private var lastNumber: UInt64 = 0

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Listens on the sockets that systemd has passed, else on two of our own in a folder, which the daemon's group may use.
  ///
  /// - Returns: whether systemd has passed any, and so starts the daemon again for the next connection.
  func listen(in folder: String, _ journal: Journal, _ happened: @escaping (Input) -> Void) throws(EventLoopError)
    -> Bool
  {
    let accepted: (Access) -> (StreamConnection) -> Void = { access in
      { [unowned self] in take($0, access, journal, happened) }
    }
    let failed: (EventLoopError) -> Void = { journal.log(.warning, "\($0)") }
    let passed = try EventLoop.passedSockets()
    for socket in passed {
      // Only a socket that says so is the monitor's: one of an older unit has no name.
      let access = Access(rawValue: socket.name) ?? .control
      listeners.append(try Listener(loop, adopting: socket.descriptor, accepted: accepted(access), failed: failed))
    }
    guard passed.isEmpty else { return true }
    for access in [Access.control, .monitor] {
      let path = "\(folder)/\(access.rawValue).sock"
      listeners.append(try Listener(loop, path: path, accepted: accepted(access), failed: failed))
    }
    return false
  }

  /// Takes the socket away if it is our own; one that systemd has passed stays, and wakes the next daemon.
  func stopListening() {
    for listener in listeners { listener.close() }
    listeners.removeAll()
  }

  enum Written {
    /// With how many octets wait to be sent.
    case taken(unsent: Int)
    case refused
    case noClient
  }

  func write(_ bytes: [UInt8], to client: ClientID) -> Written {
    guard let connection = connections[client] else { return .noClient }
    return connection.write(bytes) ? .taken(unsent: connection.waitingCount) : .refused
  }

  /// - Returns: whether nothing waits to be sent right now; otherwise it is told when it is so.
  func tellWhenDrained(_ client: ClientID) -> Bool {
    guard let connection = connections[client], connection.waitingCount > 0 else { return true }
    awaited.insert(client)
    return false
  }

  func holdReading(_ client: ClientID, _ isHeld: Bool) {
    connections[client]?.takesInput = !isHeld
  }

  /// Closes when everything is sent.
  func close(_ client: ClientID) {
    connections.removeValue(forKey: client)?.closeAfterFlushing()
  }

  func drop(_ client: ClientID) {
    connections.removeValue(forKey: client)?.close()
  }

  private func take(
    _ connection: StreamConnection, _ access: Access, _ journal: Journal, _ happened: @escaping (Input) -> Void
  ) {
    lastNumber += 1
    let client = ClientID(number: lastNumber)
    do {
      try connection.start { [unowned self] _, event in
        switch event {
        case .received(let bytes): happened(.clientSent(client, bytes))
        case .inputEnded: happened(.clientFinishedSending(client))
        case .outputDrained:
          if awaited.remove(client) != nil { happened(.clientDrained(client)) }
        case .closed:
          connections[client] = nil
          awaited.remove(client)
          happened(.clientGone(client))
        }
      }
    } catch {
      journal.log(.warning, "\(error)")
      return
    }
    connections[client] = connection
    let peer = connection.peer
    happened(.clientConnected(client, Caller(access, user: peer.user, process: peer.process)))
  }
}
