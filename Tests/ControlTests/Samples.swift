import Control
import Measurements
import Workout

/// Values of everything that goes on the wire, once with every optional part and once without any.
enum Samples {
  static let id = SessionID("0f0e0d0c-0b0a-4908-8706-050403020100")!
  static let otherID = SessionID("ffffffff-ffff-4fff-bfff-ffffffffffff")!
  static let strap = StrapAddress("F0:F1:F2:F3:F4:F5")!
  static let adapter = StrapAddress("00:AA:01:00:00:42")!
  /// 2026-11-30T09:10:11.25Z
  static let date = WallTime(nanoseconds: 1_796_029_811_250_000_000)
  static let later = date + .seconds(90)
  static let storeError = StoreError(operation: .commit, code: 13, text: "database or disk is full")

  // MARK: Straps and the daemon

  static let fullStrap: StrapSnapshot = {
    var strap = StrapSnapshot(address: Samples.strap, link: "streaming")
    strap.name = "Chest \"1\""
    strap.givenName = StrapName("Anna's left")
    strap.athlete = AthleteName("Anna")
    strap.trouble = "the connection was lost"
    strap.troubleKind = "linkLost"
    strap.availability = .available
    strap.last = .init(heartRate: 165, contact: .detected, age: .milliseconds(250))
    strap.battery = BatteryLevel(percent: 87)
    strap.isBatteryUnreliable = true
    strap.lastTrouble = "out of range"
    strap.lastTroubleDate = date
    strap.location = .chest
    strap.information.manufacturer = "Maker"
    strap.information.model = "M1"
    strap.information.serial = "0007"
    strap.information.hardwareRevision = "B"
    strap.information.firmwareRevision = "2.1"
    strap.information.softwareRevision = "3"
    strap.quirks = ["one", "two"]
    strap.period = .milliseconds(1000)
    strap.jitter = .milliseconds(125)
    strap.lostBeats = 4
    strap.unattended = UnattendedSnapshot(
      isDryRun: true, phase: .wouldRun, since: date, start: .seconds(30), absence: .seconds(300))
    strap.reconnects = 1
    strap.refusedPackets = 2
    strap.repeats = 3
    strap.monitors = 2
    strap.adapter = adapter
    return strap
  }()

  static let bareStrap = StrapSnapshot(address: strap, link: "standing")

  static let fullKnownStrap: KnownStrapSnapshot = {
    var record = StrapRecord(Samples.strap)
    record.deviceName = "Chest \"1\""
    record.manufacturer = "Maker"
    record.model = "M1"
    record.firmware = "2.1"
    record.serial = "0007"
    record.battery = BatteryLevel(percent: 87)
    record.lastSeen = date
    var strap = KnownStrapSnapshot(record, link: "streaming")
    strap.name = StrapName("Anna's left")
    strap.athlete = AthleteName("Anna")
    strap.isBatteryUnreliable = true
    strap.rssi = -61
    strap.isConnected = true
    strap.isBonded = true
    strap.session = id
    strap.clients = 2
    strap.configurationFile = "/etc/strapd/strapd.conf"
    strap.adapter = adapter
    strap.unattended = UnattendedSnapshot(isDryRun: false, phase: .off, start: .seconds(30), absence: .seconds(300))
    return strap
  }()

  static let fullScan: ControlReply = {
    var device = ScannedDevice(strap)
    device.name = "Chest \"1\""
    device.givenName = StrapName("Anna's left")
    device.rssi = -61
    device.hasHeartRate = true
    device.battery = BatteryLevel(percent: 87)
    device.isConnected = true
    device.isBonded = true
    device.isKnown = true
    return .scan(
      ScanReport(
        devices: [device, ScannedDevice(strap)], gone: [strap], advice: "bluetoothctl power on", isScanning: true))
  }()

  static let bareKnownStrap = KnownStrapSnapshot(StrapRecord(strap), link: "standing")

  static let fullStatus = {
    var status = statusWithoutFile
    status.configurationFile = "/etc/strapd/strapd.conf"
    return status
  }()

  private static let statusWithoutFile = StatusSnapshot(
    sequence: 1234, durableThrough: 1200, date: date, bluetooth: "adapterOff", advice: "bluetoothctl power on",
    adapters: [
      .init(name: "hci0", address: StrapAddress("00:AA:01:00:00:42"), isPowered: true, isDiscovering: false),
      .init(name: "hci1", address: nil, isPowered: false, isDiscovering: true),
    ],
    straps: [fullStrap, bareStrap], sessions: [fullSession, bareSession],
    locks: [
      LockSnapshot(operation: "sleep", mode: "block", trouble: nil),
      LockSnapshot(operation: "idle", mode: nil, trouble: "no logind"),
    ], limits: endless, watchers: 2, oddSignals: 3, held: storeError, isRedacted: true)

  /// Where the absence never ends a session.
  private static let endless: Limits = {
    var limits = Limits()
    limits.absence = nil
    return limits
  }()

  static let bareStatus = StatusSnapshot(
    sequence: 0, durableThrough: 0, date: date, bluetooth: "ready", advice: nil, adapters: [], straps: [], sessions: [],
    watchers: 0, oddSignals: 0, held: nil)

  static let otherReplies: [ControlReply] =
    [
      .status(fullStatus), .status(bareStatus), .done(strap: strap),
      .straps([fullKnownStrap, bareKnownStrap]), .straps([]), .named(fullKnownStrap), .named(bareKnownStrap),
      .forgotten(ForgottenStrap(strap, isBondRemoved: true, configurationFile: "/etc/strapd/strapd.conf")),
      .forgotten(ForgottenStrap(strap, isBondRemoved: nil, configurationFile: nil)), fullScan,
      .scan(ScanReport(devices: [])),
      .pairing(PairingReport(strap, .searching, advice: "bluetoothctl power on")),
    ] + backups.map { .backup($0) } + verifications.map { .verification($0) }
    + progress.map { .pairing(PairingReport(strap, $0)) }

  static let verifications: [VerificationReport] = [
    .finding("page 3 is none"), .done(isSound: false, "1 thing is wrong"),
  ]

  /// One of each kind.
  static let backups: [BackupReport] = [
    .copied(4096, of: 8192), .checked(2000, of: 8192), .piece([1, 2, 3], through: 3, of: 8192),
    .done(size: 8192, sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ]

  static let progress: [PairingReport.Progress] = [
    .searching, .connecting, .pairing, .enterPinCode, .enterPasskey, .confirmPasskey(42), .showPinCode("0000"),
    .showPasskey(999_999), .paired,
  ]

  /// Whether further replies follow.
  static func continues(_ reply: ControlReply) -> Bool {
    switch reply {
    case .pairing(let report): report.progress != .paired
    case .scan: true
    case .backup(let report): report != backups.last
    case .verification(let report): report != verifications.last
    case .samples(let samples): samples.continues
    case .recording(let recording): recording.continues
    case .status, .session, .collected, .sessionDetail, .workouts, .totals, .timings, .workout, .restored, .revised,
      .undone,
      .edits, .athletes, .events, .postExercise,
      .done,
      .straps, .named, .forgotten, .importBegun, .importTaken, .imported, .error:
      false
    }
  }

  /// Each with its text on the wire behind the date.
  static let notices: [(notice: MonitorNotice, wire: String)] = [
    (
      MonitorNotice(strap: fullStrap, advice: nil, sequence: 9, date: date, durableThrough: 8),
      #""strap":"F0:F1:F2:F3:F4:F5","link":"streaming","trouble":"the connection was lost","batteryPercent":87,"#
        + #""batteryUnreliable":true,"adapter":"00:AA:01:00:00:42","#
    ),
    (
      MonitorNotice(strap: nil, advice: "switch it on", sequence: 9, date: date, durableThrough: 8),
      #""trouble":"switch it on","#
    ),
    (MonitorNotice(strap: nil, advice: nil, sequence: 9, date: date, durableThrough: 8), ""),
  ]

  // MARK: Errors, each with its text on the wire

  static let otherErrors: [(error: ControlError, wire: String)] = [
    (
      .interfaceNotFound("org.example"),
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.example"}}"#
    ),
    (
      .methodNotFound("io.strapd.Fly"),
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"io.strapd.Fly"}}"#
    ),
    (
      .invalidParameter("a\"é"),
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"a\"é"}}"#
    ),
    (.permissionDenied, #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#),
    (.expectedMore, #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
    (.noSession(call: .pause), #"{"error":"io.strapd.NoSession","parameters":{"call":"pause"}}"#),
    (
      .sessionAmbiguous([id, otherID]),
      #"{"error":"io.strapd.SessionAmbiguous","parameters":{"sessions":["\#(id)","\#(otherID)"]}}"#
    ),
    (.noSuchSession(id), #"{"error":"io.strapd.NoSuchSession","parameters":{"session":"\#(id)"}}"#),
    (
      .refused(id, .notAllowed(state: .stopped, call: .resume, allowed: [.stop, .end])),
      #"{"error":"io.strapd.CallNotAllowed","parameters":{"session":"\#(id)","state":"stopped","call":"resume","#
        + #""allowed":["stop","end"]}}"#
    ),
    (
      .refused(id, .dateAhead(later, now: date)),
      #"{"error":"io.strapd.DateAhead","parameters":{"session":"\#(id)","date":"2026-11-30T09:11:41.250Z","#
        + #""now":"2026-11-30T09:10:11.250Z"}}"#
    ),
    (
      .refused(id, .endBeforeStart(end: date, start: later)),
      #"{"error":"io.strapd.EndBeforeStart","parameters":{"session":"\#(id)","endDate":"2026-11-30T09:10:11.250Z","#
        + #""startDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .workoutMerged(id, into: otherID),
      #"{"error":"io.strapd.WorkoutMerged","parameters":{"id":"\#(id)","into":"\#(otherID)"}}"#
    ),
    (.workoutInTrash(id), #"{"error":"io.strapd.WorkoutInTrash","parameters":{"id":"\#(id)"}}"#),
    (
      .workoutNotFinal(id, "soon"),
      #"{"error":"io.strapd.WorkoutNotFinal","parameters":{"id":"\#(id)","text":"soon"}}"#
    ),
    (
      .revisionRefused(id, .overlap, start: date, end: later),
      #"{"error":"io.strapd.RevisionRefused","parameters":{"id":"\#(id)","reason":"overlap","#
        + #""text":"the two workouts overlap","startDate":"2026-11-30T09:10:11.250Z","#
        + #""endDate":"2026-11-30T09:11:41.250Z"}}"#
    ),
    (
      .invalidProfile(parameter: "yearOfBirth", allowed: "1900 to 2100"),
      #"{"error":"io.strapd.InvalidProfile","parameters":{"parameter":"yearOfBirth","allowed":"1900 to 2100"}}"#
    ),
    (
      .unknownAthlete(AthleteName("Anna")!, known: [AthleteName("Ben")!]),
      #"{"error":"io.strapd.UnknownAthlete","parameters":{"athlete":"Anna","known":["Ben"]}}"#
    ),
    (.nothingToUndo(id), #"{"error":"io.strapd.NothingToUndo","parameters":{"id":"\#(id)"}}"#),
    (.editSealed(id), #"{"error":"io.strapd.EditSealed","parameters":{"id":"\#(id)"}}"#),
    (
      .undoOtherFirst(id, other: otherID),
      #"{"error":"io.strapd.UndoOtherFirst","parameters":{"id":"\#(id)","other":"\#(otherID)"}}"#
    ),
    (
      .strapInUse(strap, by: id),
      #"{"error":"io.strapd.StrapInUse","parameters":{"strap":"F0:F1:F2:F3:F4:F5","session":"\#(id)"}}"#
    ),
    (
      .noSuchAdapter(adapter, existing: [strap]),
      #"{"error":"io.strapd.NoSuchAdapter","parameters":{"adapter":"00:AA:01:00:00:42","existing":["F0:F1:F2:F3:F4:F5"]}}"#
    ),
    (
      .unknownStrap("x", known: [StrapName("Anna \"1\"")!, StrapName("Ben")!]),
      #"{"error":"io.strapd.UnknownStrap","parameters":{"strap":"x","known":["Anna \"1\"","Ben"]}}"#
    ),
    (
      .nameTaken(StrapName("Anna")!, by: strap),
      #"{"error":"io.strapd.NameTaken","parameters":{"name":"Anna","strap":"F0:F1:F2:F3:F4:F5"}}"#
    ),
    (
      .nameNotAllowed("\u{1B}", parameter: "name", allowed: "letters"),
      #"{"error":"io.strapd.NameNotAllowed","parameters":{"parameter":"name","value":"\u001B","allowed":"letters"}}"#
    ),
    (
      .setInConfiguration(strap, parameter: "athlete", file: "/etc/strapd.conf"),
      #"{"error":"io.strapd.SetInConfiguration","parameters":{"strap":"F0:F1:F2:F3:F4:F5","parameter":"athlete","#
        + #""file":"/etc/strapd.conf"}}"#
    ),
    (
      .strapHeld(strap, by: .monitor, file: nil),
      #"{"error":"io.strapd.StrapHeld","parameters":{"strap":"F0:F1:F2:F3:F4:F5","by":"monitor"}}"#
    ),
    (
      .strapHeld(strap, by: .unattended, file: "/etc/strapd/strapd.conf"),
      #"{"error":"io.strapd.StrapHeld","parameters":{"strap":"F0:F1:F2:F3:F4:F5","by":"unattended","#
        + #""file":"/etc/strapd/strapd.conf"}}"#
    ),
    (
      .unknownActivity("dance"),
      #"{"error":"io.strapd.UnknownActivity","parameters":{"activity":"dance","allowed":["#
        + ActivityType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]}}"
    ),
    (.noSuchWorkout(id), #"{"error":"io.strapd.NoSuchWorkout","parameters":{"id":"\#(id)"}}"#),
    (.notStreaming(strap), #"{"error":"io.strapd.NotStreaming","parameters":{"strap":"F0:F1:F2:F3:F4:F5"}}"#),
    (.noStrap, #"{"error":"io.strapd.NoStrap","parameters":{}}"#),
    (
      .noHeartRate(strap, name: nil),
      #"{"error":"io.strapd.NoHeartRate","parameters":{"strap":"F0:F1:F2:F3:F4:F5"}}"#
    ),
    (
      .noHeartRate(strap, name: "Desk Mouse"),
      #"{"error":"io.strapd.NoHeartRate","parameters":{"strap":"F0:F1:F2:F3:F4:F5","name":"Desk Mouse"}}"#
    ),
    (
      .pairingFailed(strap, "no"),
      #"{"error":"io.strapd.PairingFailed","parameters":{"strap":"F0:F1:F2:F3:F4:F5","text":"no"}}"#
    ),
    (.nothingAsked(strap), #"{"error":"io.strapd.NothingAsked","parameters":{"strap":"F0:F1:F2:F3:F4:F5"}}"#),
    (.pairingBusy(strap), #"{"error":"io.strapd.PairingBusy","parameters":{"strap":"F0:F1:F2:F3:F4:F5"}}"#),
    (.notStreaming(nil), #"{"error":"io.strapd.NotStreaming","parameters":{}}"#),
    (
      .strapAmbiguous([strap]),
      #"{"error":"io.strapd.StrapAmbiguous","parameters":{"straps":["F0:F1:F2:F3:F4:F5"]}}"#
    ),
    (.notSupported(strap), #"{"error":"io.strapd.NotSupported","parameters":{"strap":"F0:F1:F2:F3:F4:F5"}}"#),
    (
      .strapFailed(strap, "busy"),
      #"{"error":"io.strapd.StrapFailed","parameters":{"strap":"F0:F1:F2:F3:F4:F5","text":"busy"}}"#
    ),
    (
      .storeFailed(storeError),
      #"{"error":"io.strapd.StoreFailed","parameters":{"operation":"commit","code":13,"#
        + #""text":"database or disk is full"}}"#
    ),
    (.backupBusy, #"{"error":"io.strapd.BackupBusy","parameters":{}}"#),
    (.verifyBusy, #"{"error":"io.strapd.VerifyBusy","parameters":{}}"#),
    (.verifyFailed("no file"), #"{"error":"io.strapd.VerifyFailed","parameters":{"text":"no file"}}"#),
    (.screenLocked, #"{"error":"io.strapd.ScreenLocked","parameters":{}}"#),
    (.shuttingDown, #"{"error":"io.strapd.ShuttingDown","parameters":{}}"#),
  ]
}
