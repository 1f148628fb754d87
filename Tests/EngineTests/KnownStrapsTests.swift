import Control
import Measurements
import Testing
import Workout

@testable import Engine

struct KnownStrapsTests {
  static let a = World.a
  static let b = World.b

  static func record(_ strap: StrapAddress, _ name: String?, athlete: String? = nil) -> StrapRecord {
    var record = StrapRecord(strap)
    record.name = name.flatMap { StrapName($0) }
    record.athlete = athlete.flatMap { AthleteName($0) }
    return record
  }

  private static func known(_ configuration: String, _ records: [StrapRecord]) throws -> KnownStraps {
    var known = KnownStraps(try Configuration(parsing: configuration, file: "f").straps)
    for record in records { known.set(record.address, record) }
    return known
  }

  @Test func theConfigurationGoesBeforeTheStore() throws {
    let known = try Self.known(
      "[strap \(Self.a)]\nname = Left\nathlete = Anna\n[strap \(Self.b)]\nathlete = Carl",
      [Self.record(Self.a, "Old", athlete: "Ben"), Self.record(Self.b, "Right", athlete: "Ben")])
    #expect(known.name(of: Self.a)?.description == "Left")
    #expect(known.athlete(of: Self.a)?.description == "Anna")
    #expect(known.name(of: Self.b)?.description == "Right", "what it does not say is not taken away")
    #expect(known.athlete(of: Self.b)?.description == "Carl")
    #expect(known.names.all.map(\.description) == ["Left", "Right"])
    #expect(known.shadowed == [])
  }

  @Test func aNameOfTheConfigurationIsNobodyElses() throws {
    let known = try Self.known("[strap \(Self.a)]\nname = Left", [Self.record(Self.b, "LEFT")])
    let left = try #require(StrapName("left"))
    #expect(known.names[left] == Self.a)
    #expect(known.name(of: Self.b) == nil)
    #expect(known.shadowed == [Self.b])
    #expect(known.all == [Self.a, Self.b])
  }

  @Test func namesFollowTheRecords() throws {
    var known = try Self.known("", [Self.record(Self.a, "Left")])
    let left = try #require(StrapName("Left"))
    #expect(known.names[left] == Self.a)
    known.set(Self.a, Self.record(Self.a, nil))
    #expect(known.names[left] == nil)
    known.set(Self.b, Self.record(Self.b, "left"))
    #expect(known.names[left] == Self.b)
    known.set(Self.b, nil)
    #expect(known.names.all == [])
    #expect(known.all == [Self.a])
  }
}
