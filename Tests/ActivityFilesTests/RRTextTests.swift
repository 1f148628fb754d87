import Measurements
import Testing
import Workout

@testable import ActivityFiles

@Suite struct RRTextTests {
  @Test(arguments: [
    "0.8\n0.4\n0.5\n1.0\n", "0,8\r\n0,4\r\n0,5\r\n1,0", "\u{FEFF}800\r400\r\r500\r1000", " 800 \n\n\t400\n500.0\n1e3\n",
    "RR\n800\n400\n500\n1000\n", "RR-interval [s]\n.8\n.4\n.5\n1\n", "# comment\n% another\n800\n# 5\n400\n500\n1000",
    "Phone timestamp;RR-interval [ms]\n2026-04-24T14:10:16.752;800\n2026-04-24T14:10:17.2;400\n2026;500\n;1000\n",
    "date,rr,since start\n2026-11-30 09:00:15.123,800,0\n2026-11-30 09:00:15.946,400,823\n,500,\n,1000,\n",
    "8.000000000000000000e+02\n4.000000000000000000e+02\n5.000000000000000000e+02\n1.000000000000000000e+03\n",
  ])
  func whatOthersWrite(text: String) throws {
    #expect(WorkoutFile.isRR(Array(text.utf8)))
    #expect(RRReaderTests.ticks(try RRReaderTests.read(text)) == [819, 410, 512, 1024])
  }

  @Test(arguments: [
    ("", nil, "has no interval"), ("# RR\n\n", nil, "has no interval"),
    ("800\nabc\n", 4, "has 'abc' in line 2, which is no interval"),
    ("800 810 820\n", 0, "has '800 810 820' in line 1, which is no interval"),
    ("\r\n800\r\n-5\r\n", 7, "has an interval of -5.0 ms in line 3; allowed are 1 to 63999"),
    ("800\n0\n", 4, "has an interval of 0.0 ms in line 2; allowed are 1 to 63999"),
    ("800\n64000\n", 4, "has an interval of 64000.0 ms in line 2; allowed are 1 to 63999"),
    ("0.8\n1e99\n0.8\n", 4, "has an interval of 1e+102 ms in line 2; allowed are 1 to 63999"),
    ("RR\nRR\n", 3, "has 'RR' in line 2, which is no interval"),
    ("time;heart rate\n1;2\n", 0, "has 'time;heart rate' in line 1, which is no interval"),
    ("a,b,c,rr\n1,2,3,800\n", 0, "has 'a,b,c,rr' in line 1, which is no interval"),
    ("rr;x\n800\n", nil, nil), ("x;rr\n800\n", 5, "has '800' in line 2, which is no interval"),
    ("800\n# gap 31536000 s\n", nil, "is longer than 30 days"),
  ])
  func refusals(text: String, offset: Int?, words: String?) {
    let error = RRReaderTests.failure(Array(text.utf8))
    #expect(error?.text == words)
    #expect(error?.offset == offset)
  }

  @Test func hostileTexts() {
    let long = [UInt8](repeating: UInt8(ascii: "1"), count: 1_000_000)
    #expect(
      RRReaderTests.failure(long)?.text == "has '\(String(repeating: "1", count: 40))' in line 1, which is no interval")
    #expect(!WorkoutFile.isRR(long))
    let many = [UInt8](repeating: UInt8(ascii: "9"), count: 2_000_004).enumerated().map { $0 % 2 == 0 ? $1 : 0x0A }
    #expect(RRReaderTests.failure(many)?.text == "has more than 1000000 intervals")
    let gaps = Array(String(repeating: "# gap 31536000 s\n", count: 1000).utf8) + Array("800".utf8)
    #expect(RRReaderTests.failure(gaps)?.text == "is longer than 30 days")
  }

  @Test func otherFilesAreNone() {
    let others = ["", "error\n5\n", "{\"a\":1}", "<TrainingCenterDatabase/>", "\u{E}\u{10}", "heart rate\n80\n"]
    for text in others { #expect(!WorkoutFile.isRR(Array(text.utf8)), "\(text)") }
    #expect(!WorkoutFile.isRR(TCXSamples.long().csv()))
    #expect(!WorkoutFile.isRR(TCXSamples.long().tcx()))
  }
}
