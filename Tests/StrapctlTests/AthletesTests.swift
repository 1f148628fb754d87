import Control
import Testing

@testable import strapctl

/// Profiles of athletes.
@Suite struct AthletesTests {
  private func wish(_ texts: [AthleteWish.Field: String]) -> AthleteWish {
    var wish = AthleteWish(name: "Anna")
    wish.texts = texts
    return wish
  }

  @Test func whatIsNotSaidStays() throws {
    let known = try json(
      #"{"name":"Anna","yearOfBirth":1988,"biologicalSex":"female","restingHeartRate":48,"default":true}"#)
    let wish = wish([.massKilograms: "62.5", .restingHeartRate: "", .zones: "110 150"])
    try wish.check()
    #expect(wish.call(known).method == "io.strapd.SetAthlete")
    #expect(
      wish.call(known).parameters.text
        == #"{"name":"Anna","yearOfBirth":1988,"biologicalSex":"female","massKilograms":62.5,"#
        + #""zones":[{"upper":110},{"lower":110,"upper":150},{"lower":150}],"default":true}"#)
    #expect(wish.call(nil).parameters["default"]?.asBool == false)
  }

  @Test func wrongUse() {
    #expect(throws: UsageError.self) { try wish([.yearOfBirth: "x"]).check() }
    #expect(throws: UsageError.self) { try wish([.massKilograms: "1e3"]).check() }
    #expect(throws: UsageError.self) { try wish([.biologicalSex: "x"]).check() }
    #expect(throws: UsageError.self) { try wish([.zones: "1 2"]).check() }
    #expect(throws: UsageError.self) { try AthleteWish(name: " ").check() }
    var forget = wish([.yearOfBirth: "1988"])
    forget.isToBeForgotten = true
    #expect(throws: UsageError.self) { try forget.check() }
  }

  @Test func forPeople() throws {
    let athlete = try json(
      #"""
      {"name":"Anna","yearOfBirth":1988,"massKilograms":62.5,
      "zones":[{"upper":110},{"lower":110,"upper":150},{"lower":150}],"default":true}
      """#)
    #expect(AthleteText.table([athlete]).last == "Anna  1988  -    62.5 kg        -        -  110 150     default")
  }
}
