import Control
import Measurements
import Workout

// The wall clock: set, right at last, or never.
extension Engine {
  /// Looks at the clocks before anything else of an input is done, so that all of it is dated by the clock as it is.
  mutating func lookAtClock(_ now: Moment, wasSet: Bool) {
    take(clock.look(at: now, wasSet: wasSet), now)
  }

  /// While a session is live the daemon wakes at least once in `aliveInterval`: where it has not, the machine slept.
  mutating func lookForSleep(_ now: Moment) {
    defer { lastWake = now.tick }
    guard let lastWake, now.tick - lastWake > Self.aliveInterval * 2 else { return }
    route(sessions.slept(now.tick - lastWake, until: now), now)
  }

  /// timedated has answered.
  mutating func clockTold(_ isSynchronised: Bool, _ now: Moment) {
    take(clock.told(isSynchronised, at: now), now)
  }

  private mutating func take(_ news: [WallClock.News], _ now: Moment) {
    for news in news {
      switch news {
      case .stepped(let step):
        stepped(step, now)
        timeServer.ask()
      case .synchronised: synchronised(now)
      case .givenUp:
        let text = "the clock is not known to be right after \(WallClock.longestWait), so it is taken as it is"
        effects.append(.log(LogEntry(.warning, text)))
        tellOfClock()
        route(sessions.judgeAll(&ledger, at: now), now)
      }
    }
    tellOfClock()
  }

  /// Where limits that depend on the wall clock learn whether it may be judged by.
  mutating func tellOfClock() {
    sessions.isClockSure = clock.isSure
    sessions.isClockAwaited = clock.awaitedUntil != nil
  }

  mutating func stepped(_ step: Duration, _ now: Moment) {
    let text = "the clock was set \(step < .zero ? "back" : "forward") by \(step < .zero ? .zero - step : step)"
    effects.append(.log(LogEntry(.notice, text + "; durations go by the boot clock and stay as they are")))
    ledger.record(.clockStepped(step, clock.anchor(at: now)))
    if sessions.live.isEmpty { ledger.passing(.clockStep(step), at: now) }
    route(sessions.clockStepped(by: step, &ledger, at: now), now)
  }

  /// Asks whether the clock is right, where the kernel has not said so itself.
  mutating func askForClock() {
    guard !clock.isSure, let question = timeServer.takeQuestion() else { return }
    effects.append(.send(question))
  }

  private mutating func synchronised(_ now: Moment) {
    ledger.record(.clockSynchronised(clock.anchor(at: now)))
    effects.append(.log(LogEntry(.notice, "the clock is known to be right")))
    // Only when everything is in the store can the earlier boots be laid anew from there; else when it is.
    awaitsLaying = true
    layBoots(now)
    retention.begin()
  }

  mutating func layBoots(_ now: Moment) {
    guard awaitsLaying, ledger.held == nil else { return }
    awaitsLaying = false
    effects.append(.layBoots(clock.anchor(at: now)))
  }
}
