import Control
import Measurements
import Testing
import Workout

@Suite struct SnapshotsTests {
  static let fullStatistics =
    #""statistics":{"heartRate":{"count":88,"minimum":61,"maximum":172,"average":140.0,"mostRecent":165,"#
    + #""mostRecentDate":"2026-11-30T09:11:41.250Z","coveredSeconds":88.5,"secondsInZones":[0.5,80.0,8.0]},"#
    + #""rrCount":91,"energyKilojoules":310}"#

  static let fullSession =
    #"{"id":"\#(Samples.id)","state":"ended","sequence":1234,"activity":"running","location":"outdoor","#
    + #""strap":"F0:F1:F2:F3:F4:F5","adapter":"00:AA:01:00:00:42","createdDate":"2026-11-30T09:10:11.250Z","startDate":"2026-11-30T09:10:11.250Z","#
    + #""endDate":"2026-11-30T09:11:41.250Z","requestedStartDate":"2026-11-30T09:10:11.250Z","#
    + #""requestedEndDate":"2026-11-30T09:11:41.250Z","unprepared":true,"endReason":"user","#
    + #""collection":"finished","elapsedSeconds":72.0,"#
    + #""wallSeconds":90.0,"provisional":false,"availability":"available","trouble":"no strap is in sight","heartRate":165,"countdownSeconds":2.5,"#
    + #""startsAtFirstBeat":true,"# + fullStatistics + #","computing":true,"zones":"# + Samples.zonesJSON
    + #","zone":3,"typesToCollect":["heartRate","stepCount"],"collectedTypes":["heartRate"],"lapCount":2,"lap":"#
    + Samples.openLapJSON + #","activityCount":1,"currentActivity":"# + Samples.openActivityJSON
    + #","goals":[{"kind":"duration","seconds":1800.0},{"kind":"energy","kilojoules":500}],"alerts":["#
    + Samples.alertJSON + #"],"athlete":"Anna","unattended":true}"#

  static let bareSession =
    #"{"id":"\#(Samples.otherID)","state":"notStarted","sequence":1,"activity":"other","location":"unknown","#
    + #""createdDate":"2026-11-30T09:10:11.250Z","unprepared":false,"collection":"open","elapsedSeconds":0.0,"#
    + #""wallSeconds":0.0,"provisional":false,"availability":"unknown","startsAtFirstBeat":false,"statistics":{"rrCount":0},"#
    + #""typesToCollect":[],"collectedTypes":[],"lapCount":0,"activityCount":0,"goals":[],"alerts":[]}"#

  static let fullWorkout =
    #"{"id":"\#(Samples.id)","activity":"running","location":"outdoor","strap":"F0:F1:F2:F3:F4:F5","#
    + #""startDate":"2026-11-30T09:10:11.250Z","endDate":"2026-11-30T09:11:41.250Z","elapsedSeconds":72.0,"#
    + #""wallSeconds":90.0,"provisional":false,"endReason":"user","#
    // A second before the end by the boot clock.
    + fullStatistics.replacing("09:11:41.250Z", with: "09:11:40.250Z") + #","zones":"# + Samples.zonesJSON
    + #","discardedDate":"2026-11-30T09:11:41.250Z","athlete":"Anna","title":"Hill repeats","notes":"windy"}"#

  static let bareWorkout =
    #"{"id":"\#(Samples.otherID)","activity":"other","location":"unknown","startDate":"2026-11-30T09:10:11.250Z","#
    + #""endDate":"2026-11-30T09:10:11.250Z","elapsedSeconds":0.0,"wallSeconds":0.0,"provisional":false,"endReason":"sensorAbsent","#
    + #""statistics":{"rrCount":0}}"#

  static let fullStrap =
    #"{"address":"F0:F1:F2:F3:F4:F5","name":"Chest \"1\"","givenName":"Anna's left","athlete":"Anna","#
    + #""link":"streaming","trouble":"the connection was lost","troubleKind":"linkLost","#
    + #""lastTrouble":"out of range","lastTroubleDate":"2026-11-30T09:10:11.250Z","#
    + #""availability":"available","heartRate":165,"contact":"detected","ageSeconds":0.25,"batteryPercent":87,"#
    + #""batteryUnreliable":true,"bodySensorLocation":"chest","manufacturer":"Maker","model":"M1","serial":"0007","#
    + #""hardwareRevision":"B","firmwareRevision":"2.1","softwareRevision":"3","quirks":["one","two"],"#
    + #""periodSeconds":1.0,"jitterSeconds":0.125,"lostBeats":4,"#
    + #""reconnects":1,"refusedPackets":2,"repeats":3,"monitors":2,"adapter":"00:AA:01:00:00:42","#
    + #""unattended":{"dryRun":true,"phase":"wouldRun","sinceDate":"2026-11-30T09:10:11.250Z","startSeconds":30.0,"#
    + #""absenceSeconds":300.0}}"#

  static let bareStrap =
    #"{"address":"F0:F1:F2:F3:F4:F5","link":"standing","availability":"unknown","quirks":[],"lostBeats":0,"#
    + #""reconnects":0,"refusedPackets":0,"repeats":0,"monitors":0}"#

  static let fullStatus =
    #"{"version":"0.1.0","protocolVersion":1,"sequence":1234,"durableThrough":1200,"#
    + #""date":"2026-11-30T09:10:11.250Z","clockSynchronised":true,"bluetooth":"adapterOff","advice":"bluetoothctl power on","adapters":["#
    + #"{"name":"hci0","address":"00:AA:01:00:00:42","powered":true,"discovering":false},"#
    + #"{"name":"hci1","powered":false,"discovering":true}],"straps":["# + fullStrap + "," + bareStrap
    + #"],"sessions":["# + fullSession + "," + bareSession
    + #"],"locks":[{"what":"sleep","held":true,"mode":"block"},{"what":"idle","held":false,"trouble":"no logind"}"#
    + #"],"limits":{"prepareSeconds":1800.0,"pauseSeconds":43200.0,"stoppedSeconds":60.0,"recoverySeconds":3600.0,"heldRecords":20000}"#
    + #","configurationFile":"/etc/strapd/strapd.conf","watchers":2,"oddSignals":3,"held":"commit failed (13): database or disk is full","redacted":true}"#

  static let bareStatus =
    #"{"version":"0.1.0","protocolVersion":1,"sequence":0,"durableThrough":0,"date":"2026-11-30T09:10:11.250Z","#
    + #""clockSynchronised":true,"bluetooth":"ready","adapters":[],"straps":[],"sessions":[],"locks":[],"limits":"#
    + #"{"absenceSeconds":1800.0,"prepareSeconds":1800.0,"pauseSeconds":43200.0,"stoppedSeconds":60.0,"#
    + #""recoverySeconds":3600.0,"heldRecords":20000},"watchers":0,"oddSignals":0}"#

  @Test func session() {
    #expect(Samples.fullSession.json.text == Self.fullSession)
    #expect(Samples.bareSession.json.text == Self.bareSession)
  }

  @Test func workout() {
    #expect(Samples.fullWorkout.json.text == Self.fullWorkout)
    #expect(Samples.bareWorkout.json.text == Self.bareWorkout)
  }

  @Test func strap() {
    #expect(Samples.fullStrap.json.text == Self.fullStrap)
    #expect(Samples.bareStrap.json.text == Self.bareStrap)
  }

  @Test func status() {
    #expect(Samples.fullStatus.json.text == Self.fullStatus)
    #expect(Samples.bareStatus.json.text == Self.bareStatus)
  }

  /// A date that nobody asked for is not called requested.
  @Test func requestedDates() {
    var snapshot = Samples.fullSession
    snapshot.record.start?.requested = nil
    snapshot.record.end?.requested = nil
    #expect(snapshot.json["startDate"] == .string("2026-11-30T09:10:11.250Z"))
    #expect(snapshot.json["endDate"] == .string("2026-11-30T09:11:41.250Z"))
    #expect(snapshot.json["requestedStartDate"] == nil)
    #expect(snapshot.json["requestedEndDate"] == nil)
  }

  /// Of a strap that has told no level, none is unreliable.
  @Test func unreliableBattery() {
    var strap = Samples.fullStrap
    strap.battery = nil
    #expect(strap.json["batteryUnreliable"] == nil)
    strap.battery = BatteryLevel(percent: 100)
    strap.isBatteryUnreliable = false
    #expect(strap.json["batteryUnreliable"] == nil)
  }

  /// An old value is shown by its age and contact, not as the heart rate of now.
  @Test(arguments: Availability.allCases)
  func heartRateOfAStrap(_ availability: Availability) {
    var strap = Samples.fullStrap
    strap.availability = availability
    #expect(strap.json["heartRate"] == (availability == .available ? .integer(165) : nil))
    #expect(strap.json["ageSeconds"] == .real(0.25))
    #expect(strap.json["contact"] == .string("detected"))
  }
}
