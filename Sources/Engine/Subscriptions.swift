import Control
import Workout

/// The clients of the control socket: their conversations, and who watches.
struct Subscriptions: Sendable {
  /// What straps are called, for calls that name one.
  var names = StrapNames()
  private var clients: [ClientID: Client] = [:]
  var watchers: [ClientID: Watcher] = [:]
  var recent: RecentEvents

  private struct Client: Sendable {
    var conversation: Conversation
    let caller: Caller
    var isHeld = false
    var hasFinishedSending = false
    /// Octets of answers since all was last known to be sent; a client that does not take its answers gets no further
    /// ones, however many calls it has sent ahead.
    var unsent = 0
    var isWaitingForDrain = false
    /// Whether it may read heart rates; nil while that is not known, and no call of its is performed.
    var mayRead: Bool?
  }

  /// How many octets of answers may be under way before a client has to take them.
  static let mostUnsent = 256 << 10

  /// - Parameter sequence: the number of the last event before this life of the daemon.
  init(after sequence: Int64 = 0) {
    recent = RecentEvents(after: sequence)
  }

  var isEmpty: Bool { clients.isEmpty }

  /// Who a client is, for the journal.
  func caller(_ id: ClientID) -> Caller? { clients[id]?.caller }

  mutating func connected(_ id: ClientID, _ caller: Caller, mayRead: Bool? = true) {
    clients[id] = Client(conversation: Conversation(caller.access), caller: caller, mayRead: mayRead)
  }

  /// Who may read heart rates may have changed.
  mutating func reconsider(_ mayRead: (UInt32?) -> Bool?) -> [SubscriptionsEffect] {
    var effects: [SubscriptionsEffect] = []
    for id in clients.keys.sorted() {
      guard let client = clients[id] else { continue }
      let now = mayRead(client.caller.user)
      guard now != client.mayRead else { continue }
      clients[id]?.mayRead = now
      if client.mayRead == nil { effects += goOn(id) }
    }
    return effects
  }

  /// Whether what a client is told must not tell of the heart.
  func isRedacted(_ id: ClientID) -> Bool { clients[id]?.mayRead == false }

  /// Whether further answers may be made for a client, or it has to take those first that it has; false where there is no
  /// such client, and where it is being asked for what it may read.
  func takesAnswers(_ id: ClientID) -> Bool {
    clients[id].map { $0.unsent <= Self.mostUnsent && $0.mayRead != nil } ?? false
  }

  mutating func gone(_ id: ClientID) {
    clients[id] = nil
    watchers[id] = nil
  }

  mutating func received(_ bytes: [UInt8], from id: ClientID) -> [SubscriptionsEffect] {
    clients[id]?.conversation.received(bytes)
    return goOn(id)
  }

  /// Everything that was written to the client is sent.
  mutating func drained(_ id: ClientID) -> [SubscriptionsEffect] {
    clients[id]?.unsent = 0
    clients[id]?.isWaitingForDrain = false
    watchers[id]?.drained()
    return (watchers[id]?.hasCaughtUp == true ? [.tellDue] : []) + goOn(id)
  }

  /// The client sends no more: it goes when its last call is answered, unless it watches.
  mutating func finishedSending(_ id: ClientID) -> [SubscriptionsEffect] {
    clients[id]?.hasFinishedSending = true
    return goOn(id)
  }

  /// The answer to the client's call; a client that has gone is past hearing it.
  mutating func answer(_ id: ClientID, _ reply: VarlinkReply) -> [SubscriptionsEffect] {
    let reply = isRedacted(id) ? reply.redacted : reply
    guard let bytes = clients[id]?.conversation.answer(reply) else { return [] }
    clients[id]?.unsent += bytes.count
    return (bytes.isEmpty ? [] : [.write(id, bytes)]) + goOn(id)
  }

  /// - Returns: false where there is no such client.
  mutating func startWatching(_ id: ClientID) -> Bool {
    clients[id]?.conversation.startWatching()
    return clients[id] != nil
  }

  /// Whatever a client has sent ahead is taken up, as far as it takes the answers.
  mutating func goOn(_ id: ClientID) -> [SubscriptionsEffect] {
    var effects: [SubscriptionsEffect] = []
    steps: while let client = clients[id] {
      if client.mayRead == nil { break steps }
      if client.unsent > Self.mostUnsent {
        if !client.isWaitingForDrain { effects.append(.tellWhenDrained(id)) }
        clients[id]?.isWaitingForDrain = true
        break steps
      }
      guard let step = clients[id]?.conversation.next(names) else { break steps }
      switch step {
      case .write(let bytes):
        clients[id]?.unsent += bytes.count
        effects.append(.write(id, bytes))
      case .perform(let call):
        effects.append(.perform(id, call))
        break steps
      case .close(let reason):
        effects.append(.close(id, reason))
        gone(id)
        break steps
      }
    }
    if let client = clients[id], client.hasFinishedSending, client.conversation.isIdle, !client.isWaitingForDrain,
      client.mayRead != nil
    {
      effects.append(.close(id, nil))
      gone(id)
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
  case tellWhenDrained(ClientID)
  case beginWatch(ClientID, WatchSnapshot)
  case tellDue
  /// With what the journal is to say.
  case drop(ClientID, String)
  case close(ClientID, String?)
}
