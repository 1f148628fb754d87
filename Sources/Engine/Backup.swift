import Control
import Measurements
import Workout

/// The copy of the store that a client is given: one at a time, step by step, each of which takes 2 ms at most and is done
/// when nothing else is.
struct Backup: Sendable {
  private enum State: Sendable {
    /// Leaves to: copying.
    case idle
    /// The store copies itself, and looks through the copy. Leaves to: sending, idle.
    case copying(ClientID, told: Progress)
    /// Leaves to: idle.
    case sending(ClientID, SHA256, sent: Int)
  }

  /// What was told last; each hundredth is told once.
  private struct Progress: Equatable, Sendable {
    var isChecking = false
    var percent = -1
  }

  private var state = State.idle

  /// How long a client may take nothing of it.
  static let patience = Duration.seconds(60)

  /// Who is given it.
  var client: ClientID? {
    switch state {
    case .idle: nil
    case .copying(let client, _), .sending(let client, _, _): client
    }
  }

  mutating func begin(for client: ClientID) {
    precondition(self.client == nil, "a backup is under way")
    state = .copying(client, told: Progress())
  }

  mutating func end() {
    state = .idle
  }

  /// - Returns: what the client is to be told of it; nil where that is nothing.
  mutating func take(_ step: BackupStep) -> BackupReport? {
    switch (state, step) {
    case (.copying(let client, let told), .copied(let octets, let all)):
      return report(.copied(octets, of: all), Self.progress(false, octets, all), told, client)
    case (.copying(let client, let told), .checked(let octets, let all)):
      return report(.checked(octets, of: all), Self.progress(true, octets, all), told, client)
    case (.copying(let client, _), .read(let piece, let all)): return send(piece, of: all, SHA256(), sent: 0, client)
    case (.sending(let client, let digest, let sent), .read(let piece, let all)):
      return send(piece, of: all, digest, sent: sent, client)
    case (.sending(_, let digest, let sent), .over):
      state = .idle
      return .done(size: sent, sha256: digest.hexadecimal)
    case (.idle, _): return nil
    case (.copying, .over), (.sending, .copied), (.sending, .checked):
      preconditionFailure("a backup's step \(step) while \(state)")
    }
  }

  private mutating func report(
    _ report: BackupReport, _ progress: Progress, _ told: Progress, _ client: ClientID
  ) -> BackupReport? {
    guard progress != told else { return nil }
    state = .copying(client, told: progress)
    return report
  }

  private mutating func send(
    _ piece: [UInt8], of all: Int, _ digest: SHA256, sent: Int, _ client: ClientID
  ) -> BackupReport {
    var digest = digest
    digest.update(piece)
    state = .sending(client, digest, sent: sent + piece.count)
    return .piece(piece, through: sent + piece.count, of: all)
  }

  private static func progress(_ isChecking: Bool, _ octets: Int, _ all: Int) -> Progress {
    Progress(isChecking: isChecking, percent: all == 0 ? 0 : octets * 100 / all)
  }
}

extension Engine {
  /// Whether the store is to take a step of the backup, as soon as nothing else is to be done; answer by `backupStepped` or
  /// `backupFailed`. Not while its client has not taken what there is.
  public var wantsBackupStep: Bool {
    backup.client.map { subscriptions.takesAnswers($0) } ?? false
  }

  mutating func beginBackup(for client: ClientID, _ now: Moment) {
    if isShuttingDown { return reply(client, .error(.shuttingDown), now) }
    if subscriptions.isRedacted(client) { return reply(client, .error(.screenLocked), now) }
    if backup.client != nil { return reply(client, .error(.backupBusy), now) }
    backup.begin(for: client)
    deadlines.set(.backup, now.tick + Backup.patience)
    effects.append(.beginBackup)
  }

  mutating func take(_ step: BackupStep, _ now: Moment) {
    guard let client = backup.client else { return }
    // The screen may have been locked meanwhile.
    if subscriptions.isRedacted(client) { return failBackup(.screenLocked, now) }
    deadlines.set(.backup, now.tick + Backup.patience)
    guard let report = backup.take(step) else { return }
    if case .done(let size, _) = report {
      let caller = subscriptions.caller(client).map { "\($0)" } ?? "a client"
      effects.append(.log(LogEntry(.info, "a backup of \(size) octets was given to \(caller)")))
      endBackup()
    }
    reply(client, .backup(report), now)
  }

  mutating func backupFailed(_ error: StoreError, _ now: Moment) {
    guard backup.client != nil else { return }
    effects.append(.log(LogEntry(.warning, "a backup could not be made; the store is as it was (\(error))")))
    failBackup(.storeFailed(error), now)
  }

  /// The client is told why there is none.
  mutating func failBackup(_ error: ControlError, _ now: Moment) {
    guard let client = backup.client else { return }
    endBackup()
    reply(client, .error(error), now)
  }

  /// For one that waits for it in vain as well.
  mutating func endBackup() {
    backup.end()
    deadlines.set(.backup, nil)
    effects.append(.endBackup)
  }

  /// A client that takes nothing keeps all others from a backup, and its copy keeps room on the disk.
  mutating func lookAtBackup(_ now: Moment) {
    guard let client = backup.client else { return }
    guard !wantsBackupStep else { return deadlines.set(.backup, now.tick + Backup.patience) }
    effects.append(.close(client, reason: "it does not take the backup that it has asked for"))
    gone(client, now)
  }
}
