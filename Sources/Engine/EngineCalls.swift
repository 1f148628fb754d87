import Control
import Measurements
import Workout

// Calls of clients, and their answers.
extension Engine {
  mutating func perform(_ call: ControlCall, for client: ClientID, _ now: Moment) {
    if !call.isReading, let caller = subscriptions.caller(client) {
      effects.append(.log(LogEntry(.info, "\(call.method) is called by \(caller)")))
    }
    switch call {
    case .getStatus: reply(client, .status(status(at: now)), now)
    case .watch(let request):
      if isShuttingDown, request != nil { return reply(client, .error(.shuttingDown), now) }
      if request?.wantsAny == true, case .failure(let error) = roster.defaultStrap {
        return reply(client, .error(error), now)
      }
      route(subscriptions.watch(client, from: WatchSnapshot(status(at: now))), now)
      // The events of what it begins come behind the snapshot.
      settle()
      guard let request else { return }
      route(roster.monitor(request, for: client, at: now), now)
    case .listWorkouts(let before, let limit):
      effects.append(.read(client, .workouts(before: before, limit: limit)))
    case .resetEnergy(let strap):
      do { route(try roster.resetEnergy(strap, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .listStraps: reply(client, .straps(roster.knownStraps), now)
    case .scan(let includesAll):
      if isShuttingDown { return reply(client, .error(.shuttingDown), now) }
      route(roster.scan(includesAll: includesAll, for: client, at: now), now)
    case .nameStrap(let strap, let name, let athlete):
      do { route(try roster.name(strap, name, athlete, for: client), now) } catch { reply(client, .error(error), now) }
    case .forgetStrap(let strap):
      do { route(try roster.forget(strap, for: client), now) } catch { reply(client, .error(error), now) }
    case .pair(let request):
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      do { route(try roster.pair(request, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .answerPairing(let strap, let answer):
      do { route(try roster.answerPairing(of: strap, answer, for: client, at: now), now) } catch {
        reply(client, .error(error), now)
      }
    case .getWorkout(let id): effects.append(.read(client, .workout(id)))
    case .create, .prepare, .start, .pause, .resume, .stop, .end:
      guard !isShuttingDown else { return reply(client, .error(.shuttingDown), now) }
      route(sessions.perform(call, for: client, &ledger, at: now), now)
    }
  }

  mutating func reply(_ client: ClientID, _ answer: ControlReply, _ now: Moment) {
    route(subscriptions.answer(client, answer.reply), now)
  }

  func reply(for answer: StoredAnswer) -> ControlReply {
    switch answer {
    case .workouts(let workouts, let limit):
      let next = workouts.count < limit ? nil : workouts.last.map { PageToken(start: $0.start.date, id: $0.id) }
      return .workouts(workouts.map(WorkoutSnapshot.init), next: next)
    case .workout(let workout?, _): return .workout(WorkoutSnapshot(workout))
    case .workout(nil, let id): return .error(.noSuchWorkout(id))
    case .session(let record, let workout, let call):
      return sessions.answer(call, record, workout, sequence: ledger.sequence)
    case .failed(let error): return .error(.storeFailed(error))
    }
  }

  func status(at now: Moment) -> StatusSnapshot {
    StatusSnapshot(
      sequence: ledger.sequence, durableThrough: ledger.durableThrough, date: now.wall, bluetooth: roster.hostName,
      advice: roster.hostAdvice, adapters: roster.adapters,
      straps: roster.links.keys.sorted().compactMap { roster.snapshot(of: $0, at: now) },
      sessions: sessions.live.keys.sorted().compactMap {
        sessions.live[$0]?.snapshot(sequence: ledger.sequence, at: now)
      },
      locks: keepAlive.snapshots, watchers: subscriptions.watchers, oddSignals: roster.mirror.oddSignals,
      held: ledger.held ?? ledger.unsyncable)
  }
}
