import Glibc
import Measurements
import Store
import TestSupport
import Testing
import Workout

@testable import Engine

/// A real store under the virtual world, on a machine that can be started anew.
final class Disk {
  private let folder: TemporaryFolder
  private var store: Store
  private let boot: Int
  let report: BootReport
  let lastAlive: DatedTick?
  let nextSequence: Int64

  init(_ folder: TemporaryFolder, boot: Int, at now: Moment) throws {
    self.folder = folder
    self.boot = boot
    store = try Store(path: folder.file("strapd.db"), bootID: "boot \(boot)", at: now, syncInterval: .seconds(3600))
    report = store.bootReport
    lastAlive = store.lastAlive
    nextSequence = store.nextSequence
  }

  /// Whatever a scenario does, nothing is wrong with the store that it leaves.
  deinit {
    for finding in findings { Issue.record("the store is not sound: \(finding)") }
  }

  /// The machine, or the daemon alone, goes and comes again.
  func reopened(inNewBoot: Bool, at now: Moment) throws -> Disk {
    try store.close()
    return try Disk(folder, boot: inNewBoot ? boot + 1 : boot, at: now)
  }

  private func noted<Value>(_ body: () throws -> Value, or value: Value) -> Value {
    do { return try body() } catch {
      Issue.record(error)
      return value
    }
  }

  func commit(_ records: [Record], through: Int64) { noted({ try store.commit(records, through: through) }, or: ()) }
  func compact(at now: Tick) -> Input {
    do { return .compacted(try store.compact(at: now)) } catch {
      Issue.record(error)
      return .compacted(.rest(until: nil))
    }
  }
  func beginBackup() -> StoreError? {
    do { try store.beginBackup() } catch { return error }
    return nil
  }
  func stepBackup() -> Input {
    do { return .backupStepped(try store.stepBackup()) } catch { return .backupFailed(error) }
  }
  func endBackup() { store.endBackup() }
  /// What lies in the folder beside the store.
  var copies: [String] { ["strapd.db.backup-in-progress"].filter { access(folder.file($0), F_OK) == 0 } }
  func purge(at now: WallTime?, retention: Duration?) -> Input {
    do { return .purged(try store.purge(at: now, retention: retention)) } catch {
      Issue.record(error)
      return .purged(.rest)
    }
  }
  /// What a check of the whole store finds.
  var findings: [String] { noted({ try storeFindings(at: folder.file("strapd.db")) }, or: []) }
  func findings(after damage: String) -> [String] {
    let (file, copy) = (folder.file("strapd.db"), folder.file("copy.db"))
    return noted({ try storeFindings(at: file, copiedTo: copy, after: damage) }, or: [])
  }
  func layBoots(at now: Moment) { store.layBoots(at: now) }
  var liveSessions: [SessionRecord] { noted({ try store.liveSessions() }, or: []) }
  var provisionalSessions: [ProvisionalSession] { noted({ try store.provisionalSessions() }, or: []) }
  func events(of id: SessionID) -> [EventRecord] { noted({ try store.events(of: id) }, or: []) }
  func workout(_ id: SessionID) -> FinishedWorkout? { noted({ try store.workout(id) }, or: nil) }
  func session(_ id: SessionID) -> SessionRecord? { noted({ try store.session(id) }, or: nil) }
  func events(of workout: FinishedWorkout) -> [EventRecord] { noted({ try store.events(of: workout) }, or: []) }
  func samples(of workout: FinishedWorkout) -> [HeartRateSample] {
    noted({ try store.samples(of: workout, after: 0, limit: 1_000_000) }, or: [])
  }
  func recording(of id: SessionID) -> RecordingBase? {
    guard let workout = workout(id) else { return nil }
    let last = workout.slices.last.flatMap { session($0.session)?.end?.tick }
    return RecordingBase(
      workout, noted({ try store.clientData(of: id) }, or: ClientData()),
      anchors: anchors(of: workout.slices.first?.session ?? id),
      strap: noted({ try store.straps() }, or: []).first { $0.address == workout.strap },
      origin: noted({ try store.origin(of: workout) }, or: nil), endsWithSession: last == workout.end.tick)
  }
  func importPlace(_ id: SessionID) -> ImportPlace { noted({ try store.importPlace(id) }, or: ImportPlace(id: id)) }
  func merged(_ id: SessionID) -> SessionID? { noted({ try store.workoutMerged(with: id) }, or: nil) }
  func edits(of id: SessionID) -> [WorkoutEditRecord] {
    var (edits, place): ([WorkoutEditRecord], Int?) = ([], 0)
    while let from = place {
      let page = self.edits(of: id, from: from, limit: 1000)
      edits += page.edits
      place = page.next
    }
    return edits
  }
  func edits(of id: SessionID, from place: Int, limit: Int) -> WorkoutEdits {
    noted({ try store.edits(of: id, from: place, limit: limit) }, or: WorkoutEdits(edits: [], after: nil))
  }
  func undo(_ id: SessionID) -> WorkoutUndo? { noted({ try store.undo(id) }, or: nil) }
  func mayMove(_ ids: [SessionID]) -> Bool { noted({ try store.mayMove(ids) }, or: false) }
  func isSealed(_ id: SessionID) -> Bool { noted({ try store.isSealed(id) }, or: false) }
  func anchors(of id: SessionID) -> [Anchor] { noted({ try store.anchors(of: id) }, or: []) }
  func workouts(before place: ListPlace? = nil, matching filter: WorkoutFilter, limit: Int) -> [FinishedWorkout] {
    noted({ try store.workouts(before: place, limit: limit, matching: filter) }, or: [])
  }
  func totals(_ period: CalendarPeriod, matching filter: WorkoutFilter, limit: Int) -> StoredAnswer {
    let (totals, next) = noted({ try store.totals(period, matching: filter, limit: limit) }, or: ([], nil))
    return .totals(totals, next: next)
  }
  var workouts: [FinishedWorkout] { noted({ try store.workouts(before: nil, limit: 100) }, or: []) }

  var anchors: [SessionID: [Anchor]] {
    Dictionary(uniqueKeysWithValues: liveSessions.map { ($0.id, anchors(of: $0.id)) })
  }

  func samples(of id: SessionID) -> [HeartRateSample] {
    noted({ try store.samples(of: id, after: 0, limit: 1_000_000) }, or: [])
  }

  func samples(of id: SessionID, after: Int64, since: Tick?, limit: Int) -> [HeartRateSample] {
    noted(
      {
        if let workout = try store.workout(id), !workout.slices.isEmpty {
          return try store.samples(of: workout, after: after, since: since, limit: limit)
        }
        let begin = try since.map { try store.sequence(of: id, before: $0) } ?? 0
        return try store.samples(of: id, after: max(after, begin), limit: limit)
      }, or: [])
  }
}

extension World {
  /// A world on a real store.
  static func onDisk(_ configuration: Configuration = World.configured, at now: Moment = World.start) throws -> World {
    let disk = try Disk(try TemporaryFolder(), boot: 1, at: now)
    return World(configuration, at: now, disk: disk, boot: disk.report)
  }

  /// The daemon is killed and started again while the machine runs on; the clock may be set meanwhile.
  func restartedOnDisk(downFor span: Duration = .seconds(2), clockSetBy step: Duration = .zero) throws -> World {
    let later = Moment(
      tick: now.tick + span, wall: now.wall + span + step, isSynchronised: now.isSynchronised)
    return try taken(up: later, inNewBoot: false)
  }

  /// The machine is switched off and on again.
  ///
  /// - Parameters:
  ///   - wall: what the wall clock says when the daemon is started.
  ///   - uptime: how long the machine has run then.
  func rebooted(at wall: WallTime, isSynchronised: Bool, uptime: Duration = .seconds(20)) throws -> World {
    let zero = Tick(nanoseconds: 0)
    return try taken(
      up: Moment(tick: zero + uptime, wall: wall, isSynchronised: isSynchronised), inNewBoot: true)
  }

  private func taken(up later: Moment, inNewBoot: Bool) throws -> World {
    let disk = try #require(try self.disk?.reopened(inNewBoot: inNewBoot, at: later))
    return World(
      engine.configuration, at: later, nextSequence: disk.nextSequence, recovering: disk.liveSessions,
      lastAlive: disk.lastAlive, records: [], disk: disk, boot: disk.report)
  }
}
