import Control
import Workout

/// The clients of the control socket: their conversations, and who watches.
struct Subscriptions: Sendable {
  private var clients: [ClientID: Client] = [:]

  private struct Client: Sendable {
    var conversation = Conversation()
    /// Events after this number go to the client, which watches; those up to it were in its snapshot.
    var watchesAfter: Int64?
    var isHeld = false
    var hasFinishedSending = false
  }

  var watchers: Int { clients.values.count { $0.watchesAfter != nil } }
  var count: Int { clients.count }

  mutating func connected(_ id: ClientID) {
    clients[id] = Client()
  }

  mutating func gone(_ id: ClientID) {
    clients[id] = nil
  }

  mutating func received(_ bytes: [UInt8], from id: ClientID) -> [SubscriptionsEffect] {
    clients[id]?.conversation.received(bytes)
    return goOn(id)
  }

  /// The client sends no more: it goes when its last call is answered, unless it watches.
  mutating func finishedSending(_ id: ClientID) -> [SubscriptionsEffect] {
    clients[id]?.hasFinishedSending = true
    return goOn(id)
  }

  /// The answer to the client's call; a client that has gone is past hearing it.
  mutating func answer(_ id: ClientID, _ reply: VarlinkReply) -> [SubscriptionsEffect] {
    guard let bytes = clients[id]?.conversation.answer(reply) else { return [] }
    return (bytes.isEmpty ? [] : [.write(id, bytes)]) + goOn(id)
  }

  /// The client's Watch begins with this snapshot.
  mutating func watch(_ id: ClientID, from snapshot: WatchSnapshot) -> [SubscriptionsEffect] {
    guard clients[id] != nil else { return [] }
    clients[id]?.conversation.startWatching()
    clients[id]?.watchesAfter = snapshot.status.sequence
    return [.write(id, snapshot.message)] + goOn(id)
  }

  /// Who is to be told of the event with this number.
  func watchers(of sequence: Int64) -> [ClientID] {
    clients.filter { $0.value.watchesAfter.map { $0 < sequence } ?? false }.keys.sorted()
  }

  private mutating func goOn(_ id: ClientID) -> [SubscriptionsEffect] {
    var effects: [SubscriptionsEffect] = []
    steps: while let step = clients[id]?.conversation.next() {
      switch step {
      case .write(let bytes): effects.append(.write(id, bytes))
      case .perform(let call):
        effects.append(.perform(id, call))
        break steps
      case .close(let reason):
        effects.append(.close(id, reason))
        clients[id] = nil
        break steps
      }
    }
    if let client = clients[id], client.hasFinishedSending, client.conversation.isIdle {
      effects.append(.close(id, nil))
      clients[id] = nil
    }
    if let client = clients[id], client.isHeld == client.conversation.wantsMore {
      clients[id]?.isHeld.toggle()
      effects.append(.holdReading(id, !client.isHeld))
    }
    return effects
  }
}

enum SubscriptionsEffect: Sendable {
  case perform(ClientID, ControlCall)
  case write(ClientID, [UInt8])
  case holdReading(ClientID, Bool)
  case close(ClientID, String?)
}
