import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct TCXDocumentTests {
  @Test(arguments: [
    ("\u{FEFF}", true), ("\n  \r\n\t<?xml version=\"1.0\"?>", true), ("\u{FEFF}\n<?xml version=\"1.0\"?>\n", true),
    ("", true),
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- no -->", true),
    ("<?xml version=\"1.0\" encoding=\"x-klingon\"?>", false),
  ])
  func beginnings(head: String, isRead: Bool) throws {
    let octets = TCXReaderTests.document(
      TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "2", [TCXReaderTests.point("09:00:00", 90)])), head: head)
    #expect(WorkoutFile.isTCX(octets))
    if isRead {
      #expect(try WorkoutFile.readTCX(octets).count == 1)
    } else {
      let error = TCXReaderTests.failure(octets)
      #expect(error?.text == "is no well-formed XML: unknown encoding")
      #expect(error?.offset == 30)
    }
  }

  @Test func utf16AndPrefixes() throws {
    let text = String(
      decoding: TCXReaderTests.document(
        TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "2", [TCXReaderTests.point("09:00:00", 90)]))),
      as: UTF8.self)
    var octets: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { octets += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(WorkoutFile.isTCX(octets))
    #expect(try WorkoutFile.readTCX(octets)[0].samples.map(\.measurement.heartRate) == [90])
    // Every element with a prefix, and one that stands for nothing.
    let prefixed = String(text.dropFirst(22)).replacing("<", with: "<tcx:").replacing("<tcx:/", with: "</tcx:")
      .replacing("xmlns=", with: "xmlns:tcx=").replacing("<tcx:Lap ", with: "<nobody:Lap/><tcx:Lap ")
    #expect(WorkoutFile.isTCX(Array(prefixed.utf8)))
    #expect(try WorkoutFile.readTCX(Array(prefixed.utf8))[0].samples.map(\.measurement.heartRate) == [90])
  }

  @Test(arguments: [
    ("", 0, "ends before its last element does"), (" \n", 2, "ends before its last element does"),
    ("<gpx/>", 0, "is XML of <gpx>"),
    ("<?xml version=\"1.0\"?>\n<a\u{7}b/>", 24, "is no well-formed XML: not well-formed (invalid token)"),
    (
      "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;&b;\">]><TrainingCenterDatabase>&c;</TrainingCenterDatabase>",
      12,
      "declares a document type, which no TCX has"
    ),
    ("<TrainingCenterDatabase>\u{E4}&auml;</TrainingCenterDatabase>", 26, "is no well-formed XML: undefined entity"),
    ("<TrainingCenterDatabase></Activities>", 26, "is no well-formed XML: mismatched tag"),
    ("<TrainingCenterDatabase/>", nil, "has no heart rate"),
  ])
  func refusals(text: String, offset: Int?, words: String) {
    let error = TCXReaderTests.failure(Array(text.utf8))
    #expect(error?.text == words)
    #expect(error?.offset == offset)
  }

  @Test func depthAndLengthAreBounded() throws {
    let deep = String(repeating: "<a>", count: 100_000)
    let error = TCXReaderTests.failure(TCXReaderTests.document(deep))
    #expect(error?.text == "has elements 65 deep")
    let note = String(repeating: "\u{E4}", count: 10_000)
    let lap = TCXReaderTests.lap("09:00:00", "2", [TCXReaderTests.point("09:00:00", 90)])
    let file = try TCXReaderTests.one("<Activity Sport=\"x\">\(lap)<Notes>\(note)</Notes></Activity>")
    #expect(file.workout.notes?.utf8.count == FinishedWorkout.longestNotes)
    let activities = String(
      repeating: TCXReaderTests.activity(TCXReaderTests.lap("09:00:00", "2", [TCXReaderTests.point("09:00:00", 90)])),
      count: 10_001)
    #expect(TCXReaderTests.failure(TCXReaderTests.document(activities))?.text == "has more than 10000 activities")
    let laps = String(repeating: lap, count: 1001)
    #expect(throws: ActivityFileError.self) { try TCXReaderTests.one(TCXReaderTests.activity(laps)) }
  }
}
