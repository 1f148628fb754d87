import Control
import Measurements
import Testing
import Workout

@testable import Engine

/// Measurements of a session: page by page, in one stream, as a series, in buckets. The store is a real one.
@Suite struct SamplesScenarioTests {
  /// Two minutes before the start, ten of a workout; live.
  private func live() throws -> (world: World, id: SessionID) {
    let world = try World.onDisk()
    world.call("Prepare", ["activity": .string("running")])
    world.advance(.seconds(5))
    world.beats(20)
    world.call("Start")
    world.beats(600)
    return (world, try #require(world.engine.sessions.live.keys.first))
  }

  private func end(_ world: World) {
    world.call("Stop")
    world.call("End")
    world.beats(10)
  }

  /// All replies to one call.
  private func replies(
    _ world: World, _ id: SessionID, more: Bool = true, _ parameters: KeyValuePairs<String, JSON?> = [:]
  ) -> [JSON] {
    let client = world.connect()
    var members = [JSON.Member("id", .string(id.description))]
    for (name, value) in parameters { if let value { members.append(.init(name, value)) } }
    world.send(client, VarlinkCall("io.strapd.GetSamples", .object(members), more: more))
    world.advance(.zero)
    defer { world.input(.clientGone(client)) }
    return world.take(client)
  }

  private func list(_ replies: [JSON], _ name: String) -> [JSON] {
    replies.flatMap { $0["parameters"]?[name]?.asArray ?? [] }
  }

  private func answers(_ world: World, _ id: SessionID) -> [[JSON]] {
    let rr = JSON.string("rrIntervals")
    let start = world.session(id)?.start?.date ?? WallTime(nanoseconds: 0)
    let (from, to) = (JSON.string((start + .seconds(100)).rfc3339), JSON.string((start + .seconds(400)).rfc3339))
    return [
      list(replies(world, id), "samples"), list(replies(world, id, ["series": rr, "to": to]), "values"),
      list(replies(world, id, ["from": from, "to": to]), "samples"),
      list(replies(world, id, more: false, ["buckets": .integer(50), "to": to]), "buckets"),
      list(replies(world, id, ["bucketSeconds": .real(1.5), "series": rr, "from": from, "to": to]), "buckets"),
      list(replies(world, id, ["from": from, "series": .string("contact"), "to": to]), "values"),
    ]
  }

  @Test func liveOrEndedOrPackedTheAnswersAreTheSame() throws {
    let (world, id) = try live()
    let count = world.samples(of: id).count
    let before = answers(world, id)
    #expect(before.map(\.count) == [count, 400, 300, 50, 200, 300])
    end(world)
    let rows = answers(world, id)
    #expect(Array(rows.dropFirst()) == Array(before.dropFirst()))
    let all = list(replies(world, id), "samples")
    world.advance(.seconds(400))
    #expect(world.logs.contains { $0.text.contains("octets now") }, "it is packed")
    #expect(answers(world, id) == rows)
    #expect(list(replies(world, id), "samples") == all)
    #expect(all.count > count, "the series after the end is of the session")
  }

  @Test func aStreamIsThePages() throws {
    let (world, id) = try live()
    end(world)
    let stream = replies(world, id)
    #expect(stream.count > 5)
    #expect(stream.dropLast().allSatisfy { $0["continues"] == .bool(true) })
    #expect(stream.last?["continues"] == nil && stream.last?["parameters"]?["next"] == nil)
    var pages: [JSON] = []
    var after: Int64? = 0
    while let place = after {
      let page = replies(world, id, more: false, ["after": .integer(place), "limit": .integer(97)])
      #expect(page.count == 1)
      pages += list(page, "samples")
      after = page.first?["parameters"]?["next"]?.asInteger
    }
    #expect(pages == list(stream, "samples"))
    // A stream may be limited as well, and says where it goes on.
    let some = replies(world, id, ["limit": .integer(150)])
    #expect(list(some, "samples") == Array(pages.prefix(150)))
    #expect(some.last?["parameters"]?["next"] == pages[149]["event"])
  }

  @Test func bucketsSumUpWhatTheValuesAre() throws {
    let (world, id) = try live()
    end(world)
    let values = list(replies(world, id, ["series": .string("heartRate")]), "values")
    #expect(values.count == 600)
    let told = replies(world, id, more: false, ["bucketSeconds": .integer(60)])
    let buckets = list(told, "buckets")
    #expect(buckets.count == 10)
    #expect(told.first?["parameters"]?["bucketSeconds"] == .real(60))
    for (index, bucket) in buckets.enumerated() {
      let begin = Double(index) * 60
      let mine = values.filter { (begin..<begin + 60).contains($0["seconds"]?.asReal ?? -1) }
        .compactMap { $0["value"]?.asReal }
      #expect(bucket["seconds"] == .real(begin))
      #expect(bucket["count"]?.asInteger == Int64(mine.count))
      #expect(bucket["minimum"]?.asReal == mine.min() && bucket["maximum"]?.asReal == mine.max())
      #expect(bucket["mean"]?.asReal == mine.reduce(0, +) / Double(mine.count))
    }
    // As many replies as it takes.
    let stream = replies(world, id, ["bucketSeconds": .real(0.1)])
    #expect(stream.count > 2 && list(stream, "buckets").count == 600, "most of 6000 have no value")
  }

  private func error(_ replies: [JSON]) -> String? { replies.last?["error"]?.asString }

  @Test func whatIsRefused() throws {
    let (world, id) = try live()
    let start = try #require(world.session(id)?.start?.date)
    func date(_ seconds: Int) -> JSON { .string((start + .seconds(seconds)).rfc3339) }
    #expect(error(replies(world, id, ["from": date(-2)])) == "io.strapd.OutsideWorkout")
    #expect(error(replies(world, id, ["from": date(-1)])) == nil, "a second is rounding")
    #expect(error(replies(world, id, ["to": date(610)])) == "io.strapd.OutsideWorkout", "it is not yet")
    end(world)
    let refused = replies(world, id, ["series": .string("contact"), "to": date(700)])
    #expect(error(refused) == "io.strapd.OutsideWorkout")
    #expect(
      refused.first?["parameters"]
        == .object([
          "session": .string(id.description), "date": date(700), "startDate": date(0),
          "endDate": world.session(id)?.end.map { .string($0.date.rfc3339) },
        ]))
    #expect(
      error(replies(world, id, more: false, ["bucketSeconds": .real(0.5)])) == "org.varlink.service.ExpectedMore")
    #expect(error(replies(world, id, ["bucketSeconds": .real(0.01)])) == "org.varlink.service.InvalidParameter")
    let nobody = SessionID(randomBytes: [UInt8](repeating: 9, count: 16))
    #expect(error(replies(world, nobody)) == "io.strapd.NoSuchWorkout")
    #expect(world.engine.samplesReadings.isEmpty)
  }

  /// Nothing is read ahead for a reader who does not take what was read.
  @Test func aSlowReaderIsWaitedFor() throws {
    let (world, id) = try live()
    end(world)
    world.drains = false
    let client = world.connect()
    for _ in 0..<20 {
      world.send(client, VarlinkCall("io.strapd.GetSamples", .object(["id": .string(id.description)]), more: true))
    }
    world.advance(.seconds(5))
    let octets = world.take(client).reduce(0) { $0 + $1.text.utf8.count }
    #expect(octets > Subscriptions.mostUnsent && octets < Subscriptions.mostUnsent + 65_536, "\(octets)")
    #expect(world.engine.samplesReadings[client]?.isWaiting == true)
    // It reads on.
    var told = 0
    for _ in 0..<40 {
      world.input(.clientDrained(client))
      world.advance(.zero)
      told += world.take(client).count { $0["continues"] == nil }
    }
    #expect(told >= 18 && world.engine.samplesReadings.isEmpty)
    // One that goes in the middle leaves nothing.
    world.send(client, VarlinkCall("io.strapd.GetSamples", .object(["id": .string(id.description)]), more: true))
    world.input(.clientGone(client))
    world.advance(.zero)
    #expect(world.engine.samplesReadings.isEmpty)
  }
}
