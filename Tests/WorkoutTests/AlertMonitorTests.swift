import Measurements
import Testing
import Workout

@Suite struct AlertMonitorTests {
  private var running: RunningTime {
    var time = RunningTime()
    time.run(at: .at(0))
    return time
  }

  private func monitor(_ alerts: [WorkoutAlert] = [], goals: [WorkoutGoal] = []) -> AlertMonitor {
    var monitor = AlertMonitor()
    monitor.set(alerts: alerts, elapsed: .zero)
    monitor.set(goals: goals)
    return monitor
  }

  private func due(_ monitor: inout AlertMonitor, _ seconds: Int64, energy: Int? = nil) -> [AlertMonitor.Due] {
    monitor.takeDue(running, energyKilojoules: energy, at: .at(seconds))
  }

  // MARK: Conditions

  @Test func aboveForTenSeconds() throws {
    let alert = try WorkoutAlert(.above(150), debounce: .seconds(10))
    var monitor = monitor([alert])
    monitor.take(150, nil, at: .at(100))
    #expect(monitor.next(running) == nil, "at the limit is not above it")
    monitor.take(151, nil, at: .at(101))
    #expect(monitor.next(running) == .at(111))
    for second in Int64(102)...110 {
      monitor.take(160, nil, at: .at(second))
      #expect(due(&monitor, second) == [])
    }
    #expect(monitor.next(running) == .at(111), "it goes on while values come")
    #expect(due(&monitor, 111) == [.alert(alert, isOn: true)])
    monitor.take(170, nil, at: .at(112))
    #expect(due(&monitor, 200) == [], "once")
    #expect(monitor.next(running) == nil)
  }

  @Test func aShortRiseDoesNotRing() throws {
    var monitor = monitor([try WorkoutAlert(.above(150), debounce: .seconds(3))])
    for second in Int64(100)...130 {
      monitor.take(second % 3 == 0 ? 149 : 160, nil, at: .at(second))
      #expect(due(&monitor, second) == [])
    }
  }

  /// One that flaps at the limit rings once, and is off when it has been under it for as long.
  @Test func itGoesOffAsSlowlyAsItGoesOn() throws {
    let alert = try WorkoutAlert(.above(150), debounce: .seconds(3))
    var monitor = monitor([alert])
    var told: [String] = []
    for second in Int64(0)...40 {
      let heartRate: UInt16 = second < 5 ? 160 : second < 20 ? (second % 3 == 0 ? 160 : 140) : 140
      monitor.take(heartRate, nil, at: .at(second))
      for case .alert(_, let isOn) in due(&monitor, second) { told.append("\(isOn) \(second)") }
    }
    // 160 from 0 to 4; 140, 160, 140, 140, 160, … ; 140 from 19 on.
    #expect(told == ["true 3", "false 22"])
  }

  @Test func belowAndOutsideAZone() throws {
    let zones = try HeartRateZones(bounds: [100, 120])
    let below = try WorkoutAlert(.below(90))
    let outside = try WorkoutAlert(.outsideZone(2), debounce: .seconds(2))
    var monitor = monitor([below, outside])
    monitor.take(110, zones, at: .at(1))
    #expect(due(&monitor, 1) == [])
    monitor.take(89, zones, at: .at(2))
    #expect(due(&monitor, 2) == [.alert(below, isOn: true)], "without a debounce with the first value")
    monitor.take(130, zones, at: .at(3))
    #expect(due(&monitor, 3) == [.alert(below, isOn: false)])
    #expect(due(&monitor, 4) == [.alert(outside, isOn: true)], "from zone 1 to zone 3 it stays outside")
    monitor.take(120, nil, at: .at(9))
    #expect(due(&monitor, 20) == [], "without zones it knows nothing")
  }

  @Test func notBeforeTheInitialDelay() throws {
    let alert = try WorkoutAlert(.above(150), debounce: .seconds(3), initialDelay: .seconds(60))
    var monitor = monitor([alert])
    for second in Int64(50)...59 {
      monitor.take(160, nil, at: .at(second))
      #expect(due(&monitor, second) == [])
    }
    #expect(monitor.next(running) == .at(60))
    #expect(due(&monitor, 60) == [.alert(alert, isOn: true)])
  }

  @Test func theInitialDelayIsRunningTime() throws {
    let alert = try WorkoutAlert(.above(150), initialDelay: .seconds(60))
    var monitor = monitor([alert])
    var time = running
    time.halt(at: .at(30))
    monitor.take(160, nil, at: .at(31))
    #expect(monitor.takeDue(time, energyKilojoules: nil, at: .at(100)) == [], "in a pause nothing is told")
    #expect(monitor.next(time) == nil)
    time.run(at: .at(100))
    monitor.take(160, nil, at: .at(125))
    #expect(monitor.next(time) == .at(130))
    #expect(monitor.takeDue(time, energyKilojoules: nil, at: .at(130)) == [.alert(alert, isOn: true)])
  }

  /// A value holds for ten seconds; what is longer than that without a value is not known.
  @Test func withoutValuesTheTimeBeginsAnew() throws {
    let alert = try WorkoutAlert(.above(150), debounce: .seconds(12))
    var monitor = monitor([alert])
    monitor.take(160, nil, at: .at(0))
    #expect(monitor.next(running) == nil, "the value does not hold so long")
    #expect(due(&monitor, 12) == [])
    monitor.take(160, nil, at: .at(11))
    #expect(monitor.next(running) == nil)
    monitor.take(160, nil, at: .at(20))
    #expect(monitor.next(running) == .at(23))
    monitor.cut()
    #expect(monitor.next(running) == nil)
    monitor.take(160, nil, at: .at(21))
    monitor.take(160, nil, at: .at(30))
    #expect(due(&monitor, 32) == [])
    #expect(due(&monitor, 33) == [.alert(alert, isOn: true)])
  }

  // MARK: Again and again

  @Test func everyFiveMinutes() throws {
    let alert = try WorkoutAlert(.every(.seconds(300)))
    var monitor = monitor([alert])
    #expect(monitor.next(running) == .at(300))
    #expect(due(&monitor, 299) == [])
    #expect(due(&monitor, 300) == [.alert(alert, isOn: true)])
    #expect(due(&monitor, 300) == [])
    #expect(monitor.next(running) == .at(600))
    #expect(due(&monitor, 1_250) == [.alert(alert, isOn: true)], "what was slept through is told once")
    #expect(monitor.next(running) == .at(1_500))
    monitor.skip(to: .seconds(1_800))
    #expect(monitor.next(running) == .at(2_100))
  }

  @Test func everyFiveMinutesFromADelayOn() throws {
    var monitor = monitor([try WorkoutAlert(.every(.seconds(300)), initialDelay: .seconds(600))])
    #expect(monitor.next(running) == .at(600))
    monitor = self.monitor([try WorkoutAlert(.every(.seconds(300)), initialDelay: .seconds(601))])
    #expect(monitor.next(running) == .at(900))
    monitor = AlertMonitor()
    monitor.set(alerts: [try WorkoutAlert(.every(.seconds(300)))], elapsed: .seconds(400))
    #expect(monitor.next(running) == .at(600), "set in the middle")
  }

  // MARK: Goals

  @Test func goalsAreReachedOnce() {
    var monitor = monitor(goals: [.duration(.seconds(1_800)), .energy(500)])
    #expect(monitor.next(running) == .at(1_800))
    #expect(due(&monitor, 1_799, energy: 499) == [])
    #expect(due(&monitor, 1_799, energy: 510) == [.goal(.energy(500))])
    #expect(due(&monitor, 1_800, energy: 510) == [.goal(.duration(.seconds(1_800)))])
    #expect(due(&monitor, 3_600, energy: 900) == [])
    #expect(monitor.next(running) == nil)
    monitor.set(goals: [.energy(500), .duration(.seconds(3_601))])
    #expect(due(&monitor, 3_600, energy: 900) == [], "one that was reached already is not told again")
    #expect(monitor.next(running) == .at(3_601))
  }

  // MARK: Recovery

  @Test func whatWasToldBeforeIsNotToldAgain() throws {
    let alert = try WorkoutAlert(.above(150))
    var monitor = monitor([alert], goals: [.duration(.seconds(60))])
    monitor.wasTold(.alert(alert, isOn: true))
    monitor.wasTold(.goal(.duration(.seconds(60))))
    monitor.take(160, nil, at: .at(100))
    #expect(due(&monitor, 100) == [])
    monitor.take(140, nil, at: .at(101))
    #expect(due(&monitor, 101) == [.alert(alert, isOn: false)])
    monitor.set(alerts: [alert, try WorkoutAlert(.below(50))], elapsed: .seconds(101))
    monitor.take(160, nil, at: .at(102))
    monitor.set(alerts: [alert], elapsed: .seconds(102))
    #expect(due(&monitor, 102) == [.alert(alert, isOn: true)], "set again it keeps its state")
  }
}
