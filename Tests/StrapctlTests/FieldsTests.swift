import Control
import Testing

@testable import strapctl

struct FieldsTests {
  @Test func alignsValues() {
    var fields = Fields()
    fields.add("a", "1")
    fields.add("longer", "2")
    fields.add("absent", nil)
    fields.add("", "3")
    #expect(fields.lines == ["a       1", "longer  2", "        3"])
    #expect(Fields().lines == [])
  }

  @Test func alignsColumns() {
    var table = Table([("name", .left), ("number", .right), ("rest", .left)])
    table.add(["a", "1", "x"])
    table.add(["longer", "1234567", "yyyyyyy"])
    #expect(
      table.lines == [
        "name     number  rest",
        "a             1  x",
        "longer  1234567  yyyyyyy",
      ])
  }

  @Test(
    arguments: [
      (0, "0:00:00"), (59.999, "0:00:59"), (60, "0:01:00"), (3599.99, "0:59:59"), (3600, "1:00:00"),
      (86_400, "24:00:00"), (360_000, "100:00:00"), (-1, "0:00:00"), (.nan, "0:00:00"),
    ] as [(Double, String)])
  func writesHours(_ seconds: Double, _ text: String) {
    #expect(hoursText(seconds) == text)
  }

  @Test(
    arguments: [
      (0, "0.0"), (71.44, "71.4"), (71.45, "71.5"), (99.96, "100.0"), (-0.25, "-0.3"), (.infinity, "inf"),
    ] as [(Double, String)])
  func writesOneDecimal(_ number: Double, _ text: String) {
    #expect(tenths(number) == text)
  }

  @Test func readsMembersForPeople() throws {
    let object = try json(#"{"text":"a\u001b[2Jb","integer":3,"real":2.5,"list":[1],"null":null}"#)
    #expect(object.text("text") == "a\u{FFFD}[2Jb")
    #expect(object.text("integer") == nil)
    #expect(object.integer("integer") == 3)
    #expect(object.real("integer") == 3)
    #expect(object.hours("real") == "0:00:02")
    #expect(object.average("real") == "2.5 bpm")
    #expect(object.list("list") == [.integer(1)])
    #expect(object.list("absent") == [])
    #expect(object.text("null") == nil)
  }
}
