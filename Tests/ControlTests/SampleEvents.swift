import Control
import Measurements
import Workout

extension Samples {
  static let measurement = try! HeartRateMeasurement([0x1E, 0xA5, 0x07, 0x00, 0x70, 0x03, 0x51, 0x01])
  static let oddMeasurement = try! HeartRateMeasurement([0x12, 0x00, 0x01])
  static let bareMeasurement = try! HeartRateMeasurement([0x00, 0x48])

  /// Each kind of event with everything and with nothing that may be absent, with its text on the wire: the members
  /// between "kind" and "durableThrough".
  static let otherEvents: [(event: Event, members: String)] = [
    (
      Event(
        sequence: 7, date: date,
        what: .transition(
          Transition(
            from: .stopped, to: .ended, at: DatedTick(tick: Tick(nanoseconds: 0), date: later, isRequested: true),
            cause: .system, endReason: .sensorAbsent)), session: id, strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","from":"stopped","to":"ended","cause":"system","#
        + #""requestedDate":"2026-11-30T09:11:41.250Z","endReason":"sensorAbsent""#
    ),
    (
      Event(
        sequence: 8, date: date,
        what: .transition(
          Transition(
            from: .notStarted, to: .prepared, at: DatedTick(tick: Tick(nanoseconds: 0), date: date), cause: .user)),
        session: id),
      #""session":"\#(id)","from":"notStarted","to":"prepared","cause":"user""#
    ),
    (
      Event(
        sequence: 9, date: date,
        what: .heartRate(
          HeartRateSample(
            sequence: 9, tick: Tick(nanoseconds: 0), measurement: measurement, payload: [], isRepeat: true,
            beats: .init(lastBeat: Tick(nanoseconds: -750_000_000), uncertainty: .milliseconds(500))),
          availability: .available, counted: true), session: id, strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","heartRate":165,"contact":"detected","#
        + #""rrIntervals":[859.375,329.1015625],"rrTicks":[880,337],"energyKilojoules":7,"#
        + #""lastBeatDate":"2026-11-30T09:10:10.500Z","beatUncertaintySeconds":0.5,"repeat":true,"#
        + #""availability":"available","counted":true"#
    ),
    (
      Event(
        sequence: 10, date: date,
        what: .heartRate(
          HeartRateSample(sequence: 10, tick: Tick(nanoseconds: 0), measurement: oddMeasurement, payload: []),
          availability: .unavailable, counted: false), strap: strap),
      #""strap":"F0:F1:F2:F3:F4:F5","heartRate":0,"contact":"unknown","rrIntervals":[],"rrTicks":[],"#
        + #""warnings":["oddRROctet","rrFlagWithoutRR","contactBitWithoutSupport","heartRateZero"],"#
        + #""availability":"unavailable","counted":false"#
    ),
    (
      Event(
        sequence: 11, date: date,
        what: .heartRate(
          HeartRateSample(sequence: 11, tick: Tick(nanoseconds: 0), measurement: bareMeasurement, payload: []),
          availability: .available, counted: false)),
      #""heartRate":72,"contact":"unknown","rrIntervals":[],"rrTicks":[],"availability":"available","counted":false"#
    ),
    (
      Event(sequence: 12, date: date, what: .availability(.noContact), session: id, strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","availability":"noContact""#
    ),
    (
      Event(sequence: 18, date: date, what: .gap(since: date), session: id, strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","sinceDate":"2026-11-30T09:10:11.250Z""#
    ),
    (
      Event(sequence: 13, date: date, what: .link(fullStrap), strap: strap),
      #""strap":"F0:F1:F2:F3:F4:F5","link":"streaming","trouble":"the connection was lost","batteryPercent":87,"#
        + #""batteryUnreliable":true"#
    ),
    (Event(sequence: 14, date: date, what: .link(bareStrap)), #""link":"standing""#),
    (
      Event(
        sequence: 19, date: date, what: .battery(BatteryLevel(percent: 4)!, threshold: 5, isUnreliable: false),
        session: id, strap: strap),
      #""session":"\#(id)","strap":"F0:F1:F2:F3:F4:F5","batteryPercent":4,"thresholdPercent":5"#
    ),
    (
      Event(sequence: 15, date: date, what: .countdown(remaining: 3), session: id),
      #""session":"\#(id)","remainingSeconds":3"#
    ),
    (
      Event(sequence: 16, date: date, what: .recovered(lastAlive: later), session: id),
      #""session":"\#(id)","lastAliveDate":"2026-11-30T09:11:41.250Z""#
    ),
    (Event(sequence: 17, date: date, what: .recovered(lastAlive: nil)), ""),
    (
      Event(
        sequence: 18, date: date,
        what: .recovered(
          lastAlive: later, gap: Gap(duration: .milliseconds(2500), isReboot: true, isProvisional: true)),
        session: id),
      #""session":"\#(id)","lastAliveDate":"2026-11-30T09:11:41.250Z","gapSeconds":2.5,"rebooted":true,"#
        + #""provisional":true"#
    ),
    (
      Event(sequence: 19, date: date, what: .clockStep(.seconds(-3600)), session: id),
      #""session":"\#(id)","stepSeconds":-3600.0"#
    ),
    (
      Event(
        sequence: 20, date: date,
        what: .gapFixed(was: .seconds(20), now: .milliseconds(3620_500), isProvisional: false),
        session: id),
      #""session":"\#(id)","gapSeconds":3620.5,"previousGapSeconds":20.0,"provisional":false"#
    ),
  ]
}
