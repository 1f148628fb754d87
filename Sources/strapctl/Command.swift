import Control
import Measurements
import Workout

/// One command with its arguments, checked as far as that is possible without the daemon.
enum Command: Equatable {
  case status
  case create(Wish)
  case prepare(session: SessionID?, Wish, supersedes: Bool = false)
  case start(session: SessionID?, StartTime, supersedes: Bool = false)
  case pause(session: SessionID?)
  case resume(session: SessionID?)
  case stop(session: SessionID?, date: String?)
  case end(session: SessionID?)
  case cancel(session: SessionID?)
  case lap(session: SessionID?, label: String?)
  case mark(session: SessionID?, label: String?)
  /// The activity is checked by the daemon.
  case beginActivity(session: SessionID?, String, LocationType?, label: String?)
  case endActivity(session: SessionID?)
  /// A live session, or a finished workout.
  case discard(session: SessionID?)
  /// The newest workouts in the trash; nil means all of them.
  case trash(limit: Int?)
  case restore(SessionID)
  case watch(WatchWish = WatchWish())
  /// Live values without a session; no strap means any.
  case monitor([String], adapter: StrapAddress?)
  /// The newest workouts; nil means all of them.
  case list(limit: Int?, HistoryFilter = HistoryFilter())
  case totals(CalendarPeriod, HistoryFilter)
  case show(SessionID)
  case athletes
  case athlete(AthleteWish)
  case revise(Revising)
  case history(Revising)
  case samples(SessionID, SamplesWish = SamplesWish())
  case resetEnergy(strap: String?)
  /// What is near; nil means without end.
  case scan(seconds: Double?, all: Bool, adapter: StrapAddress? = nil)
  case straps
  case timings
  case bridge
  /// nil leaves the one or the other as it is, an empty text takes it away.
  case name(strap: String, name: String?, athlete: String?)
  case forget(strap: String)
  /// - Parameter again: a bond that stands is removed first.
  /// - Parameter noInput: nobody is asked, even at a terminal.
  case pair(strap: String?, again: Bool, noInput: Bool)
  case demo
  case doctor
  /// A copy of the store.
  case backup(BackupTarget)
  case export(ExportWish)
  case importing(ImportWish)
  case verify
}

/// What a session is to be made from. The activity is checked by the daemon, which may know more of them.
struct Wish: Equatable {
  var activity: String?
  var location: LocationType?
  /// An address or a name, which the daemon knows.
  var strap: String?
  var adapter: StrapAddress?
}

/// Which of the finished workouts are meant. Activity and strap are checked by the daemon.
struct HistoryFilter: Equatable {
  var activity: String?
  var athlete: String?
  var strap: String?
  /// A part of it.
  var title: String?
  /// RFC 3339 dates.
  var since: String?
  var until: String?
}

enum StartTime: Equatable {
  case now
  /// An RFC 3339 date as it was given.
  case at(String)
  case countdown(seconds: Double)
  case firstBeat
}

/// Why a command line cannot be followed.
struct UsageError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
