import Measurements
import TestSupport
import Testing
import Workout

@testable import ActivityFiles

@Suite struct TCXReaderTests {
  static let namespace = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"

  static func document(_ activities: String, head: String = "<?xml version=\"1.0\"?>\n") -> [UInt8] {
    Array(
      "\(head)<TrainingCenterDatabase xmlns=\"\(namespace)\"><Activities>\(activities)</Activities></TrainingCenterDatabase>"
        .utf8)
  }

  static func point(_ time: String, _ rate: Int?) -> String {
    let heartRate = rate.map { "<HeartRateBpm><Value>\($0)</Value></HeartRateBpm>" } ?? ""
    return "<Trackpoint><Time>2026-11-30T\(time)Z</Time>\(heartRate)</Trackpoint>"
  }

  static func lap(_ start: String, _ total: String?, _ tracks: [String]...) -> String {
    let time = total.map { "<TotalTimeSeconds>\($0)</TotalTimeSeconds>" } ?? ""
    return "<Lap StartTime=\"2026-11-30T\(start)Z\">\(time)"
      + tracks.map { "<Track>\($0.joined())</Track>" }.joined() + "</Lap>"
  }

  static func activity(_ laps: String..., sport: String = "Running") -> String {
    "<Activity Sport=\"\(sport)\"><Id>2026-11-30T09:00:00Z</Id>\(laps.joined())</Activity>"
  }

  /// The error of a reading that has one.
  static func failure(_ octets: [UInt8]) -> ActivityFileError? {
    do { _ = try WorkoutFile.readTCX(octets) } catch { return error }
    return nil
  }

  static func one(_ activity: String) throws -> WorkoutFile {
    let files = try WorkoutFile.readTCX(document(activity))
    try #require(files.count == 1)
    return files[0]
  }

  /// As a watch writes it: places, altitudes, extensions with prefixes, a Creator, a time zone here and a fraction there.
  static let watch = """
    <?xml version="1.0" encoding="UTF-8" standalone="no" ?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
      xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
     <Folders/>
     <Activities>
      <Activity Sport="Biking">
       <Id>2026-11-30T08:00:00.000Z</Id>
       <Lap StartTime="2026-11-30T08:00:00.000Z">
        <TotalTimeSeconds>3.0</TotalTimeSeconds><DistanceMeters>21.5</DistanceMeters><Calories>12</Calories>
        <AverageHeartRateBpm><Value>99</Value></AverageHeartRateBpm>
        <Intensity>Active</Intensity><TriggerMethod>Distance</TriggerMethod>
        <Track>
         <Trackpoint><Time>2026-11-30T08:00:00.000Z</Time>
          <Position><LatitudeDegrees>52.1</LatitudeDegrees><LongitudeDegrees>13.2</LongitudeDegrees></Position>
          <HeartRateBpm xsi:type="HeartRateInBeatsPerMinute_t"><Value>101</Value></HeartRateBpm>
          <Extensions><ns3:TPX><ns3:Speed>7.1</ns3:Speed><ns3:Value>250</ns3:Value></ns3:TPX></Extensions>
         </Trackpoint>
         <Trackpoint><Time>2026-11-30T09:00:01+01:00</Time><HeartRateBpm><Value> 102
         </Value></HeartRateBpm></Trackpoint>
         <Trackpoint><Time>2026-11-30T08:00:01.5Z</Time><AltitudeMeters>40</AltitudeMeters></Trackpoint>
        </Track>
       </Lap>
       <Lap StartTime="2026-11-30T08:00:03.000Z">
        <TotalTimeSeconds>2.5</TotalTimeSeconds><DistanceMeters>0</DistanceMeters><Calories>0</Calories>
        <Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>
        <Track>
         <Trackpoint><Time>2026-11-30T08:00:03.250Z</Time><HeartRateBpm><Value>103</Value></HeartRateBpm></Trackpoint>
         <Trackpoint><Time>2026-11-30T08:00:04Z</Time><HeartRateBpm><Value>0</Value></HeartRateBpm></Trackpoint>
        </Track>
        <Notes>last one</Notes>
       </Lap>
       <Notes>to work &amp; back</Notes>
       <Creator xsi:type="Device_t"><Name>Edge</Name></Creator>
      </Activity>
     </Activities>
    </TrainingCenterDatabase>
    """

  @Test func aWatchsFile() throws {
    let octets = Array(Self.watch.utf8)
    #expect(WorkoutFile.isTCX(octets))
    let files = try WorkoutFile.readTCX(octets)
    try #require(files.count == 1)
    let file = files[0]
    #expect(file.workout.id == SessionID(contentOf: octets))
    #expect(file.workout.activity == .cycling)
    #expect(file.workout.start.date.rfc3339 == "2026-11-30T08:00:00Z")
    #expect(file.workout.end.date.rfc3339 == "2026-11-30T08:00:05.500Z")
    #expect(file.samples.map(\.measurement.heartRate) == [101, 102, 103])
    #expect(file.samples.map(\.tick.nanoseconds) == [0, 1_000_000_000, 3_250_000_000])
    #expect(file.workout.notes == "to work & back")
    #expect(file.workout.energyKilojoules == nil)
    #expect(file.workout.laps.map(\.summary.elapsed) == [.seconds(3), .milliseconds(2500)])
    #expect(file.workout.laps.map(\.interval.label) == [nil, "last one"])
    #expect(file.workout.elapsed == .milliseconds(5500))
    #expect(file.device == WorkoutFile.Device())
  }

  @Test func everyPrefixIsAnError() {
    let octets = Array(Self.watch.utf8)
    for count in octets.indices {
      let error = Self.failure(Array(octets[..<count]))
      #expect(error?.format == .tcx)
      #expect((error?.offset).map { $0 <= count } ?? false)
    }
  }

  @Test func severalActivities() throws {
    let lap = Self.lap("09:00:00", "2", [Self.point("09:00:00", 90)])
    let octets = Self.document(
      Self.activity(lap) + Self.activity(Self.lap("09:00:00", "2", [Self.point("09:00:00", nil)]))
        + "<MultiSportSession><Id>2026-11-30T09:00:00Z</Id><FirstSport>\(Self.activity(lap, sport: "Other"))</FirstSport>"
        + "<NextSport><Transition><TotalTimeSeconds>5</TotalTimeSeconds></Transition>\(Self.activity(lap, sport: "Rowing"))"
        + "</NextSport></MultiSportSession>")
    let files = try WorkoutFile.readTCX(octets)
    #expect(files.map(\.workout.activity) == [.running, .other, .rowing])
    #expect(Set(files.map(\.workout.id)).count == 3)
    #expect(try WorkoutFile.readTCX(octets) == files)
  }

  @Test func valuesThatAreNone() throws {
    func words(_ lap: String) -> String? {
      do { _ = try Self.one(Self.activity(lap)) } catch { return (error as? ActivityFileError)?.text }
      return nil
    }
    let good = Self.point("09:00:00", 90)
    #expect(
      words(Self.lap("09:00:00", "2", [good, Self.point("25:00:00", 90)])) == "has a time '2026-11-30T25:00:00Z'")
    #expect(words(Self.lap("9 o'clock", "2", [good])) == "has a time '2026-11-30T9 o'clockZ'")
    #expect(words(Self.lap("09:00:00", "two", [good])) == "has a TotalTimeSeconds 'two'")
    #expect(words(Self.lap("09:00:00", "nan", [good])) == "has a TotalTimeSeconds 'nan'")
    let long = String(repeating: "1", count: 65)
    #expect(words(Self.lap("09:00:00", long, [good])) == "has more than 64 octets where a number or time is")
    #expect(words(Self.lap("09:00:00", "1e300", [good])) == nil)
    #expect(
      words(Self.lap("09:00:00", "2", [good.replacing("2026", with: "1989"), good]))
        == "has an activity from 1989-11-30T09:00:00Z to 2026-11-30T09:00:00Z: longer than 30 days")
    let rates = ["-1", "256", "1e9", "", "89.6"].map { good.replacing(">90<", with: ">\($0)<") }
    let file = try Self.one(
      Self.activity(Self.lap("09:00:00", "20", zip(10..., rates).map { $1.replacing(":00Z", with: ":\($0)Z") })))
    #expect(file.samples.map(\.measurement.heartRate) == [90])
    #expect(words(Self.lap("09:00:00", "2", [good.replacing(">90<", with: ">ninety<")])) == "has a heart rate 'ninety'")
  }

  @Test func ourOwnComesBack() throws {
    let file = TCXSamples.long()
    let files = try WorkoutFile.readTCX(file.tcx())
    try #require(files.count == 1)
    let back = files[0]
    #expect(back.workout.id == file.workout.id)
    #expect(back.workout.activity == .cycling)
    #expect(back.workout.notes == "Hills & <dales>\n\nwindy\r\n\"cold\" ]]>")
    #expect(back.workout.elapsed == file.workout.elapsed)
    #expect(back.workout.wall == file.workout.wall)
    #expect(back.workout.start.date == file.workout.start.date)
    #expect(back.runningIntervals.map(\.start) == file.runningIntervals.map(\.start))
    #expect(back.runningIntervals.map(\.end) == file.runningIntervals.map(\.end))
    #expect(back.workout.laps.map(\.summary.elapsed) == file.lapStretches.map(\.summary.elapsed))
    #expect(back.workout.heartRate?.maximum == file.workout.heartRate?.maximum)
    #expect(back.workout.heartRate?.minimum == file.workout.heartRate?.minimum)
    // All seconds that were written are there, and what they say.
    let seconds = Dictionary(uniqueKeysWithValues: back.samples.map { ($0.tick, $0.measurement.heartRate) })
    let isSame = file.heartRateSecondBySecond.allSatisfy { seconds[$0.tick] == $0.heartRate }
    #expect(isSame)
  }

  /// Two people's workouts at the same time are not one; nor is what another program says of an id.
  @Test func onlyOurOwnIDIsTaken() throws {
    let tcx = String(decoding: TCXSamples.long().tcx(), as: UTF8.self)
    let own = TCXSamples.long().workout.id
    func ids(_ text: String) throws -> [SessionID] {
      try WorkoutFile.readTCX(Array(text.utf8)).map(\.workout.id)
    }
    func other(_ old: String, _ new: String) throws -> SessionID {
      let text = tcx.replacing(old, with: new)
      #expect(text != tcx)
      let ids = try ids(text)
      #expect(ids == [SessionID(contentOf: Array(text.utf8))])
      return ids[0]
    }
    #expect(try ids(tcx) == [own])
    let others = [
      try other("urn:uuid:5b0e6c1f", "urn:uuid:5b0e6c1e"), try other("WorkoutId", "ActivityId"),
      try other("\(own)<", "\(own)0<"), try other("Extensions", "Extras"),
    ]
    #expect(Set(others).count == 4 && !others.contains(own))
    // One file with it twice, as somebody may have put it together.
    guard let start = tcx.firstRange(of: "<Activity "), let end = tcx.firstRange(of: "</Activity>") else {
      return #expect(Bool(false), "no Activity")
    }
    let activity = tcx[start.lowerBound..<end.upperBound]
    let twice = try ids(tcx.replacing("</Activities>", with: "\(activity)</Activities>"))
    #expect(twice.count == 2 && twice[0] == own && twice[1] != own)
  }

  @Test func randomWorkoutsComeBack() throws {
    var random = SeededRandom(8)
    for _ in 0..<40 {
      let length = 20 + random.next(below: 400)
      var assembly = TCXSamples.assembly([(0, 60)], length: Double(length))
      for second in 1..<length where random.next(below: 20) > 0 {
        let offset = Duration.milliseconds(second * 1000 + random.next(below: 999))
        assembly.add(heartRate: UInt16(1 + random.next(below: 255)), at: offset)
      }
      let pause = 2 + random.next(below: length - 4)
      if random.next(below: 2) == 0 {
        assembly.pauses = [.init(start: .seconds(pause), end: .milliseconds(pause * 1000 + 1500))]
      }
      let lap = 1 + random.next(below: length - 2)
      assembly.laps = [.init(start: .zero, end: .milliseconds(lap * 1000 + 250))]
      let file = TCXSamples.file(assembly)
      let back = try #require(try WorkoutFile.readTCX(file.tcx()).first)
      #expect(back.workout.elapsed == file.workout.elapsed)
      #expect(back.workout.wall == file.workout.wall)
      #expect(back.workout.laps.map(\.summary.elapsed) == file.lapStretches.map(\.summary.elapsed))
      let seconds = Dictionary(uniqueKeysWithValues: back.samples.map { ($0.tick, $0.measurement.heartRate) })
      let isSame = file.heartRateSecondBySecond.allSatisfy { seconds[$0.tick] == $0.heartRate }
      #expect(isSame)
    }
  }

  @Test func damagedOctetsNeverTrap() {
    var random = SeededRandom(3)
    let octets = Array(Self.watch.utf8)
    for _ in 0..<1000 {
      var damaged = octets
      for _ in 0..<(1 + random.next(below: 4)) {
        damaged[random.next(below: damaged.count)] = UInt8(random.next(below: 256))
      }
      _ = WorkoutFile.isTCX(damaged)
      do { _ = try WorkoutFile.readTCX(damaged) } catch { #expect(error.format == .tcx) }
    }
  }

  @Test func otherFilesAreNone() {
    for text in ["", "<", "<gpx/>", "{\"TrainingCenterDatabase\":1}", "800\n801\n"] {
      #expect(!WorkoutFile.isTCX(Array(text.utf8)))
    }
  }
}
