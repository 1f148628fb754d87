import Measurements
import Testing

struct CaptureTests {
  @Test func reads() throws {
    let capture = try Capture(
      """
      # A comment.
      name Strap of two words   # and what it is
      manufacturer Maker
      model M1
      firmware 1.2
      battery 87
      location 1

      0 prepare
      500 notify 16 34e404
      500 notify
      1000 battery 86
      2000 hangup
      2001 gone
      3000 back
      4000 stop
      """)
    #expect(capture.name == "Strap of two words")
    #expect(capture.information.manufacturer == "Maker" && capture.information.model == "M1")
    #expect(capture.information.firmwareRevision == "1.2")
    #expect(capture.battery == 87 && capture.location == 1)
    #expect(capture.happenings.map(\.at) == [0, 500, 500, 1000, 2000, 2001, 3000, 4000].map { .milliseconds($0) })
    #expect(
      capture.happenings.map(\.what) == [
        .call("Prepare"), .notify([0x16, 0x34, 0xE4, 0x04]), .notify([]), .battery(86), .hangUp, .gone, .back,
        .call("Stop"),
      ])
    #expect(try Capture("").happenings.isEmpty)
  }

  @Test(arguments: [
    ("colour red", 1, "'colour' is none of name, manufacturer, model, firmware, battery, location, nor a time"),
    ("\nbattery 300", 2, "'300' is no number from 0 to 255"), ("1.5 gone", 1, "'1.5' is no time in milliseconds"),
    ("5 gone\n4 back", 2, "4 ms is before what stands above it"),
    ("5 gone\nname x", 2, "'name' stands behind what happens"),
    ("5 notify 1", 1, "'1' are no octets"),
    (
      "5 fly away", 1,
      "'fly away' is none of notify HEX, battery PERCENT, hangup, gone, back, pause, prepare, resume, start, stop"
    ),
  ])
  func refusesWithTheLine(_ text: String, _ line: Int, _ why: String) {
    do throws(Capture.Unreadable) {
      _ = try Capture(text)
      Issue.record("it was read")
    } catch {
      #expect(error == Capture.Unreadable(line: line, description: why))
    }
  }
}
