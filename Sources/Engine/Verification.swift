import Control
import Measurements
import Workout

/// The check of the whole store that a client has asked for: a program of its own, since it cannot be done in steps.
struct Verification: Sendable {
  /// Of this life; what comes late of an earlier one is nothing of this one's.
  private(set) var number = 0
  /// Who has asked for it.
  private(set) var client: ClientID?
  /// The last line that it has said: a finding, or at the end what it has come to.
  private var last: String?
  private var findings = 0

  /// Findings that go into the journal; the rest is counted.
  static let mostLogged = 20

  mutating func begin(for client: ClientID) {
    number += 1
    (self.client, last, findings) = (client, nil, 0)
  }

  mutating func end() {
    (client, last, findings) = (nil, nil, 0)
  }

  /// - Returns: the finding that is known to be one now.
  mutating func take(_ line: String) -> String? {
    defer { last = line }
    if last != nil { findings += 1 }
    return last
  }

  var isLogged: Bool { findings <= Self.mostLogged }
  var unlogged: Int { max(0, findings - Self.mostLogged) }
  var summary: String? { last }
}

extension Engine {
  mutating func beginVerification(for client: ClientID, _ now: Moment) {
    if isShuttingDown { return reply(client, .error(.shuttingDown), now) }
    if verification.client != nil { return reply(client, .error(.verifyBusy), now) }
    verification.begin(for: client)
    effects.append(.beginVerification(verification.number))
  }

  mutating func verificationSaid(_ number: Int, _ line: String, _ now: Moment) {
    guard number == verification.number, let client = verification.client, let finding = verification.take(line) else {
      return
    }
    if verification.isLogged { effects.append(.log(LogEntry(.error, "the store is not sound: \(finding)"))) }
    reply(client, .verification(.finding(finding)), now)
  }

  /// - Parameter status: the program's, nil where it was killed or could not be started; 0 and 1 say that it has checked, 2 that
  ///   its last line says why it has not.
  mutating func verificationEnded(_ number: Int, _ status: Int32?, _ text: String?, _ now: Moment) {
    guard number == verification.number, let client = verification.client else { return }
    let summary = verification.summary
    let unlogged = verification.unlogged
    verification.end()
    effects.append(.endVerification)
    guard let summary, let status, status <= 1 else {
      let end = status.map { "its program ended in the middle (exit status \($0))" } ?? "its program was killed"
      let why = text ?? (status == 2 ? summary : nil) ?? end
      effects.append(.log(LogEntry(.warning, "the store could not be checked: \(why)")))
      return reply(client, .error(.verifyFailed(why)), now)
    }
    if unlogged > 0 { effects.append(.log(LogEntry(.error, "\(unlogged) more things are wrong with the store"))) }
    effects.append(.log(LogEntry(status == 0 ? .info : .error, "the store was checked: \(summary)")))
    reply(client, .verification(.done(isSound: status == 0, summary)), now)
  }

  /// Nobody is there any more to be told.
  mutating func endVerification() {
    verification.end()
    effects.append(.endVerification)
  }
}
