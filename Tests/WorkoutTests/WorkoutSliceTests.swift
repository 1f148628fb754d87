import Measurements
import Testing

@testable import Workout

/// What workouts are made of: cut anywhere, their parts come to the whole.
@Suite struct WorkoutSliceTests {
  private static let session = SessionID(randomBytes: [UInt8](repeating: 1, count: 16))

  /// A session of 100 s with random pauses, laps, activities and lost links, and a sample at each half second.
  private struct Recording {
    var events: [EventRecord] = []
    var samples: [HeartRateSample] = []
    let start = DatedTick(tick: .at(100), date: .at(100))
    let end = DatedTick(tick: .at(200), date: .at(200))

    init(_ seed: UInt64) {
      var random = SeededRandom(state: seed)
      var (isPaused, hasActivity, lapEnd) = (false, false, start)
      note(.transition(Transition(from: .prepared, to: .running, at: start, cause: .user)), start)
      for second in 101..<200 {
        let now = DatedTick(tick: .at(Int64(second)), date: .at(Int64(second)))
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          let (from, to): (WorkoutState, WorkoutState) = isPaused ? (.paused, .running) : (.running, .paused)
          note(.transition(Transition(from: from, to: to, at: now, cause: .user)), now)
          isPaused.toggle()
        case 1:
          note(.lap(WorkoutInterval(start: lapEnd, end: now)), now)
          lapEnd = now
        case 2:
          if hasActivity { note(.activityEnded(now), now) }
          note(.activityBegan(ActivityStart(activity: .rowing, location: .indoor, start: now)), now)
          hasActivity = true
        case 3: note(.linkLost, now)
        default: break
        }
        let tick = Tick(nanoseconds: Int64(second) * 1_000_000_000 + 500_000_000)
        var sample = HeartRateSample.example(UInt8.random(in: 60...180, using: &random), at: tick, rr: [900])
        sample.sequence = Int64(events.count + samples.count + 1)
        samples.append(sample)
      }
      if hasActivity { note(.activityEnded(end), end) }
      note(.transition(Transition(from: isPaused ? .paused : .running, to: .stopped, at: end, cause: .user)), end)
    }

    private mutating func note(_ what: EventRecord.What, _ at: DatedTick) {
      let number = Int64(events.count + samples.count + 1)
      events.append(EventRecord(sequence: number, session: WorkoutSliceTests.session, at: at, what: what))
    }

    func slice(_ start: DatedTick? = nil, _ end: DatedTick? = nil) -> WorkoutSlice {
      WorkoutSlice(session: WorkoutSliceTests.session, start: start ?? self.start, end: end ?? self.end)
    }

    func builder(_ marks: [[DatedMark]]) throws -> LiveBuilder {
      var builder = LiveBuilder()
      for part in marks {
        var rest = part[...]
        for sample in samples {
          while let mark = rest.first, mark.precedes(sample) {
            rest.removeFirst()
            try builder.take(mark.mark, at: mark.tick)
          }
          builder.add(sample)
        }
        for mark in rest { try builder.take(mark.mark, at: mark.tick) }
      }
      return builder
    }

    func summary(_ slices: [WorkoutSlice]) throws -> IntervalSummary {
      let marks = slices.indices.map { index in
        slices[index].marks(of: events, isFirst: index == 0, isLast: index == slices.count - 1)
      }
      return try #require(try builder(marks).whole).summary(at: .at(1000))
    }
  }

  @Test func theWholeIsWhatItWas() throws {
    for seed in UInt64(1)...300 {
      let recording = Recording(seed)
      let all = try recording.builder([DatedMark.marks(of: recording.events)])
      let whole = recording.slice()
      let again = try recording.builder([whole.marks(of: recording.events, isFirst: true, isLast: true)])
      #expect(again.whole == all.whole && again.laps == all.laps && again.activities == all.activities, "seed \(seed)")
      var timeline = WorkoutTimeline()
      for event in recording.events { timeline.take(event) }
      #expect(whole.timeline(of: recording.events) == timeline, "seed \(seed)")
    }
  }

  @Test func partsComeToTheWhole() throws {
    for seed in UInt64(1)...300 {
      let recording = Recording(seed)
      let whole = try recording.summary([recording.slice()])
      // At events, at samples, and between them.
      let cuts = [Int64(101 + seed % 98) * 4, Int64(103 + seed * 7 % 95) * 4 + Int64(seed % 4)].map { quarter in
        DatedTick(
          tick: Tick(nanoseconds: quarter * 250_000_000), date: WallTime(nanoseconds: quarter * 250_000_000))
      }
      for cut in cuts {
        let (first, last) = (recording.slice(nil, cut), recording.slice(cut))
        let parts = [try recording.summary([first]), try recording.summary([last])]
        let merged = try recording.summary([first, last])
        let count = parts.reduce(0) { $0 + ($1.heartRate?.count ?? 0) }
        #expect(count == whole.heartRate?.count ?? 0, "seed \(seed)")
        #expect(parts[0].elapsed + parts[1].elapsed == whole.elapsed, "seed \(seed)")
        #expect(parts[0].rrCount + parts[1].rrCount == whole.rrCount, "seed \(seed)")
        #expect(merged.elapsed == whole.elapsed && merged.wall == whole.wall, "seed \(seed)")
        #expect(merged.rrCount == whole.rrCount && merged.heartRate?.count == whole.heartRate?.count, "seed \(seed)")
        #expect(merged.heartRate?.maximum == whole.heartRate?.maximum, "seed \(seed)")
      }
    }
  }

  /// Each stretch begins with what its own session collects there, whatever the one before it has ended with.
  @Test func eachBeginsWithItsOwnTypes() {
    var recording = Recording(1)
    let slice = recording.slice(DatedTick(tick: .at(150), date: .at(150)))
    func first(_ isFirst: Bool) -> Mark? {
      slice.marks(of: recording.events, isFirst: isFirst, isLast: true).first?.mark
    }
    #expect(first(true) == .collects(Set(CollectedType.allCases)) && first(true) == first(false))
    for (second, types) in [(120, [CollectedType.heartRate]), (140, [.activeEnergyBurned]), (160, [])] {
      let at = DatedTick(tick: .at(Int64(second)), date: .at(Int64(second)))
      recording.events.append(EventRecord(sequence: 500, session: Self.session, at: at, what: .types(types)))
    }
    #expect(first(true) == .collects([.activeEnergyBurned]) && first(true) == first(false))
  }

  /// By when it happened, and not by when somebody told of it.
  @Test func eventsOfAStretch() {
    let recording = Recording(1)
    func at(_ second: Int64) -> DatedTick { DatedTick(tick: .at(second), date: .at(second)) }
    let slice = recording.slice(at(120), at(140))
    func told(_ what: EventRecord.What, at second: Int64 = 199) -> EventRecord.What? {
      EventRecord(sequence: 500, session: Self.session, at: at(second), what: what).happened(in: slice)?.what
    }
    func segment(_ start: Int64, _ end: Int64) -> EventRecord.What {
      .segment(WorkoutInterval(start: at(start), end: at(end), label: "x"))
    }
    #expect(told(segment(125, 130)) == segment(125, 130) && told(segment(110, 130)) == segment(120, 130))
    #expect(told(segment(110, 150)) == segment(120, 140) && told(segment(110, 120)) == nil)
    #expect(told(segment(140, 150)) == nil)
    #expect(
      told(.lap(WorkoutInterval(start: at(130), end: at(150)))) == .lap(WorkoutInterval(start: at(130), end: at(140))))
    #expect(told(.marker(at(120), label: nil)) != nil && told(.marker(at(141), label: nil), at: 130) == nil)
    #expect(told(.pauseOrResumeRequest) == nil && told(.pauseOrResumeRequest, at: 130) != nil)
  }

  @Test func lapsAndActivitiesAreCut() {
    for seed in UInt64(1)...50 {
      let recording = Recording(seed)
      let (start, end) = (DatedTick(tick: .at(130), date: .at(130)), DatedTick(tick: .at(160), date: .at(160)))
      let timeline = recording.slice(start, end).timeline(of: recording.events)
      let bounds =
        timeline.laps.map { ($0.interval.start.tick, $0.interval.end.tick) }
        + timeline.activities.map { ($0.began.start.tick, $0.end?.tick ?? end.tick) }
      #expect(bounds.allSatisfy { $0.0 >= start.tick && $0.1 <= end.tick && $0.0 < $0.1 }, "seed \(seed)")
    }
  }
}
