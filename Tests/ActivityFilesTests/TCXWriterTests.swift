import Foundation
import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct TCXWriterTests {
  private func text(_ file: WorkoutFile) -> String { String(decoding: file.tcx(), as: UTF8.self) }

  private func track(_ points: String...) -> String {
    "<Track>\n" + points.map { $0 + "\n" }.joined() + "</Track>\n"
  }

  private func point(_ time: String, _ rate: Int? = nil) -> String {
    let heartRate = rate.map { "<HeartRateBpm><Value>\($0)</Value></HeartRateBpm>" } ?? ""
    return "<Trackpoint><Time>2026-11-30T09:10:\(time)Z</Time>\(heartRate)</Trackpoint>"
  }

  @Test func aWholeFile() {
    let file = TCXSamples.file(TCXSamples.assembly([(0.5, 100), (1.5, 110), (2.5, 120)], length: 3.5))
    let beginning = """
      <?xml version="1.0" encoding="UTF-8"?>
      <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:schemaLocation="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2 \
      http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd">
      <Activities>
      <Activity Sport="Running">
      <Id>2026-11-30T09:10:11.000Z</Id>
      <Lap StartTime="2026-11-30T09:10:11.000Z">
      <TotalTimeSeconds>3.5</TotalTimeSeconds>
      <DistanceMeters>0</DistanceMeters>
      <Calories>0</Calories>
      <AverageHeartRateBpm><Value>110</Value></AverageHeartRateBpm>
      <MaximumHeartRateBpm><Value>120</Value></MaximumHeartRateBpm>
      <Intensity>Active</Intensity>
      <TriggerMethod>Manual</TriggerMethod>

      """
    let points = track(
      point("11.000"), point("12.000", 100), point("13.000", 110), point("14.000", 120), point("14.500", 120))
    let ending = """
      </Lap>
      <Extensions>
      <WorkoutId xmlns="urn:uuid:5b0e6c1f-2d9a-4c37-8e51-d470a81362f9">\(file.workout.id)</WorkoutId>
      </Extensions>
      </Activity>
      </Activities>
      </TrainingCenterDatabase>

      """
    #expect(text(file) == beginning + points + ending)
  }

  @Test func aTrackForEachRunningInterval() {
    var assembly = TCXSamples.assembly((0..<8).map { (Double($0), 100) }, length: 8)
    assembly.pauses = [.init(start: TCXSamples.seconds(2.5), end: TCXSamples.seconds(6.25))]
    let tcx = text(TCXSamples.file(assembly))
    #expect(tcx.contains("<TotalTimeSeconds>4.25</TotalTimeSeconds>"))
    #expect(
      tcx.contains(
        track(point("11.000", 100), point("12.000", 100), point("13.000", 100), point("13.500", 100))
          // A value of the pause does not count behind it.
          + track(point("17.250"), point("18.000", 100), point("19.000", 100))))
  }

  @Test func aValueHoldsForTenSecondsAndNotBeyondALoss() {
    var assembly = TCXSamples.assembly([(0, 100), (30, 90)], length: 40)
    assembly.addLoss(at: TCXSamples.seconds(33.5))
    let tcx = text(TCXSamples.file(assembly))
    let first = (11..<21).map { point("\($0).000", 100) } + [point("21.000")]
    let second = (41..<45).map { point("\($0).000", 90) } + [point("44.500"), point("51.000")]
    #expect(tcx.contains("<Track>\n" + (first + second).joined(separator: "\n") + "\n</Track>"))
  }

  @Test func lostContactEndsAValueAndMoreThan255IsNone() {
    var assembly = TCXSamples.assembly([(0, 100), (4, 300)], length: 6)
    // Contact supported and not detected.
    if let lost = HeartRateMeasurement(sent: [0x04, 100]) { assembly.add(lost, [0x04, 100], at: .seconds(2)) }
    let tcx = text(TCXSamples.file(assembly))
    #expect(
      tcx.contains(
        track(
          point("11.000", 100), point("12.000", 100), point("13.000"), point("15.000"), point("16.000"), point("17.000")
        )))
    #expect(!tcx.contains("MaximumHeartRateBpm"))
  }

  @Test func textIsEscapedAndWhatXMLCannotHoldIsLeftOut() {
    let tcx = text(TCXSamples.long())
    #expect(
      tcx.contains("<Notes>Hills &amp; &lt;dales&gt;\n\nwindy&#13;\n&quot;cold&quot; ]]&gt;</Notes>"))
  }

  @Test func theStrap() {
    let tcx = text(TCXSamples.long())
    #expect(
      tcx.contains(
        """
        <Creator xsi:type="Device_t">
        <Name>Polar H10 12345678</Name>
        <UnitId>12345678</UnitId>
        <ProductID>0</ProductID>
        <Version>
        <VersionMajor>3</VersionMajor>
        <VersionMinor>1</VersionMinor>
        <BuildMajor>1</BuildMajor>
        </Version>
        </Creator>
        """))
    var unknown = TCXSamples.long()
    unknown.device.information.serial = "E4:20"
    unknown.device.information.firmwareRevision = "3.1-rc"
    #expect(text(unknown).contains("<UnitId>0</UnitId>"))
    #expect(text(unknown).contains("<VersionMajor>0</VersionMajor>\n<VersionMinor>0</VersionMinor>\n</Version>"))
  }

  @Test(arguments: [(nil, 0), (0, 0), (418, 100), (1_000_000, 65_535)])
  func energyIsKilocalories(kilojoules: Int?, calories: Int) {
    var file = TCXSamples.file(TCXSamples.assembly([(0, 100)], length: 3))
    file.workout.summary.energyKilojoules = kilojoules
    #expect(text(file).contains("<Calories>\(calories)</Calories>"))
  }

  /// As where a workout was split and put together again.
  @Test func aPauseOfNoTimePartsNoTracks() {
    var assembly = TCXSamples.assembly((0..<8).map { (Double($0), 100) }, length: 8)
    assembly.pauses = [.init(start: .seconds(4), end: .seconds(4) + .nanoseconds(900))]
    assembly.laps = [.init(start: .zero, end: .seconds(4)), .init(start: .seconds(4), end: .seconds(8))]
    let tcx = text(TCXSamples.file(assembly))
    #expect(tcx.components(separatedBy: "<Track>").count == 3)
    #expect(tcx.components(separatedBy: "<Time>2026-11-30T09:10:15.000Z").count == 2)
    assembly.laps = []
    #expect(text(TCXSamples.file(assembly)).components(separatedBy: "<Track>").count == 2)
  }

  @Test func caloriesOfLapsComeToTheWorkouts() throws {
    var assembly = TCXSamples.assembly([], length: 100)
    for second in 0..<100 {
      assembly.add(heartRate: 100, energyKilojoules: UInt16(second * 2), at: .seconds(second))
    }
    assembly.laps = (0..<9).map { .init(start: .seconds($0 * 11), end: .seconds(($0 + 1) * 11)) }
    func calories(_ file: WorkoutFile) -> [Int] {
      text(file).components(separatedBy: "<Calories>").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    }
    let file = TCXSamples.file(assembly)
    #expect(file.workout.summary.energyKilojoules == 198)
    // 198 kJ are 47.3 kcal, and 22 kJ of a lap 5.26.
    let told = calories(file)
    #expect(told.count == 10 && told.reduce(0, +) == 47 && told.dropLast().allSatisfy { (4...6).contains($0) })
    // Of energy that no lap has counted, the whole is told once.
    var foreign = TCXSamples.assembly((0..<100).map { (Double($0), 100) }, length: 100)
    foreign.energyKilojoules = 418
    foreign.laps = assembly.laps
    #expect(calories(TCXSamples.file(foreign)).reduce(0, +) == 100)
  }
}
