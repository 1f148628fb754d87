import Measurements
import Testing
import Workout

struct BeatTimelineTests {
  private func tick(_ seconds: Double) -> Tick { Tick(nanoseconds: Int64((seconds * 1e9).rounded())) }
  private func rr(_ milliseconds: Double...) -> [RRInterval] {
    milliseconds.map { RRInterval(ticks1024: UInt16(($0 * 1.024).rounded())) }
  }

  /// All beats of placed packets, each packet's laid back from its last one.
  private func beats(_ packets: [(Tick, [RRInterval], BeatTimeline.Placement?)]) -> [Tick] {
    packets.flatMap { packet -> [Tick] in
      guard let placement = packet.2 else { return [] }
      var beat = placement.lastBeat
      var laid = [beat]
      for interval in packet.1.dropFirst().reversed() {
        beat = beat - .nanoseconds(interval.nanoseconds)
        laid.append(beat)
      }
      return laid.reversed()
    }
  }

  @Test func theFirstPacketMayBeAPeriodOld() throws {
    var timeline = BeatTimeline()
    let placed = timeline.place(rr(800), isRepeat: false, at: tick(100))
    let placement = try #require(placed)
    #expect(placement.lastBeat == tick(99))
    #expect(placement.uncertainty == .seconds(1))
  }

  @Test func packetsWithoutIntervalsTellOfNoBeat() {
    var timeline = BeatTimeline()
    #expect(timeline.place([], isRepeat: false, at: tick(100)) == nil)
    #expect(timeline.place([RRInterval(ticks1024: 0)], isRepeat: false, at: tick(101)) == nil)
  }

  /// A strap that sends each second what has beaten since, received with some delay: the beats keep their distances to
  /// the tick, whatever the receipts do, and lie no further off than they say.
  @Test(arguments: UInt64(1)...50)
  func beatsKeepTheirDistances(seed: UInt64) throws {
    var state = seed
    func random(_ low: Double, _ high: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return low + (high - low) * Double(state >> 11) / Double(1 << 53)
    }
    var timeline = BeatTimeline()
    var truth: [Tick] = [tick(10)]
    var waiting: [RRInterval] = []
    var packets: [(Tick, [RRInterval], BeatTimeline.Placement?)] = []
    var send = 11.0 + random(0, 1)
    var interval = 800.0
    while truth.count < 400 {
      interval = min(1500, max(350, interval + random(-30, 30)))
      let next = RRInterval(ticks1024: UInt16(interval * 1.024))
      let beat = truth[truth.count - 1] + .nanoseconds(next.nanoseconds)
      while tick(send) < beat {
        let receipt = tick(send + random(0.005, 0.08))
        packets.append((receipt, waiting, timeline.place(waiting, isRepeat: false, at: receipt)))
        waiting = []
        send += 1
      }
      truth.append(beat)
      waiting.append(next)
    }
    let laid = beats(packets)
    #expect(laid.count > 390)
    #expect(timeline.lostBeats == 0)
    for (earlier, later) in zip(laid, laid.dropFirst()) { #expect(earlier < later) }
    let offsets = zip(laid, truth.dropFirst()).map { $1 - $0 }
    #expect(Set(offsets).count == 1, "one line, once it is anchored")
    for (receipt, intervals, placement) in packets where !intervals.isEmpty {
      let placement = try #require(placement)
      #expect(placement.lastBeat <= receipt)
      #expect(offsets[0] >= .zero && offsets[0] <= placement.uncertainty, "\(offsets[0]) \(placement.uncertainty)")
    }
  }

  @Test func fiveHeldBackFiveSecondsAreFiveBeatsApart() throws {
    var timeline = BeatTimeline()
    for second in 0..<10 { _ = timeline.place(rr(1000), isRepeat: false, at: tick(Double(second))) }
    var packets: [(Tick, [RRInterval], BeatTimeline.Placement?)] = []
    for index in 0..<5 {
      let receipt = tick(14 + Double(index) * 0.001)
      packets.append((receipt, rr(1000), timeline.place(rr(1000), isRepeat: index > 0, at: receipt)))
    }
    let laid = beats(packets)
    #expect(laid.count == 5, "all five, though they are equal and came together")
    for (earlier, later) in zip(laid, laid.dropFirst()) {
      #expect(later - earlier == .nanoseconds(rr(1000)[0].nanoseconds))
    }
    #expect(timeline.lostBeats == 0)
  }

  @Test(arguments: [400.0, 600, 700, 800, 1000, 1400])
  func ofASignalTwiceTheSecondBringsNoBeat(interval: Double) {
    var timeline = BeatTimeline()
    var counted = 0
    var time = 100.0
    var send = 100.5
    for _ in 0..<300 {
      var sent: [RRInterval] = []
      while time + interval / 1000 < send {
        time += interval / 1000
        sent += rr(interval)
      }
      if timeline.place(sent, isRepeat: false, at: tick(send)) != nil { counted += sent.count }
      #expect(timeline.place(sent, isRepeat: true, at: tick(send + 0.0002)) == nil)
      send += 1
    }
    #expect(abs(Double(counted) - 300_000 / interval) <= 3)
  }

  @Test func lostPacketsAreCountedAndTheLineGoesOn() throws {
    var timeline = BeatTimeline()
    for second in 0..<20 { _ = timeline.place(rr(1000), isRepeat: false, at: tick(Double(second))) }
    // Ten seconds are missing.
    var last: BeatTimeline.Placement?
    for second in 30..<40 { last = timeline.place(rr(1000), isRepeat: false, at: tick(Double(second))) }
    #expect((9...11).contains(timeline.lostBeats))
    let placement = try #require(last)
    #expect(tick(39) - placement.lastBeat <= .seconds(1))
  }

  @Test func afterALostLinkTheLineIsAnchoredAnewAndBeatsAreCountedLost() throws {
    var timeline = BeatTimeline()
    for second in 0..<20 { _ = timeline.place(rr(1000), isRepeat: false, at: tick(Double(second))) }
    timeline.interrupt()
    let placed = timeline.place(rr(1000), isRepeat: false, at: tick(79.3))
    let placement = try #require(placed)
    #expect(placement.lastBeat == tick(78.3))
    #expect((58...61).contains(timeline.lostBeats))
  }

  @Test func whatComesWhileNobodyWantsItIsNotLost() throws {
    var timeline = BeatTimeline()
    for second in 0..<20 { _ = timeline.place(rr(1000), isRepeat: false, at: tick(Double(second))) }
    timeline.letGo()
    timeline.interrupt()
    let placed = timeline.place(rr(1000), isRepeat: false, at: tick(79.3))
    #expect(try #require(placed).lastBeat == tick(78.3))
    #expect(timeline.lostBeats == 0)
    // From then on what is missing is lost.
    timeline.interrupt()
    _ = timeline.place(rr(1000), isRepeat: false, at: tick(99.3))
    #expect((18...21).contains(timeline.lostBeats))
  }

  @Test func aStrapWhoseClockIsSlowerIsFollowed() throws {
    var timeline = BeatTimeline()
    var previous: Tick?
    // 1 % too long, which is far more than a quartz is off.
    for packet in 0..<1000 {
      let receipt = tick(Double(packet))
      let placed = timeline.place(rr(1010), isRepeat: false, at: receipt)
      let placement = try #require(placed)
      #expect(placement.lastBeat <= receipt)
      if let previous { #expect(placement.lastBeat > previous) }
      previous = placement.lastBeat
    }
  }

  /// A Garmin HRM-Dual appends an interval that is no beat's (1069 and 53 ticks).
  @Test func aBogusIntervalDoesNotPushTheLineIntoTheFuture() throws {
    var timeline = BeatTimeline()
    for packet in 0..<100 {
      let receipt = tick(Double(packet) * 1.044)
      let intervals = [RRInterval(ticks1024: 1069), RRInterval(ticks1024: 53)]
      if let placement = timeline.place(intervals, isRepeat: false, at: receipt) {
        #expect(placement.lastBeat <= receipt)
        #expect(receipt - placement.lastBeat < .seconds(3))
      }
    }
  }

  /// Whatever comes: never before the beat before it, never behind its receipt, never a trap.
  @Test(arguments: UInt64(1)...200)
  func whateverComesBeatsAscend(seed: UInt64) {
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    var timeline = BeatTimeline()
    var time = 0.0
    var last: Tick?
    for _ in 0..<500 {
      time += [0.0, 0.0001, 0.05, 0.3, 1, 1, 1, 2, 7, 40][Int(random(10))]
      if random(50) == 0 { timeline.interrupt() }
      let intervals = (0..<random(5)).map { _ in RRInterval(ticks1024: UInt16(random(3) == 0 ? random(65_536) : 900)) }
      guard let placement = timeline.place(intervals, isRepeat: random(4) == 0, at: tick(time)) else { continue }
      #expect(placement.lastBeat <= tick(time))
      #expect(placement.uncertainty >= .zero)
      for beat in beats([(tick(time), intervals.filter { $0.ticks1024 > 0 }, placement)]) {
        if let last { #expect(beat > last) }
        last = beat
      }
    }
    #expect(timeline.lostBeats >= 0)
  }
}
