import Control
import Testing
import Workout

@testable import strapctl

@Suite struct SamplesWishTests {
  private static let id = "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f"

  private func call(_ words: String...) throws -> VarlinkCall {
    let invocation = try #require(Invocation(["strapctl", "samples", Self.id] + words, quietly: true))
    guard case .samples(let id, let wish) = invocation.command else {
      Issue.record("another command: \(invocation.command)")
      return VarlinkCall("")
    }
    return Command.getSamples(id, wish)
  }

  @Test func whatIsCalled() throws {
    let plain = try call()
    #expect(plain.more && plain.parameters == .object(["id": .string(Self.id)]))
    let range = try call("--series", "rrIntervals", "--from", "2026-11-30T09:00:00Z", "--to", "2026-11-30T10:00:00Z")
    let expected: KeyValuePairs<String, JSON?> = [
      "id": .string(Self.id), "series": .string("rrIntervals"), "from": .string("2026-11-30T09:00:00Z"),
      "to": .string("2026-11-30T10:00:00Z"),
    ]
    #expect(range.parameters == .object(expected))
    #expect(try call("--every", "2.5").parameters["bucketSeconds"] == .real(2.5))
    #expect(try call("--buckets", "1000").parameters["buckets"] == .integer(1000))
  }

  @Test(arguments: [
    (
      SamplesWishTests.values(series: "pulse"),
      "'pulse' is no series; there are heartRate, rrIntervals, energyKilojoules, contact"
    ),
    (
      SamplesWishTests.values(from: "noon"),
      "'noon' is no date as in RFC 3339; one looks like 2026-11-30T09:10:11+01:00"
    ),
    (
      SamplesWishTests.values(from: "2026-11-30T09:00:00Z", to: "2026-11-30T10:00:00+01:00"),
      "--to has to be later than --from"
    ),
    (SamplesWishTests.values(every: "5", buckets: "9"), "either --every or --buckets"),
    (SamplesWishTests.values(every: "0"), "'0' is no length of a bucket; allowed are 0.001 to 604800 seconds"),
    (SamplesWishTests.values(buckets: "10001"), "'10001' is no number of buckets; allowed are 1 to 10000"),
  ])
  func whatIsRefused(_ values: [String: String], _ why: String) {
    #expect(throws: UsageError(why)) {
      try SamplesWish(
        series: values["series"], from: values["from"], to: values["to"], every: values["every"],
        buckets: values["buckets"])
    }
  }

  fileprivate static func values(
    series: String? = nil, from: String? = nil, to: String? = nil, every: String? = nil, buckets: String? = nil
  ) -> [String: String] {
    ["series": series, "from": from, "to": to, "every": every, "buckets": buckets].compactMapValues { $0 }
  }
}
