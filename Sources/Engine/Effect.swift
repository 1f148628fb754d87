import Bus
import Control
import Measurements
import Workout

/// What is to be done outside. Within a wake-up, all `record` effects are written first, in one transaction; everything
/// else follows when that is done, in the order given.
public enum Effect: Hashable, Sendable {
  case record(Record)
  /// Many at once: an effect of their own each would take several times the room.
  case records([Record])
  /// Perform what `Engine.publish` says.
  case publish(Event)
  /// Perform what `Engine.beginWatch` says.
  case beginWatch(ClientID, WatchSnapshot)
  /// Perform what `Engine.tellDue` says.
  case tellDue
  // Clients
  /// Then tell the engine by `wrote` how much is not sent.
  case write(ClientID, [UInt8])
  /// What was before it in this order is done: tell `Engine.note` how long it has taken since.
  case timed(TimedWork, since: Tick)
  /// Read no more (or again) from a client that sends ahead.
  case holdReading(ClientID, Bool)
  /// Answer by `clientDrained` when nothing waits to be sent to the client.
  case tellWhenDrained(ClientID)
  /// Close at once, and answer by `clientGone`.
  case drop(ClientID)
  /// Close when everything is sent; the reason is for the journal, where the client is at fault.
  case close(ClientID, reason: String?)
  // The bus
  case openBus
  case send(BusMessage)
  /// A lock is given back, or a descriptor came that nobody has asked for.
  case closeDescriptor(BusFileDescriptor)
  // The store
  /// Sync now, and tell `synced` when it is done.
  case requestSync
  /// How long a commit may wait for its sync when nobody asks for one.
  case setSyncInterval(Duration)
  /// Read a session's events in a turn of its own, and answer by `eventsRead` before any other input.
  case readEvents(RebuildID)
  /// Read the session's next samples in a turn of its own, and answer by `samplesRead` before any other input.
  case readSamples(RebuildID, after: Int64)
  /// Lay earlier boots anew by this boot's clocks, read the sessions in a turn of its own, and answer by `bootsLaid`
  /// before any other input.
  case layBoots(Moment)
  case read(ClientID, Question)
  /// Begin a copy of the store; answer by `backupFailed` where that is not possible.
  case beginBackup
  /// End it, finished or not; nothing is to be left of it.
  case endBackup
  /// Start the program that checks the store; answer by `verificationSaid` and `verificationEnded`, or `verificationFailed`.
  case beginVerification(Int)
  /// End it, wherever it is, without an answer.
  case endVerification
  // The system
  case fetchEntropy(count: Int)
  case log(LogEntry)
  /// systemd's STATUS= line.
  case showStatus(String)
  /// Everything is put away: leave the loop.
  case exit
}

/// A question to the store on a client's behalf.
public enum Question: Hashable, Sendable {
  /// At most so many of a list behind a place, in a turn of its own.
  case workouts(before: ListPlace?, limit: Int, WorkoutFilter)
  /// Of at most so many workouts, in a turn of its own.
  case totals(CalendarPeriod, WorkoutFilter, limit: Int)
  case workout(SessionID)
  case restore(SessionID)
  /// What a revision needs to know: its workouts, and what an undo would do.
  case revision(WorkoutRevision)
  /// At most so many edits of a workout from a place on, in a turn of its own.
  case edits(SessionID, from: Int, limit: Int)
  case postExercise(SessionID)
  /// At most so many measurements of a session behind an event, in a turn of its own; those that came before a tick may be
  /// left out.
  case samples(SessionID, after: Int64, since: Tick?, limit: Int)
  case events(EventsQuestion)
  case session(EndedSessionCall)
  /// What is said of a finished workout that is to be exported.
  case recording(SessionID)
  /// All events of a session, in a turn of its own.
  case recordedEvents(SessionID)
  /// At most so many samples of a session behind a number, in a turn of its own.
  case recordedSamples(SessionID, after: Int64, limit: Int)
  /// Whether a workout may be brought in under this id.
  case importable(SessionID)
  /// Nothing but a turn of the loop.
  case turn
}

extension Question {
  /// Whether it is one of many, each of which is to have a turn of the loop to itself.
  public var isStep: Bool {
    switch self {
    case .samples, .workouts, .totals, .edits, .recordedEvents, .recordedSamples, .turn: true
    case .workout, .restore, .revision, .postExercise, .events, .session, .recording, .importable:
      false
    }
  }
}

extension Effect {
  /// What it wants to be written; nil for those that want something else.
  public var records: [Record]? {
    switch self {
    case .record(let record): [record]
    case .records(let records): records
    case .publish, .beginWatch, .tellDue, .write, .timed, .holdReading, .tellWhenDrained, .drop, .close, .openBus,
      .send,
      .closeDescriptor, .requestSync,
      .setSyncInterval, .readEvents, .readSamples, .layBoots, .read, .beginBackup, .endBackup, .beginVerification,
      .endVerification, .fetchEntropy, .log,
      .showStatus, .exit:
      nil
    }
  }
}

/// One line for the journal.
public struct LogEntry: Hashable, Sendable {
  public enum Priority: Hashable, Sendable {
    case error, warning, notice, info
  }

  public var priority: Priority
  public var text: String
  public var strap: StrapAddress?
  public var session: SessionID?

  public init(_ priority: Priority, _ text: String, strap: StrapAddress? = nil, session: SessionID? = nil) {
    self.priority = priority
    self.text = text
    self.strap = strap
    self.session = session
  }
}
