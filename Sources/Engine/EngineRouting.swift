import Bus
import Control
import Measurements
import Workout

// What the engine's parts want done, and what each tells the others.
extension Engine {
  mutating func route(_ effects: [RosterEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .openBus: self.effects.append(.openBus)
      case .send(let message): self.effects.append(.send(message))
      case .deadline(let deadline, let tick): deadlines.set(.roster(deadline), tick)
      case .record(let record): ledger.record(record)
      case .log(let entry): self.effects.append(.log(entry))
      case .event(let event): take(event, now)
      }
    }
  }

  mutating func take(_ message: BusMessage, _ now: Moment) {
    if let taken = keepAlive.take(message, at: now) { return route(taken) }
    // Of all that is asked, only a lock is a descriptor: others come late, or from strangers.
    for descriptor in message.fileDescriptors { effects.append(.closeDescriptor(descriptor)) }
    if let isSynchronised = timeServer.take(message) { return clockTold(isSynchronised, now) }
    if screenLocks.isEnabled, let questions = screenLocks.take(message, at: now) { return ask(questions, now) }
    route(roster.take(message, at: now), now)
  }

  mutating func route(_ effects: [KeepAliveEffect]) {
    for effect in effects {
      switch effect {
      case .send(let message): self.effects.append(.send(message))
      case .close(let descriptor): self.effects.append(.closeDescriptor(descriptor))
      case .deadline(let operation, let tick): deadlines.set(.lock(operation), tick)
      case .log(let entry): self.effects.append(.log(entry))
      }
    }
  }

  /// Sends what is to be asked of logind about screens, and lets clients go on of whom it is known.
  mutating func ask(_ messages: [BusMessage], _ now: Moment) {
    for message in messages { effects.append(.send(message)) }
    deadlines.set(.screenLock, screenLocks.deadline)
    let locks = screenLocks
    route(subscriptions.reconsider { locks.mayRead($0) }, now)
  }

  /// Reads no more for a client: it has gone, or the store has failed.
  mutating func endReadings(for client: ClientID) {
    samplesReadings[client] = nil
    workoutsReadings[client] = nil
    totalsReadings[client] = nil
    recordingReadings[client] = nil
  }

  /// A client has gone, by itself or by us.
  mutating func gone(_ client: ClientID, _ now: Moment) {
    if backup.client == client { endBackup() }
    if verification.client == client { endVerification() }
    endReadings(for: client)
    asked[client] = nil
    route(sessions.importerGone(client, &ledger), now)
    screenLocks.clientGone(client)
    subscriptions.gone(client)
    route(roster.clientGone(client, at: now), now)
  }

  mutating func take(_ event: RosterEvent, _ now: Moment) {
    switch event {
    case .measured(let strap, let measurement, let payload, let isRepeat, let beats):
      let availability = roster.links[strap]?.availability ?? .unknown
      let effects = sessions.measured(
        strap, measurement, payload: payload, isRepeat: isRepeat, beats: beats, availability: availability, &ledger,
        at: now)
      route(effects, now)
    case .gap(let strap, let since): sessions.gap(strap, since: since, &ledger, at: now)
    case .availability(let strap, let availability):
      sessions.availabilityChanged(strap, availability, &ledger, at: now)
    case .linkLost(let strap):
      guard let link = roster.snapshot(of: strap, at: now) else { return }
      roster.links[strap]?.told = LinkNews(link)
      route(sessions.linkChanged(link, isLost: true, &ledger, at: now), now)
    case .linkChanged(let strap):
      // Several steps of one moment show the same; and what has changed may be none of what is told.
      guard let link = roster.snapshot(of: strap, at: now), roster.links[strap]?.told != LinkNews(link) else { return }
      roster.links[strap]?.told = LinkNews(link)
      route(sessions.linkChanged(link, isLost: false, &ledger, at: now), now)
    case .lowBattery(let strap, let level, let threshold):
      let isUnreliable = roster.needs(.distrustsBattery, strap)
      sessions.batteryLow(strap, level, threshold: threshold, isUnreliable: isUnreliable, &ledger, at: now)
    case .namesChanged:
      subscriptions.names = roster.known.names
      sessions.defaultStrap = roster.defaultStrap
      sessions.athletes = roster.known.athletes
    case .answered(let client, let answer): reply(client, answer, now)
    case .promised(let promise): promises.append(promise)
    case .trying(.session(let session), let strap): sessions.trying(session, strap)
    case .chosen(.session(let session), let strap):
      sessions.chosen(session, strap, &ledger)
      sessions.availabilityChanged(strap, roster.links[strap]?.availability ?? .acquiring, &ledger, at: now)
    case .trying(.monitor(let client), let strap): tell(client, strap, now)
    case .searching(.session(let session), let why):
      route(sessions.searching(session, why: why, &ledger, at: now), now)
    case .searching(.monitor(let client), let why): if why != nil { tell(client, nil, now) }
    case .searching(.pairing, _), .searching(.postExercise, _), .searching(.unattended, _): break
    case .chosen(.monitor, _), .trying(.pairing, _), .chosen(.pairing, _), .trying(.postExercise, _),
      .chosen(.postExercise, _), .trying(.unattended, _), .chosen(.unattended, _):
      break
    }
  }

  /// Tells a client which strap it monitors; nil while one is being looked for.
  mutating func tell(_ client: ClientID, _ strap: StrapAddress?, _ now: Moment) {
    let why = roster.searchTroubles[.monitor(client)]?.text ?? roster.hostAdvice
    let notice = MonitorNotice(
      strap: strap.flatMap { roster.snapshot(of: $0, at: now) }, advice: strap == nil ? why : nil,
      sequence: ledger.sequence, date: now.wall, durableThrough: ledger.durableThrough)
    route(subscriptions.tell(client, notice), now)
    settle()
  }

  /// Tells the running sessions whether this machine can receive from their straps, where that is news.
  mutating func watchHost(_ now: Moment) {
    var news: [(session: SessionID, isWorking: Bool?, advice: String?)] = []
    for (id, session) in sessions.live where session.machine.state == .running {
      // What comes needs no other proof.
      let isWorking = session.availability == .available ? true : roster.isWorking(for: .session(id), session.strap)
      guard session.isNews(isWorking) else { continue }
      news.append((id, isWorking, isWorking == false ? roster.advice(for: .session(id), session.strap) : nil))
    }
    for (id, isWorking, advice) in news.sorted(by: { $0.session < $1.session }) {
      route(sessions.hostChanged(id, isWorking: isWorking, advice: advice, &ledger, at: now), now)
    }
    for (strap, wearing) in sessions.wearings.sorted(by: { $0.key < $1.key }) where wearing.minds {
      let isWorking =
        roster.links[strap]?.availability == .available ? true : roster.isListening(to: strap)
      guard wearing.isNews(isWorking) else { continue }
      route(sessions.hostChanged(of: strap, isWorking: isWorking, at: now), now)
    }
  }

  mutating func route(_ effects: [SessionsEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .want(let session, let strap, let adapter):
        route(roster.want(.session(session), strap, by: adapter, at: now), now)
      case .release(let session):
        compaction.begin()
        route(roster.release(.session(session), at: now), now)
      case .hold(let session, let strap):
        // By the adapter of the session itself, whose claim is about to be given back.
        let adapter = roster.adapterWishes[.session(session)]
        route(roster.want(.postExercise(session), strap, by: adapter, at: now), now)
      case .lookAfterStrap(let strap): route(roster.want(.unattended(strap), strap, by: nil, at: now), now)
      case .leaveStrap(let strap): route(roster.release(.unattended(strap), at: now), now)
      case .awaitTakingOff(let strap, let isAwaited): route(roster.note(strap, awaitsTakingOff: isAwaited), now)
      case .keepDryRun(let strap, let run): route(roster.note(strap, dryRun: run), now)
      case .letGo(let session):
        compaction.begin()
        route(roster.release(.postExercise(session), at: now), now)
      case .reply(let client, let answer): reply(client, answer, now)
      case .read(let client, let question): read(question, for: client)
      case .promise(let promise): promises.append(promise)
      case .deadline(let deadline, let tick): deadlines.set(.sessions(deadline), tick)
      case .requestSync: self.effects.append(.requestSync)
      case .readEvents(let id): self.effects.append(.readEvents(id))
      case .readSamples(let id, let after): self.effects.append(.readSamples(id, after: after))
      case .fetchEntropy(let count): self.effects.append(.fetchEntropy(count: count))
      case .log(let entry): self.effects.append(.log(entry))
      }
    }
  }

  mutating func route(_ effects: [SubscriptionsEffect], _ now: Moment) {
    for effect in effects {
      switch effect {
      case .perform(let client, let call): calls.append((client, call))
      case .write(let client, let bytes): self.effects.append(.write(client, bytes))
      case .tellWhenDrained(let client): self.effects.append(.tellWhenDrained(client))
      case .holdReading(let client, let isHeld): self.effects.append(.holdReading(client, isHeld))
      case .beginWatch(let client, let snapshot): self.effects.append(.beginWatch(client, snapshot))
      case .tellDue: self.effects.append(.tellDue)
      case .drop(let client, let text):
        self.effects.append(.log(LogEntry(.notice, text)))
        self.effects.append(.drop(client))
      case .close(let client, let reason):
        self.effects.append(.close(client, reason: reason))
        gone(client, now)
      }
    }
  }
}
