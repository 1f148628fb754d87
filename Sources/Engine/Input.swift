import Bus
import Control
import Measurements
import Workout

/// What has happened outside; the engine learns of nothing else.
public enum Input: Sendable {
  // The bus
  case busConnected
  /// The bus could not be reached, or broke; the text says how.
  case busLost(String)
  case busMessageArrived(BusMessage)
  // Clients
  case clientConnected(ClientID, Caller = Caller())
  case clientSent(ClientID, [UInt8])
  /// Everything that was written to the client is sent, as `tellWhenDrained` asked.
  case clientDrained(ClientID)
  /// The client will send no more, and may still read.
  case clientFinishedSending(ClientID)
  case clientGone(ClientID)
  // The store
  /// All record effects so far are written, as the store's commit with this number.
  case committed(Int64)
  /// These records are not written, and nothing of them.
  case commitFailed(StoreError, [Record])
  /// The store was damaged, and a new one is begun, in which the records that could not be committed are to be written; with
  /// what has become of the old one.
  case storeBegunAnew([Record], String)
  /// Commits up to this number are on the disk itself.
  case synced(throughCommit: Int64)
  /// Syncing failed, and nothing counts as synced from now on.
  case syncFailed(StoreError)
  /// What was read for a `readEvents` effect.
  case eventsRead(RebuildID, [EventRecord])
  /// What was read for a `readSamples` effect; the last piece where `isLast`.
  case samplesRead(RebuildID, [HeartRateSample], isLast: Bool)
  case rebuildFailed(RebuildID, StoreError)
  /// What came of a step of the compaction, which `Engine.wantsCompaction` asks for.
  case compacted(CompactionStep)
  case compactionFailed(StoreError)
  /// What came of a step of emptying the trash, which `Engine.wantsPurge` asks for.
  case purged(PurgeStep)
  case purgeFailed(StoreError)
  /// What came of a step of the backup, which `Engine.wantsBackupStep` asks for.
  case backupStepped(BackupStep)
  /// It could not be begun, or not be finished; nothing is left of it.
  case backupFailed(StoreError)
  /// A line of the program that checks the store, its exit status (nil where it was killed), or why it could not be started;
  /// each with the number of its effect.
  case verificationSaid(Int, String)
  case verificationEnded(Int, Int32?)
  case verificationFailed(Int, String)
  case answerRead(ClientID, StoredAnswer)
  /// The earlier boots are laid anew for a `layBoots` effect: the live sessions as they are read by that, and the ended
  /// ones whose saved workout was provisional.
  case bootsLaid([SessionRecord], ended: [ProvisionalSession] = [])
  // Time and the system
  /// The wall clock was set; the moment says to what.
  case clockSet
  /// The tick of `nextDeadline` has come.
  case deadlinePassed
  /// Random octets that were asked for.
  case entropyArrived([UInt8])
  /// systemd holds the sockets, so that a connection starts the daemon again when it has exited.
  case socketsPassed
  /// The configuration was read again, on request.
  case configurationRead(Configuration)
  /// SIGTERM or SIGINT.
  case terminationRequested
}

extension Input {
  /// Whether the kernel has said that the wall clock was set.
  var isClockSet: Bool {
    if case .clockSet = self { true } else { false }
  }
}

/// What the store found for a client's question.
public enum StoredAnswer: Sendable {
  case workouts([FinishedWorkout])
  /// With the date before which there are more.
  case totals([WorkoutTotals], next: WallTime?)
  /// Or the one that it has become part of.
  case workout(
    FinishedWorkout?, ClientData, anchors: [Anchor] = [], events: [EventRecord] = [], merged: SessionID? = nil,
    id: SessionID)
  /// The session with which a workout ends, its samples since then, and when the series was over, where that is known; no
  /// session where there is none of this id.
  case postExercise(SessionRecord?, [HeartRateSample], over: Tick?, id: SessionID)
  case samples(SessionRecord?, [HeartRateSample], id: SessionID)
  /// The workout to take out of the trash.
  case restore(FinishedWorkout?, id: SessionID)
  case revision(RevisionBase, WorkoutRevision)
  case edits(WorkoutEdits, id: SessionID)
  /// All events of a session; no session where there is none of this id.
  case events(SessionRecord?, [EventRecord], EventsQuestion)
  /// A call that named a session that is not live.
  case session(SessionRecord?, FinishedWorkout?, EndedSessionCall)
  /// nil where there is no such workout, or the one that it has become part of.
  case recording(RecordingBase?, merged: SessionID?, id: SessionID)
  case recordedEvents([EventRecord])
  case recordedSamples([HeartRateSample])
  /// What is there under the id of a workout that is to come in.
  case importable(ImportPlace)
  case turn
  case failed(StoreError)
}

/// What the store knows of the workouts that a revision names, in their order.
public struct RevisionBase: Sendable {
  public var workouts: [Found]
  /// Whether the clock may still come to say that they, or their parts, lie farther apart than it says now.
  public var mayMove: Bool
  /// Where it is an undo.
  public var undo: WorkoutUndo?
  /// Where there is no undo: whether that is since the last edit, which is not undone, is sealed.
  public var isSealed: Bool

  public struct Found: Sendable {
    public var record: SessionRecord?
    public var workout: FinishedWorkout?
    /// The one that it has become part of.
    public var merged: SessionID?

    public init(record: SessionRecord?, workout: FinishedWorkout?, merged: SessionID? = nil) {
      self.record = record
      self.workout = workout
      self.merged = merged
    }
  }

  public init(workouts: [Found], mayMove: Bool = false, undo: WorkoutUndo? = nil, isSealed: Bool = false) {
    self.workouts = workouts
    self.mayMove = mayMove
    self.undo = undo
    self.isSealed = isSealed
  }
}

/// A call that names a session which is not live: an ended one, or none.
public struct EndedSessionCall: Hashable, Sendable {
  public var session: SessionID
  public var call: SessionCall
  /// The states in which alone it is to be performed.
  public var ifState: [WorkoutState]?
}

/// Which of a workout's events a client wants.
public struct EventsQuestion: Hashable, Sendable {
  public var session: SessionID
  /// The first one's place.
  public var from: Int
  public var limit: Int
}

/// One computing of a session's statistics from the store; an answer that was read for an earlier one is void.
public struct RebuildID: Hashable, Sendable {
  public var session: SessionID
  public var number: Int
}

/// Who a client is, as the kernel says (SO_PEERCRED in unix(7)), and by which socket it came.
public struct Caller: Hashable, Sendable {
  /// What the socket allows.
  public var access: Access
  /// Its user's number.
  public var user: UInt32?
  /// Its process's number.
  public var process: Int32?

  /// A client of whom nothing is known may do everything, as the socket's permissions have let it in.
  public init(_ access: Access = .control, user: UInt32? = nil, process: Int32? = nil) {
    self.access = access
    self.user = user
    self.process = process
  }
}

extension Caller: CustomStringConvertible {
  public var description: String {
    "user \(user.map { "\($0)" } ?? "unknown"), process \(process.map { "\($0)" } ?? "unknown")"
  }
}

/// A client of the control socket, by a number that is used once in a life of the daemon.
public struct ClientID: Hashable, Comparable, Sendable {
  public var number: UInt64

  public init(number: UInt64) {
    self.number = number
  }

  public static func < (a: ClientID, b: ClientID) -> Bool {
    a.number < b.number
  }
}
