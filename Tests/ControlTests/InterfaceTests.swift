import BlueZ
import Control
import Measurements
import Testing
import Workout

/// The published description against the code, in both directions.
@Suite struct InterfaceTests {
  let idl: VarlinkIDL

  init() throws {
    idl = try VarlinkIDL(parsing: Interface.description)
  }

  @Test func name() {
    #expect(idl.name == Interface.name)
    #expect(Interface.name == "io.strapd")
  }

  @Test func everyTypeIsDefinedAndUsed() {
    #expect(idl.looseTypes == [])
  }

  @Test func everyTypeAndErrorIsExplained() {
    #expect(Set(idl.types.keys).union(idl.errors.keys).subtracting(idl.documented) == [])
    // What Resume does, Pause says.
    #expect(Set(idl.methods.keys).subtracting(idl.documented) == ["Resume"])
  }

  // MARK: Enumerations

  static let enumerations: [(type: String, names: [String])] = [
    ("State", WorkoutState.allCases.map(\.rawValue)), ("Call", SessionCall.allCases.map(\.rawValue)),
    ("Cause", TransitionCause.allCases.map(\.rawValue)), ("EndReason", EndReason.allCases.map(\.rawValue)),
    ("Location", LocationType.allCases.map(\.rawValue)), ("Availability", Availability.allCases.map(\.rawValue)),
    ("Collection", CollectionPhase.allCases.map(\.rawValue)), ("DataType", CollectedType.allCases.map(\.rawValue)),
    ("GoalKind", WorkoutGoal.names), ("AlertKind", WorkoutAlert.Kind.names),
    ("WorkoutEventKind", WorkoutEvent.Kind.allCases.map(\.rawValue)),
    ("Contact", SensorContact.allCases.map(\.rawValue)), ("Link", LinkStatus.allCases.map(\.rawValue)),
    ("StrapHolder", StrapHolder.allCases.map(\.rawValue)), ("TroubleKind", TroubleKind.allCases.map(\.rawValue)),
    ("PairingProgress", Samples.progress.map(\.name)),
    ("UnattendedPhase", UnattendedSnapshot.Phase.allCases.map(\.rawValue)), ("UnattendedNews", UnattendedNews.names),
    ("BackupPhase", BackupReport.names), ("CalendarPeriod", CalendarPeriod.allCases.map(\.rawValue)),
    ("EditKind", WorkoutEdit.Kind.allCases.map(\.rawValue)),
    ("BiologicalSex", BiologicalSex.allCases.map(\.rawValue)),
    ("RevisionRefusal", RevisionError.allCases.map(\.rawValue)),
    ("SampleSeries", SampleSeries.allCases.map(\.rawValue)),
    ("WatchRate", WatchRate.allCases.map(\.rawValue)), ("EventKind", EventKind.allCases.map(\.rawValue)),
    ("Interruption", Interruption.allCases.map(\.rawValue)), ("RecordedEventKind", Samples.recordedKinds),
  ]

  @Test(arguments: enumerations)
  func enumeration(_ type: String, _ names: [String]) {
    #expect(idl.types[type] == .enumeration(names))
  }

  @Test func noOtherEnumerations() {
    let described = idl.types.filter { if case .enumeration = $0.value { true } else { false } }.keys
    #expect(Set(described) == Set(Self.enumerations.map(\.type)))
  }

  // MARK: Methods

  /// A value of each parameter, by its name.
  static let values: [String: JSON] = [
    "session": .string(Samples.id.description), "id": .string(Samples.id.description), "activity": .string("running"),
    "location": .string("indoor"), "strap": .string("F0:F1:F2:F3:F4:F5"), "adapter": .string("00:AA:01:00:00:42"),
    "date": .string(Samples.date.rfc3339),
    "countdownSeconds": .real(3), "page": .string(PageToken(start: Samples.date, id: Samples.id).text),
    "limit": .integer(10), "again": .bool(true), "interactive": .bool(true), "accept": .bool(true),
    "pinCode": .string("1234"), "passkey": .integer(123_456),
    "name": .string("Anna's left"), "athlete": .string("Anna"), "all": .bool(true),
    "straps": .array([.string("F0:F1:F2:F3:F4:F5")]), "anyStrap": .bool(true), "supersede": .bool(true),
    "ifState": .array([.string("running"), .string("paused")]), "atFirstBeat": .bool(true),
    "startDate": .string(Samples.date.rfc3339), "endDate": .string(Samples.later.rfc3339), "label": .string("hill"),
    "metadata": .object([.init("weather", .string("rain"))]), "blob": .string("AAAA"), "type": .string("stepCount"),
    "zones": .array([
      .object(["upper": .integer(120)]), .object(["lower": .integer(120), "upper": .integer(150)]),
      .object(["lower": .integer(150)]),
    ]),
    "goals": .array([.object(["kind": .string("duration"), "seconds": .real(1800)])]),
    "alerts": .array([.object(["kind": .string("above"), "heartRate": .integer(160)])]), "from": .integer(5),
    "after": .integer(7), "series": .string("rrIntervals"), "GetSamples.from": .string(Samples.date.rfc3339),
    "to": .string(Samples.later.rfc3339), "bucketSeconds": .real(5), "buckets": .integer(1000),
    "ListTrash.page": .string(
      PageToken(start: Samples.date, id: Samples.id, filter: WorkoutFilter(isInTrash: true).digest).text),
    "other": .string(Samples.otherID.description), "title": .string("Hill repeats"), "notes": .string("windy"),
    "seconds": .real(60), "startSeconds": .real(60), "endSeconds": .real(90),
    "yearOfBirth": .integer(1988), "biologicalSex": .string("female"), "massKilograms": .real(62.5),
    "restingHeartRate": .integer(48), "maximumHeartRate": .integer(188), "default": .bool(true),
    "format": .string("fit"), "endReason": .string("sensorAbsent"), "device": Samples.recordedDevice.json,
    "anchors": .array(Samples.anchors.map(\.json)), "replaces": .array([.string("tcx"), .string("rr")]),
    "events": .array(
      Samples.recordedEvents.compactMap { $0.recorded(as: $0.sequence, along: Samples.dated(Samples.date)) }),
    "samples": .array(
      Samples.recordedSamples.map { $0.recorded(as: $0.sequence, along: Samples.dated(Samples.date)) }),
    "sessions": .array([.string(Samples.id.description)]), "ofStraps": .array([.string("F0:F1:F2:F3:F4:F5")]),
    "kinds": .array([.string("heartRate"), .string("gap")]), "rate": .string("second"), "Watch.since": .integer(7),
    "by": .string("month"), "since": .string(Samples.date.rfc3339), "until": .string(Samples.later.rfc3339),
  ]

  /// What has to stand beside a parameter that means nothing alone.
  static let company: [String: [JSON.Member]] = ["Watch.adapter": [.init("anyStrap", .bool(true))]]

  /// A call of each method.
  static let calls: [ControlCall] =
    [
      .getStatus, .create(WorkoutConfiguration()), .prepare(SessionTarget(), ConfigurationRequest()),
      .start(SessionTarget(), .now), .pause(SessionTarget()), .resume(SessionTarget()),
      .stop(SessionTarget(), date: nil), .end(SessionTarget()), .watch(nil),
      .listWorkouts(before: nil, limit: 100, WorkoutFilter()),
      .listWorkouts(before: nil, limit: 100, WorkoutFilter(isInTrash: true)), .getTotals(.month, WorkoutFilter()),
      .getTimings,
      .getWorkout(Samples.id), .restore(Samples.id), .getSession(Samples.id),
      .listEvents(Samples.id, from: 0, limit: 100), .getPostExercise(Samples.id),
      .getSamples(SamplesRequest(id: Samples.id, limit: nil, streams: true)),
      .resetEnergy(strap: nil),
      .pair(PairCall(strap: nil, reports: true)),
      .answerPairing(strap: Samples.strap, .yes),
      .revise(.edit(Samples.id, WorkoutChanges())), .revise(.merge(Samples.id, Samples.otherID)),
      .revise(.trim(Samples.id, start: nil, end: nil)), .revise(.split(Samples.id, at: nil)),
      .importing(
        .begin(ImportedWorkout(id: Samples.id, format: "fit", start: Samples.date, end: Samples.later))),
      .importing(.append(events: [], samples: [])), .importing(.commit), .importing(.abort), .getRecording(Samples.id),
      .revise(.undo(Samples.id)), .listEdits(Samples.id, from: 0, limit: 100), .athlete(.list),
      .athlete(.set(AthleteProfile(AthleteName("Anna's left")!))), .athlete(.forget(AthleteName("Anna's left")!)),
      .listStraps, .nameStrap(Samples.strap, name: .keep, athlete: .keep), .forgetStrap(Samples.strap),
      .scan(includesAll: false), .backup, .verify,
    ] + builderCalls.map { .builder(SessionTarget(), $0) }

  /// The same of each call that changes no state.
  private static let builderCalls: [BuilderCall] = [
    .cancelCountdown, .beginCollection, .endCollection, .finish, .discard, .lap(start: nil, end: nil, label: nil),
    .segment(start: Samples.date, end: nil, label: nil), .marker(nil, label: nil),
    .beginActivity(.running, nil, nil, label: nil), .endActivity(nil), .requestPauseOrResume,
    .setMetadata([], blob: nil), .setZones(nil), .setGoals([.duration(.seconds(1800))]),
    .setAlerts([WorkoutAlert(text: "above 160 debounce 0 delay 0")].compactMap { $0 }), .enableType(.stepCount),
    .disableType(.stepCount),
  ]

  /// Methods whose answer is about a session, and nothing more.
  private static let sessionMethods =
    ["Create", "Prepare", "Start", "Pause", "Resume", "Stop", "End"]
    + builderCalls.map(\.method).filter { !["EndCollection", "Finish"].contains($0) }

  @Test func methodsAreTheCalls() {
    #expect(Set(idl.methods.keys) == Set(Self.calls.map(\.method)))
  }

  @Test func leastParametersAreUnderstood() throws {
    for call in Self.calls {
      let name = call.method
      let input = try #require(idl.methods[name]?.input)
      let least = input.filter { !$0.isNullable }.map { JSON.Member($0.name, Self.values[$0.name] ?? .null) }
      #expect(try read(name, least) == call)
      let nulls = input.filter(\.isNullable).map { JSON.Member($0.name, .null) }
      #expect(try read(name, least + nulls) == call)
      for missing in least.indices {
        var rest = least
        let parameter = rest.remove(at: missing).name
        #expect(throws: ControlError.invalidParameter(parameter)) { try read(name, rest) }
        #expect(throws: ControlError.invalidParameter(parameter)) { try read(name, rest + [.init(parameter, .null)]) }
      }
    }
  }

  @Test func everyParameterIsTaken() throws {
    for call in Self.calls {
      let name = call.method
      let input = try #require(idl.methods[name]?.input)
      let required = input.filter { !$0.isNullable }.map { JSON.Member($0.name, Self.values[$0.name] ?? .null) }
      for field in input {
        let value = try #require(
          Self.values["\(name).\(field.name)"] ?? Self.values[field.name], "no sample of \(name)'s \(field.name)")
        // The sample is of the described type, and is heard, and another type is not.
        #expect(idl.problems(of: .object([.init(field.name, value)]), as: [field]) == [])
        let company = Self.company["\(name).\(field.name)"] ?? []
        var members = required.filter { $0.name != field.name } + company
        let alone = company.isEmpty ? call : try read(name, members)
        #expect(try read(name, members + [.init(field.name, value)]) != alone || !field.isNullable)
        members.append(.init(field.name, Self.isArray(field) ? .integer(7) : .array([])))
        #expect(throws: ControlError.invalidParameter(field.name)) { try read(name, members) }
      }
    }
  }

  private static func isArray(_ field: VarlinkIDL.Field) -> Bool {
    switch field.kind {
    case .array, .nullable(.array): true
    case .bool, .int, .float, .string, .object, .named, .nullable, .map, .structure, .enumeration: false
    }
  }

  @Test func otherParametersAreRefused() throws {
    for call in Self.calls {
      let name = call.method
      let input = try #require(idl.methods[name]?.input)
      let required = input.filter { !$0.isNullable }.map { JSON.Member($0.name, Self.values[$0.name] ?? .null) }
      for (parameter, value) in Self.values where !input.contains(where: { $0.name == parameter }) {
        #expect(throws: ControlError.invalidParameter(parameter), "\(name)") {
          try read(name, required + [.init(parameter, value)])
        }
      }
    }
  }

  private func read(_ method: String, _ parameters: [JSON.Member]) throws -> ControlCall {
    try ControlCall(VarlinkCall("io.strapd.\(method)", .object(parameters), more: true), method: method[...])
  }

  // MARK: Replies

  @Test func repliesAreAsDescribed() throws {
    for reply in Samples.replies {
      let methods: [String] =
        switch reply {
        case .status: ["GetStatus"]
        case .session: Self.sessionMethods
        case .collected: ["EndCollection", "Finish"]
        case .sessionDetail: ["GetSession"]
        case .workouts: ["ListWorkouts", "ListTrash"]
        case .totals: ["GetTotals"]
        case .timings: ["GetTimings"]
        case .workout: ["GetWorkout"]
        case .restored: ["Restore"]
        case .revised: ["EditWorkout", "TrimWorkout", "MergeWorkouts", "SplitWorkout"]
        case .undone: ["UndoEdit"]
        case .edits: ["ListEdits"]
        case .athletes: ["ListAthletes", "SetAthlete", "ForgetAthlete"]
        case .events: ["ListEvents"]
        case .postExercise: ["GetPostExercise"]
        case .samples: ["GetSamples"]
        case .done: ["ResetEnergy", "AnswerPairing"]
        case .pairing: ["Pair"]
        case .straps: ["ListStraps"]
        case .named: ["NameStrap"]
        case .forgotten: ["ForgetStrap"]
        case .scan: ["Scan"]
        case .backup: ["Backup"]
        case .verification: ["Verify"]
        case .recording: ["GetRecording"]
        case .importBegun: ["BeginImport"]
        case .importTaken: ["AppendImport", "AbortImport"]
        case .imported: ["CommitImport"]
        case .error: []
        }
      // As a client reads it, not as it was built.
      let wire = try #require(VarlinkReply(reply.reply.message.dropLast()))
      #expect(wire.error == nil)
      #expect(wire.continues == Samples.continues(reply))
      for method in methods {
        let output = try #require(idl.methods[method]?.output)
        #expect(idl.problems(of: wire.parameters, as: output) == [], "\(method)")
      }
    }
  }

  @Test func eventsAreAsDescribed() throws {
    let output = try #require(idl.methods["Watch"]?.output)
    var messages = [WatchSnapshot(Samples.fullStatus).message, WatchSnapshot(Samples.bareStatus).message]
    messages += Samples.notices.map { $0.notice.message } + [Samples.replay.message, Samples.lag.message]
    let measured = Samples.events.map(\.event).filter { $0.what.kind == .heartRate }
    for event in measured {
      var encoded = EncodedEvent(event, held: true, durableThrough: 5)
      messages += [encoded.message, encoded.redact()].map { EncodedEvent.message($0, standingFor: 12) }
    }
    for (event, _) in Samples.events {
      messages += [
        event.message(held: true, durableThrough: 5), event.message(held: false, durableThrough: 5),
        event.message(held: true, durableThrough: 5, redacted: true),
      ]
    }
    var seen: Set<String> = []
    for message in messages {
      let wire = try #require(VarlinkReply(message.dropLast()))
      #expect(wire.continues)
      #expect(wire.error == nil)
      #expect(idl.problems(of: wire.parameters, as: output) == [])
      if case .object(let members) = wire.parameters { seen.formUnion(members.map(\.name)) }
    }
    // The samples leave out nothing that is described.
    #expect(seen == Set(output.map(\.name)))
  }

  /// Every field of every type is in the full samples: what is described exists.
  @Test func nothingIsDescribedThatIsNeverSent() throws {
    let full: [(type: String, value: JSON)] = [
      ("Session", Samples.fullSession.json), ("Workout", Samples.fullWorkout.json), ("Strap", Samples.fullStrap.json),
      ("ScannedDevice", Samples.fullScan.reply.parameters["devices"]?.asArray?.first ?? .null),
      ("KnownStrap", Samples.fullKnownStrap.json), ("WorkoutLap", LapSnapshot(Samples.lap).json),
      ("WorkoutActivity", ActivitySnapshot(Samples.activity).json), ("Athlete", Samples.fullAthlete.json),
    ]
    for (type, value) in full {
      guard case .structure(let fields) = idl.types[type], case .object(let members) = value else {
        Issue.record("\(type) is no structure")
        continue
      }
      #expect(members.map(\.name) == fields.map(\.name))
    }
    let status = try #require(idl.methods["GetStatus"]?.output)
    guard case .object(let members) = Samples.fullStatus.json else { return }
    #expect(members.map(\.name) == status.map(\.name))
  }

  // MARK: Errors

  @Test func errorsAreAsDescribed() throws {
    var names: Set<String> = []
    for (error, _) in Samples.errors where !isOfTheService(error) {
      let wire = try #require(VarlinkReply(error.reply.message.dropLast()))
      let name = try #require(wire.error)
      #expect(name.hasPrefix("io.strapd."))
      let short = String(name.dropFirst("io.strapd.".count))
      names.insert(short)
      let fields = try #require(idl.errors[short], "\(short) is not described")
      #expect(idl.problems(of: wire.parameters, as: fields) == [], "\(short)")
    }
    #expect(names == Set(idl.errors.keys))
  }

  private func isOfTheService(_ error: ControlError) -> Bool {
    switch error {
    case .interfaceNotFound, .methodNotFound, .invalidParameter, .expectedMore, .permissionDenied: true
    case .stateChanged, .timeline, .unknownType, .invalidZones, .invalidGoal, .invalidAlert, .tooLarge: false
    case .noSession, .sessionAmbiguous, .noSuchSession, .refused, .outsideWorkout, .strapInUse, .noSuchAdapter,
      .unknownStrap,
      .nameTaken,
      .nameNotAllowed, .setInConfiguration, .strapHeld, .unknownActivity, .noSuchWorkout, .workoutMerged,
      .workoutInTrash, .workoutNotFinal, .revisionRefused, .workoutExists, .importBusy, .noImport, .importRefused,
      .nothingToUndo, .editSealed, .undoOtherFirst, .invalidProfile, .unknownAthlete,
      .notStreaming, .strapAmbiguous, .notSupported, .strapFailed, .noStrap, .noHeartRate, .pairingFailed,
      .nothingAsked, .pairingBusy, .storeFailed, .backupBusy, .verifyBusy, .verifyFailed, .screenLocked, .shuttingDown:
      false
    }
  }
}
