import Measurements
import Workout

/// Every error that a client of the control socket can be told.
public enum ControlError: Error, Hashable, Sendable {
  // org.varlink.service
  case interfaceNotFound(String)
  case methodNotFound(String)
  case invalidParameter(String)
  case expectedMore
  /// The client came in by a socket that does not allow it.
  case permissionDenied
  // io.strapd
  case noSession(call: SessionCall)
  case sessionAmbiguous([SessionID])
  case noSuchSession(SessionID)
  case refused(SessionID, SessionError)
  /// The session is in another state than the client said.
  case stateChanged(SessionID, state: WorkoutState, expected: [WorkoutState])
  case timeline(SessionID, SessionCall, TimelineError)
  /// The date is not of the session, which goes on where it has no end.
  case outsideWorkout(SessionID, WallTime, start: WallTime, end: WallTime?)
  case strapInUse(StrapAddress, by: SessionID)
  /// This machine has no such adapter, but these.
  case noSuchAdapter(StrapAddress, existing: [StrapAddress])
  /// No strap of this name or address is known.
  case unknownStrap(String, known: [StrapName])
  case nameTaken(StrapName, by: StrapAddress)
  /// This value of this parameter cannot be a name; allowed is what the last part says.
  case nameNotAllowed(String, parameter: String, allowed: String)
  /// The parameter is set in this file, which goes before.
  case setInConfiguration(StrapAddress, parameter: String, file: String)
  /// The strap's link is held, for no session; where the configuration wants that, by this file.
  case strapHeld(StrapAddress, by: StrapHolder, file: String?)
  case unknownActivity(String)
  case unknownType(String)
  case invalidZones(HeartRateZonesError)
  /// The goal at this place of the list.
  case invalidGoal(Int)
  case invalidAlert(Int, InvalidAlert)
  /// More than may be kept with a session.
  case tooLarge(SessionID, ClientDataError)
  case noSuchWorkout(SessionID)
  case workoutMerged(SessionID, into: SessionID)
  case workoutInTrash(SessionID)
  /// Its session has not ended, or how long it lasted is not known before the clock is right.
  case workoutNotFinal(SessionID, String)
  case revisionRefused(SessionID, RevisionError, start: WallTime, end: WallTime)
  case nothingToUndo(SessionID)
  /// The workout's last edit stays: what it had to do with is deleted for good.
  case editSealed(SessionID)
  /// There is such a workout: listed, in the trash, or part of another one.
  case workoutExists(ImportPlace)
  /// One workout is imported at a time.
  case importBusy
  /// Nothing is being imported for this client.
  case noImport
  /// What is being imported is no recording of a workout, and nothing of it is kept.
  case importRefused(String)
  case invalidProfile(parameter: String, allowed: String)
  case unknownAthlete(AthleteName, known: [AthleteName])
  /// Another workout of the same edit was changed since.
  case undoOtherFirst(SessionID, other: SessionID)
  /// The strap, or (nil) every strap, is not connected.
  case notStreaming(StrapAddress?)
  case strapAmbiguous([StrapAddress])
  /// The strap cannot do it.
  case notSupported(StrapAddress)
  /// The strap or bluetoothd refused; the text says how.
  case strapFailed(StrapAddress, String)
  /// No strap was named, none is configured, and none is in sight.
  case noStrap
  /// bluetoothd knows this device, which calls itself so, and that it has no Heart Rate Service.
  case noHeartRate(StrapAddress, name: String?)
  case pairingFailed(StrapAddress, String)
  /// Nothing is asked about this strap's pairing.
  case nothingAsked(StrapAddress)
  /// One strap is paired at a time.
  case pairingBusy(StrapAddress)
  case storeFailed(StoreError)
  /// One backup is made at a time.
  case backupBusy
  /// The store is being checked already.
  case verifyBusy
  /// Why it could not be checked.
  case verifyFailed(String)
  /// What was asked for has heart rates in it, and the client's user has a locked screen.
  case screenLocked
  /// The daemon is about to exit.
  case shuttingDown
}

/// Who holds a strap's link where no session does, by the names on the wire.
public enum StrapHolder: String, Hashable, Sendable, CaseIterable {
  /// The heart rate behind a workout's end is still kept with it.
  case postExercise
  case pairing, monitor
  /// Its workouts begin by themselves.
  case unattended
  /// It is being forgotten already.
  case forgetting
}

extension ControlError {
  /// The error as it goes on the wire.
  public var reply: VarlinkReply {
    switch self {
    case .interfaceNotFound(let name): Self.service("InterfaceNotFound", ["interface": .string(name)])
    case .methodNotFound(let name): Self.service("MethodNotFound", ["method": .string(name)])
    case .invalidParameter(let name): Self.service("InvalidParameter", ["parameter": .string(name)])
    case .expectedMore: Self.service("ExpectedMore", [:])
    case .permissionDenied: Self.service("PermissionDenied", [:])
    case .noSession(let call): Self.own("NoSession", ["call": .string(call.rawValue)])
    case .sessionAmbiguous(let ids):
      Self.own("SessionAmbiguous", ["sessions": .array(ids.map { .string($0.description) })])
    case .noSuchSession(let id): Self.own("NoSuchSession", ["session": .string(id.description)])
    case .refused(let id, .notAllowed(let state, let call, let allowed)):
      Self.own(
        "CallNotAllowed",
        [
          "session": .string(id.description), "state": .string(state.rawValue), "call": .string(call.rawValue),
          "allowed": .array(allowed.map { .string($0.rawValue) }),
        ])
    case .refused(let id, .dateAhead(let date, let now)):
      Self.own(
        "DateAhead",
        ["session": .string(id.description), "date": .string(date.rfc3339), "now": .string(now.rfc3339)])
    case .refused(let id, .endBeforeStart(let end, let start)):
      Self.own(
        "EndBeforeStart",
        ["session": .string(id.description), "endDate": .string(end.rfc3339), "startDate": .string(start.rfc3339)])
    case .stateChanged(let id, let state, let expected):
      Self.own(
        "StateChanged",
        [
          "session": .string(id.description), "state": .string(state.rawValue),
          "expected": .array(expected.map { .string($0.rawValue) }),
        ])
    case .timeline(let id, let call, let error): Self.timeline(id, call, error)
    case .outsideWorkout(let id, let date, let start, let end): Self.outsideWorkout(id, date, start, end)
    case .strapInUse(let strap, let id):
      Self.own("StrapInUse", ["strap": .string(strap.description), "session": .string(id.description)])
    case .noSuchAdapter(let adapter, let existing):
      Self.own(
        "NoSuchAdapter",
        [
          "adapter": .string(adapter.description), "existing": .array(existing.map { .string($0.description) }),
        ])
    case .unknownStrap(let text, let known):
      Self.own(
        "UnknownStrap", ["strap": .string(text), "known": .array(known.map { .string($0.description) })])
    case .nameTaken(let name, let strap):
      Self.own("NameTaken", ["name": .string(name.description), "strap": .string(strap.description)])
    case .nameNotAllowed(let value, let parameter, let allowed):
      Self.own(
        "NameNotAllowed",
        ["parameter": .string(parameter), "value": .string(value), "allowed": .string(allowed)])
    case .setInConfiguration(let strap, let parameter, let file):
      Self.own(
        "SetInConfiguration",
        ["strap": .string(strap.description), "parameter": .string(parameter), "file": .string(file)])
    case .strapHeld(let strap, let holder, let file):
      Self.own(
        "StrapHeld",
        [
          "strap": .string(strap.description), "by": .string(holder.rawValue), "file": file.map(JSON.string),
        ])
    case .unknownActivity(let name):
      Self.own(
        "UnknownActivity",
        [
          "activity": .string(name), "allowed": .array(ActivityType.allCases.map { .string($0.rawValue) }),
        ])
    case .unknownType(let name):
      Self.own(
        "UnknownType",
        ["type": .string(name), "allowed": .array(CollectedType.allCases.map { .string($0.rawValue) })])
    case .invalidZones(let error):
      Self.own(
        "InvalidZones",
        ["text": .string(error.description), "allowed": .string(HeartRateZonesError.allowed)])
    case .invalidGoal(let index):
      Self.own("InvalidGoal", ["index": .integer(Int64(index)), "allowed": .string(Self.allowedGoals)])
    case .invalidAlert(let index, let error):
      Self.own("InvalidAlert", ["index": .integer(Int64(index)), "text": .string(error.description)])
    case .tooLarge(let id, let error): Self.tooLarge(id, error)
    case .noSuchWorkout(let id): Self.own("NoSuchWorkout", ["id": .string(id.description)])
    case .workoutMerged(let id, let other):
      Self.own("WorkoutMerged", ["id": .string(id.description), "into": .string(other.description)])
    case .workoutInTrash(let id): Self.own("WorkoutInTrash", ["id": .string(id.description)])
    case .workoutNotFinal(let id, let why):
      Self.own("WorkoutNotFinal", ["id": .string(id.description), "text": .string(why)])
    case .revisionRefused(let id, let error, let start, let end):
      Self.own(
        "RevisionRefused",
        [
          "id": .string(id.description), "reason": .string(error.rawValue), "text": .string(error.description),
          "startDate": .string(start.rfc3339), "endDate": .string(end.rfc3339),
        ])
    case .workoutExists(let place):
      Self.own(
        "WorkoutExists",
        [
          "id": .string(place.id.description), "inTrash": .bool(place.workout?.discarded != nil),
          "into": place.merged.map { .string($0.description) }, "format": place.format.map(JSON.string),
          "edited": place.format == nil ? nil : .bool(place.isEdited),
        ])
    case .importBusy: Self.own("ImportBusy", [:])
    case .noImport: Self.own("NoImport", [:])
    case .importRefused(let text): Self.own("ImportRefused", ["text": .string(text)])
    case .invalidProfile(let name, let allowed):
      Self.own("InvalidProfile", ["parameter": .string(name), "allowed": .string(allowed)])
    case .unknownAthlete(let name, let known):
      Self.own(
        "UnknownAthlete",
        ["athlete": .string(name.description), "known": .array(known.map { .string($0.description) })])
    case .nothingToUndo(let id): Self.own("NothingToUndo", ["id": .string(id.description)])
    case .editSealed(let id): Self.own("EditSealed", ["id": .string(id.description)])
    case .undoOtherFirst(let id, let other):
      Self.own("UndoOtherFirst", ["id": .string(id.description), "other": .string(other.description)])
    case .notStreaming(let strap): Self.own("NotStreaming", ["strap": strap.map { .string($0.description) }])
    case .strapAmbiguous(let straps):
      Self.own("StrapAmbiguous", ["straps": .array(straps.map { .string($0.description) })])
    case .notSupported(let strap): Self.own("NotSupported", ["strap": .string(strap.description)])
    case .strapFailed(let strap, let text):
      Self.own("StrapFailed", ["strap": .string(strap.description), "text": .string(text)])
    case .noStrap: Self.own("NoStrap", [:])
    case .noHeartRate(let strap, let name):
      Self.own("NoHeartRate", ["strap": .string(strap.description), "name": name.map(JSON.string)])
    case .pairingFailed(let strap, let text):
      Self.own("PairingFailed", ["strap": .string(strap.description), "text": .string(text)])
    case .nothingAsked(let strap): Self.own("NothingAsked", ["strap": .string(strap.description)])
    case .pairingBusy(let strap): Self.own("PairingBusy", ["strap": .string(strap.description)])
    case .storeFailed(let error):
      Self.own(
        "StoreFailed",
        [
          "operation": .string(error.operation.rawValue), "code": .integer(Int64(error.code)),
          "text": .string(error.text),
        ])
    case .backupBusy: Self.own("BackupBusy", [:])
    case .verifyBusy: Self.own("VerifyBusy", [:])
    case .verifyFailed(let text): Self.own("VerifyFailed", ["text": .string(text)])
    case .screenLocked: Self.own("ScreenLocked", [:])
    case .shuttingDown: Self.own("ShuttingDown", [:])
    }
  }

  private static let allowedGoals =
    "duration with seconds from 1 to 604800 (a week), or energy with kilojoules from 1 to 1000000; "
    + "\(WorkoutAlert.most) goals at most"

  private static func timeline(_ id: SessionID, _ call: SessionCall, _ error: TimelineError) -> VarlinkReply {
    let session = JSON.string(id.description)
    switch error {
    case .outsideWorkout(let date, let start, let end): return outsideWorkout(id, date, start, end)
    case .endNotAfterStart(let end, let start):
      return own(
        "EndNotAfterStart",
        ["session": session, "endDate": .string(end.rfc3339), "startDate": .string(start.rfc3339)])
    case .lapsOverlap(let start, let end, let other):
      return own(
        "LapsOverlap",
        [
          "session": session, "startDate": .string(start.rfc3339), "endDate": .string(end.rfc3339),
          "otherStartDate": .string(other.start.date.rfc3339), "otherEndDate": .string(other.end.date.rfc3339),
        ])
    case .activitiesOverlap(let date, let end):
      return own(
        "ActivitiesOverlap",
        ["session": session, "date": .string(date.rfc3339), "endDate": .string(end.rfc3339)])
    case .tooMany:
      return own(
        "TooMany",
        ["session": session, "call": .string(call.rawValue), "most": .integer(Int64(WorkoutTimeline.most))])
    }
  }

  private static func outsideWorkout(
    _ id: SessionID, _ date: WallTime, _ start: WallTime, _ end: WallTime?
  ) -> VarlinkReply {
    own(
      "OutsideWorkout",
      [
        "session": .string(id.description), "date": .string(date.rfc3339), "startDate": .string(start.rfc3339),
        "endDate": end.map { .string($0.rfc3339) },
      ])
  }

  private static func tooLarge(_ id: SessionID, _ error: ClientDataError) -> VarlinkReply {
    let (name, octets) =
      switch error {
      case .metadataTooLarge(let octets): ("metadata", octets)
      case .blobTooLarge(let octets): ("blob", octets)
      }
    return own(
      "TooLarge",
      [
        "session": .string(id.description), "parameter": .string(name), "octets": .integer(Int64(octets)),
        "most": .integer(Int64(ClientData.largest)),
      ])
  }

  private static func service(_ name: String, _ parameters: KeyValuePairs<String, JSON?>) -> VarlinkReply {
    VarlinkReply(.object(parameters), error: "org.varlink.service." + name)
  }

  private static func own(_ name: String, _ parameters: KeyValuePairs<String, JSON?>) -> VarlinkReply {
    VarlinkReply(.object(parameters), error: Interface.name + "." + name)
  }
}
