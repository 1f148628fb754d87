import Control

/// An error that strapd has answered with.
struct Refusal: Error, Equatable {
  /// The error's full name.
  var error: String
  var parameters: JSON
  /// The method that was called, by its full name.
  var method: String
  /// Whether a person was asked before.
  var wasAsked = false

  /// nil where the reply is no error.
  init?(_ reply: VarlinkReply, to method: String) {
    guard let error = reply.error else { return nil }
    self.error = error
    self.parameters = reply.parameters
    self.method = method
  }

  /// What strapd would have answered.
  static func unknownAthlete(_ name: String, _ known: [String]) -> Refusal {
    let names = known.map(JSON.string)
    return Refusal(
      error: "\(Interface.name).UnknownAthlete",
      parameters: .object(["athlete": .string(name), "known": .array(names)]), method: "\(Interface.name).ListAthletes")
  }

  private init(error: String, parameters: JSON, method: String) {
    (self.error, self.parameters, self.method) = (error, parameters, method)
  }

  /// The error as it stands on the wire, for programs.
  var json: JSON { .object(["error": .string(error), "parameters": parameters]) }
}

// MARK: - For people

extension Refusal: CustomStringConvertible {
  /// What was tried, what came back, and what to do.
  var description: String { knownText ?? "strapd refused \(verb): \(error.printable) \(parameters.text.printable)" }

  /// nil for an error that this strapctl does not know.
  var knownText: String? {
    switch error {
    case "org.varlink.service.InterfaceNotFound":
      "what answers at this socket does not know the interface \(parameter("interface")). Is it strapd's socket?"
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      "strapd does not know \(parameter("method")): it is older than this strapctl. Update and restart it"
    case "org.varlink.service.InvalidParameter" where parameters["parameter"] == .string("bucketSeconds"):
      "cannot \(verb) in so many buckets: the range has more than \(SamplesRequest.mostBuckets) of that length. "
        + "Give a greater --every, or a shorter range by --from and --to"
    case "org.varlink.service.InvalidParameter"
    where method == Command.watchCall.method && parameters["parameter"] == .string("since"):
      "strapd has told no event yet with a sequence number as high as that of --since. Leave it out, if it is of another "
        + "machine or an earlier store"
    case "org.varlink.service.InvalidParameter":
      "strapd does not take the value of '\(parameter("parameter"))' with \(verb). "
        + "Check it; if it is right, strapd and strapctl are of different versions"
    case "org.varlink.service.PermissionDenied":
      "strapd does not let you \(verb). Members of group strapd may"
    case "org.varlink.service.ExpectedMore":
      "strapd answers \(verb) more than once, and this strapctl did not ask for that: "
        + "they are of different versions"
    case "io.strapd.NoSession":
      "cannot \(verb): no session is live. Begin one with 'strapctl prepare --activity running'"
    case "io.strapd.SessionAmbiguous":
      "cannot \(verb): several sessions are live. Name one of them: \(all("sessions"))"
    case "io.strapd.NoSuchSession":
      "cannot \(verb): there is no session \(parameter("session")). "
        + "'strapctl status' shows those that live, 'strapctl list' the finished ones"
    case "io.strapd.CallNotAllowed":
      "cannot \(verb): the session \(parameter("session")) is \(parameter("state")). "
        + "Possible now: \(all("allowed"))"
    case "io.strapd.DateAhead":
      "cannot \(verb) at \(parameter("date")): strapd's clock says \(parameter("now")), "
        + "and a date may be at most a second ahead of it"
    case "io.strapd.EndBeforeStart":
      "cannot stop at \(parameter("endDate")): the workout started at \(parameter("startDate")). "
        + "Give a date since then, or none for now"
    case "io.strapd.StateChanged":
      "cannot \(verb): the session \(parameter("session")) is \(parameter("state")) by now, and not \(all("expected"))"
    case "io.strapd.OutsideWorkout":
      "cannot \(verb): \(parameter("date")) is not of the workout, which began at \(parameter("startDate"))"
        + (parameters.text("endDate").map { " and ended at \($0)" } ?? "")
    case "io.strapd.EndNotAfterStart":
      "cannot \(verb): the end \(parameter("endDate")) is not after the start \(parameter("startDate"))"
    case "io.strapd.LapsOverlap":
      "cannot \(verb): a lap from \(parameter("startDate")) to \(parameter("endDate")) would overlap the one from "
        + "\(parameter("otherStartDate")) to \(parameter("otherEndDate"))"
    case "io.strapd.ActivitiesOverlap":
      "cannot \(verb) at \(parameter("date")): the activity before it went on until \(parameter("endDate"))"
    case "io.strapd.TooMany":
      "cannot \(verb): the workout has \(parameter("most")) of them, and may have no more"
    case "io.strapd.UnknownType":
      "there is no type of data '\(parameter("type"))'. There are: \(all("allowed"))"
    case "io.strapd.InvalidZones": "cannot \(verb): \(parameter("text")). Allowed are \(parameter("allowed"))"
    case "io.strapd.InvalidGoal":
      "cannot \(verb): number \(parameter("index")) of the list (from 0) is no goal. Allowed are \(parameter("allowed"))"
    case "io.strapd.InvalidAlert":
      "cannot \(verb): number \(parameter("index")) of the list (from 0) is no alert: \(parameter("text"))"
    case "io.strapd.TooLarge":
      "cannot \(verb): the \(parameter("parameter")) would have \(parameter("octets")) octets, and may have "
        + "\(parameter("most"))"
    case "io.strapd.StrapInUse" where !["io.strapd.Prepare", "io.strapd.Start"].contains(method):
      "cannot \(verb): the strap \(parameter("strap")) is used by the session \(parameter("session")). "
        + "End that one first: 'strapctl end \(parameter("session"))'"
    case "io.strapd.StrapInUse":
      "the strap \(parameter("strap")) is used by the session \(parameter("session")). "
        + "End that one with 'strapctl end \(parameter("session"))' or --supersede, or name another strap with --strap"
    case "io.strapd.NoSuchAdapter":
      "this machine has no Bluetooth adapter \(parameter("adapter")). It has: \(all("existing"))"
    case "io.strapd.UnknownStrap":
      "no strap is known as '\(parameter("strap"))'. Known names: \(all("known")). "
        + "'strapctl straps' shows the known straps, 'strapctl scan' those that are near"
    case "io.strapd.NameTaken":
      "the strap \(parameter("strap")) is called '\(parameter("name"))' already. Give another name, or rename that one: "
        + "strapctl name \(parameter("strap")) NAME"
    case "io.strapd.NameNotAllowed":
      "'\(parameter("value"))' cannot be the \(parameter("parameter")); allowed are \(parameter("allowed"))"
    case "io.strapd.SetInConfiguration":
      "the \(parameter("parameter")) of \(parameter("strap")) is set in \(parameter("file")), which goes before: "
        + "change it there, and have it read again by 'systemctl reload strapd'"
    case "io.strapd.StrapHeld": "cannot \(verb) \(parameter("strap")): \(holder)"
    case "io.strapd.UnknownActivity": unknownActivity
    case "io.strapd.NoSuchWorkout":
      "there is no finished workout \(parameter("id")). 'strapctl list' shows them; a session becomes one by 'end'"
    case "io.strapd.WorkoutMerged":
      "the workout \(parameter("id")) is part of \(parameter("into")) now. 'strapctl undo \(parameter("into"))' makes it "
        + "one of its own again"
    case "io.strapd.WorkoutInTrash":
      "cannot \(verb): the workout \(parameter("id")) is in the trash. Take it out first: "
        + "'strapctl restore \(parameter("id"))'"
    case "io.strapd.WorkoutExists": "there is a workout \(parameter("id")) already"
    case "io.strapd.ImportBusy":
      "cannot import now: another workout is being imported, and one is at a time. Try again when that is done"
    case "io.strapd.NoImport":
      "cannot \(verb): nothing is being imported on this connection. What was begun before was given up, and nothing is left "
        + "of it"
    case "io.strapd.ImportRefused":
      "it is no recording of a workout: \(parameter("text")). Nothing of it is imported"
    case "io.strapd.WorkoutNotFinal":
      "cannot \(verb): the workout \(parameter("id")) is not final yet, since \(parameter("text"))"
    case "io.strapd.RevisionRefused":
      "cannot \(verb) \(parameter("id")): \(parameter("text")). It goes from \(parameter("startDate")) to "
        + parameter("endDate")
    case "io.strapd.InvalidProfile":
      "the \(parameter("parameter")) of the profile is out of range; allowed are \(parameter("allowed"))"
    case "io.strapd.UnknownAthlete":
      "there is no profile of '\(parameter("athlete"))'. There are: \(all("known")). 'strapctl athlete NAME --born YEAR' "
        + "makes one"
    case "io.strapd.NothingToUndo":
      "nothing was changed in the workout \(parameter("id")), or all of it is undone: "
        + "'strapctl history \(parameter("id"))'"
    case "io.strapd.EditSealed":
      "cannot \(verb): the last change of the workout \(parameter("id")) stays, since a workout that was part of it is "
        + "deleted for good"
    case "io.strapd.UndoOtherFirst":
      "cannot \(verb): the workout \(parameter("other")) was part of that change, and has been changed since. Undo that "
        + "first: 'strapctl undo \(parameter("other"))'"
    case "io.strapd.NotStreaming":
      parameters.text("strap").map { "cannot \(verb): the strap \($0) is not connected" }
        ?? "cannot \(verb): no strap is connected now. 'strapctl status' says why; 'strapctl prepare' "
        + "connects one"
    case "io.strapd.StrapAmbiguous" where method == "io.strapd.Pair":
      "cannot pair: several straps are in sight. Name one with 'strapctl pair STRAP': \(all("straps"))"
    case "io.strapd.StrapAmbiguous":
      "cannot \(verb): several straps are connected. Name one with --strap: \(all("straps"))"
    case "io.strapd.NotSupported":
      "the strap \(parameter("strap")) has no Heart Rate Control Point: it counts no energy"
    case "io.strapd.StrapFailed":
      "the strap \(parameter("strap")) refused: \(parameter("text")). "
        + (parameter("text").contains("adapter is off")
          ? "Switch it on, and try again" : "Try again while it is connected")
    case "io.strapd.NoStrap":
      "cannot \(verb): no strap was named, none is configured, and none is in sight. Wear the strap, wet its electrodes, "
        + "and name it: 'strapctl scan' shows its address"
    case "io.strapd.NoHeartRate":
      "cannot \(verb) \(parameter("strap")): \(parameters.text("name").map { "'\($0)'" } ?? "it") is known, and has no "
        + "Heart Rate Service. Is it the strap's address? 'strapctl scan' shows those of straps"
    case "io.strapd.PairingFailed": pairingFailed
    case "io.strapd.NothingAsked":
      "the strap \(parameter("strap")) asks nothing like that now: the question was withdrawn, or has been answered"
    case "io.strapd.PairingBusy":
      "cannot \(verb): the strap \(parameter("strap")) is being paired, and one is paired at a time. "
        + "Try again when that is done"
    case "io.strapd.StoreFailed" where method == "io.strapd.Backup":
      "strapd could not make the backup (code \(parameter("code"))): \(parameter("text")). Its store is as it was; see "
        + "whether the disk with its state directory has room for a second one"
    case "io.strapd.BackupBusy":
      "cannot \(verb): strapd gives a backup to another client already, and makes one at a time. Try again when that is done"
    case "io.strapd.VerifyBusy":
      "cannot \(verb): strapd checks its store for another client already. Try again when that is done"
    case "io.strapd.VerifyFailed":
      "the store could not be checked: \(parameter("text")). 'journalctl -u strapd' may tell more"
    case "io.strapd.ScreenLocked":
      "cannot \(verb): your screen is locked, and strapd tells nobody's heart rate then (redact_when_locked). Unlock it, and "
        + "try again"
    case "io.strapd.StoreFailed":
      "strapd's database failed (\(parameter("operation")), code \(parameter("code"))): \(parameter("text")). "
        + "See whether its disk is full, and 'journalctl -u strapd'"
    case "io.strapd.ShuttingDown":
      "cannot \(verb): strapd is shutting down. Sessions are kept; try again when it runs"
    default: nil
    }
  }

  /// Some of strapd's reasons say what to do by themselves.
  /// There is no such workout, or none any more.
  var isOfNoWorkout: Bool { error == "\(Interface.name).NoSuchWorkout" || error == "\(Interface.name).WorkoutMerged" }

  /// Whether a strap has to be named: none is in sight, or several are.
  var leavesChoice: Bool {
    ["\(Interface.name).NoStrap", "\(Interface.name).StrapAmbiguous"].contains(error)
  }

  private var pairingFailed: String {
    let why = parameter("text")
    let advice =
      if why.contains("org.bluez.Error.Authentication"), wasAsked {
        ". There was no answer, or a wrong one: 'strapctl pair \(parameter("strap"))' asks again; "
          + "if the strap is paired with another host, remove that pairing first"
      } else if why.contains("org.bluez.Error.Authentication") {
        ". If the strap wants a PIN or a number, pair it at a terminal, without --no-input; "
          + "if it is paired with another host, remove that pairing first"
      } else if why.contains("bluetoothd") {
        ". 'systemctl status bluetooth' says whether it runs; try again when it does"
      } else if why.contains(": ") {
        ""
      } else {
        ". Wear the strap, bring it near, and try again; 'strapctl status' says what Bluetooth does"
      }
    return "the strap \(parameter("strap")) could not be paired: \(why)\(advice)"
  }

  private var holder: String {
    switch parameters.text("by") {
    case "unattended":
      "strapd holds it, since its workouts begin by themselves. Set 'unattended = no' in its section of "
        + "\(parameters.text("file") ?? "/etc/strapd/strapd.conf"), 'sudo systemctl reload strapd', and try again"
    case "postExercise":
      "the heart rate after its workout is still being kept, for two minutes at most. Try again then"
    case "pairing": "a client is pairing it. Try again when that is done"
    case "forgetting": "a client has it forgotten already"
    default: "a client watches it ('strapctl monitor'). Try again when that has ended"
    }
  }

  private var unknownActivity: String {
    let name = parameter("activity")
    let known = parameters.list("allowed").compactMap { $0.asString?.printable }
    let beginning = name.lowercased().prefix(3)
    let alike = known.filter { !beginning.isEmpty && $0.lowercased().hasPrefix(beginning) }
    return alike.isEmpty
      ? "there is no activity '\(name)'. There are: \(known.joined(separator: ", "))"
      : "there is no activity '\(name)'. Is it \(alike.joined(separator: " or "))?"
  }

  /// "pause": the method's own name as the command is called.
  private var verb: String {
    let name = method.split(separator: ".").last.map(String.init) ?? method
    switch name {
    case "GetStatus": return "status"
    case "ListWorkouts": return "list"
    case "GetWorkout": return "show"
    case "GetSamples": return "samples"
    case "ResetEnergy": return "reset-energy"
    case "ListTrash": return "trash"
    case "EditWorkout": return "edit"
    case "TrimWorkout": return "trim"
    case "MergeWorkouts": return "merge"
    case "SplitWorkout": return "split"
    case "UndoEdit": return "undo"
    case "ListEdits": return "history"
    case "CancelCountdown": return "cancel"
    case "Marker": return "mark"
    case "BeginActivity": return "begin-activity"
    case "EndActivity": return "end-activity"
    case "ListStraps": return "straps"
    case "NameStrap": return "name"
    case "ForgetStrap": return "forget"
    case "AnswerPairing": return "answer"
    case "Backup": return "back up"
    default: return name.prefix(1).lowercased() + name.dropFirst()
    }
  }

  private func parameter(_ name: String) -> String {
    parameters.text(name) ?? parameters[name]?.text.printable ?? "?"
  }

  private func all(_ name: String) -> String {
    let values = parameters.list(name).compactMap { $0.asString?.printable }
    return values.isEmpty ? "nothing" : values.joined(separator: ", ")
  }
}
