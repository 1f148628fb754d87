import Foundation
import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct CSVWriterTests {
  private static let heading =
    "date (UTC),time since start (s),state,lap,lap label,heart rate (bpm),skin contact,RR intervals (ms),"
    + "last beat since start (s),energy (kJ),repeat,payload (hex)"

  private func rows(_ assembly: WorkoutAssembly) -> [String] {
    String(decoding: TCXSamples.file(assembly).csv(), as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test func aWholeFile() throws {
    var assembly = WorkoutAssembly(start: TCXSamples.start, length: .seconds(6))
    assembly.pauses = [.init(start: .seconds(2), end: .seconds(4))]
    assembly.laps = [
      .init(start: .zero, end: .seconds(2), label: "=HYPERLINK(\"x\"),1"),
      .init(start: .seconds(4), end: .seconds(5), label: "b"),
    ]
    // Contact detected, energy and two intervals: 1024 and 1 ticks.
    let full: [UInt8] = [0x1E, 72, 0x2C, 0x01, 0x00, 0x04, 0x01, 0x00]
    assembly.add(
      try #require(HeartRateMeasurement(sent: full)), full, at: .milliseconds(1250),
      lastBeat: .nanoseconds(1_000_000_001))
    let none: [UInt8] = [0x04, 0]
    assembly.add(try #require(HeartRateMeasurement(sent: none)), none, at: .seconds(3))
    assembly.add(heartRate: 300, at: .milliseconds(4500))
    assembly.add(heartRate: 61, at: .milliseconds(5500))
    assembly.add(heartRate: 60, at: .seconds(7))
    #expect(
      rows(assembly) == [
        Self.heading,
        "2026-11-30T09:10:12.250Z,1.25,running,1,\"'=HYPERLINK(\"\"x\"\"),1\",72,yes,1000 0.9765625,1.000000001,300,,"
          + "1e 48 2c 01 00 04 01 00",
        "2026-11-30T09:10:14Z,3,paused,,,,no,,,,,04 00",
        "2026-11-30T09:10:15.500Z,4.5,running,2,b,300,,,,,,01 2c 01",
        "2026-11-30T09:10:16.500Z,5.5,running,,,61,,,,,,00 3d",
        "2026-11-30T09:10:18Z,7,ended,,,60,,,,,,00 3c",
        "",
      ])
  }

  @Test(arguments: [
    ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"), ("a\nb", "\"a\nb\""), ("\"", "\"\"\"\""),
    ("up", "up"), ("\"\u{301}", "\"\"\"\u{301}\""),
    ("5=5", "5=5"),
  ])
  func labels(label: String, field: String) {
    var assembly = TCXSamples.assembly([(0.5, 60)], length: 2)
    assembly.laps = [.init(start: .zero, end: .seconds(1), label: label)]
    let row = String(decoding: TCXSamples.file(assembly).csv(), as: UTF8.self).dropFirst(Self.heading.count + 1)
    #expect(row == "2026-11-30T09:10:11.500Z,0.5,running,1,\(field),60,,,,,,00 3c\r\n")
  }

  @Test func repeatsAndWhatCameBeforeTheStart() {
    var file = TCXSamples.file(TCXSamples.assembly([(0.5, 60)], length: 2))
    file.samples[0].isRepeat = true
    file.samples[0].tick = Tick(nanoseconds: -1_500_000_000)
    let text = String(decoding: file.csv(), as: UTF8.self)
    #expect(text.hasSuffix("2026-11-30T09:10:09.500Z,-1.5,prepared,,,60,,,,,yes,00 3c\r\n"))
  }

  @Test func pythonsReaderReadsAllOfIt() throws {
    let file = TCXSamples.long()
    let lines = try PythonProgram.lines("csv_read.py", of: file.csv())
    #expect(lines.count == file.samples.count)
    #expect(
      lines
        == file.samples.map { sample in
          let date = Double(file.date(of: sample.tick).nanoseconds / 1_000_000) / 1000
          return "\(date) \(sample.measurement.heartRate) 12 \(Hex.text(sample.payload))"
        })
  }
}
