import Measurements
import Testing
import Workout

@Suite struct WorkoutAlertTests {
  @Test func theTextComesBackAsTheSameAlert() throws {
    let expected: [(WorkoutAlert, String)] = [
      (try WorkoutAlert(.above(160), debounce: .seconds(10)), "above 160 debounce 10 delay 0"),
      (
        try WorkoutAlert(.below(90), debounce: .milliseconds(2_500), initialDelay: .seconds(60)),
        "below 90 debounce 2.5 delay 60"
      ),
      (try WorkoutAlert(.outsideZone(3)), "outsideZone 3 debounce 0 delay 0"),
      (try WorkoutAlert(.every(.seconds(300) + .nanoseconds(1))), "every 300.000000001 debounce 0 delay 0"),
    ]
    for (alert, text) in expected {
      #expect(alert.text == text)
      #expect(WorkoutAlert(text: text) == alert)
    }
    for text in [
      "", "above", "above 160", "above x debounce 1 delay 1", "above 0 debounce 1 delay 1",
      "above 160 delay 1 debounce 1",
      "every 0 debounce 0 delay 0", "above 160 debounce -1 delay 0", "above 160 debounce 1. delay 0",
      "above 160 debounce 1.0000000001 delay 0", "near 160 debounce 0 delay 0",
    ] { #expect(WorkoutAlert(text: text) == nil, "\(text)") }
  }

  @Test func valuesOutOfRangeAreRefused() {
    let refused: [(WorkoutAlert.Kind, Duration, Duration, WorkoutAlertError)] = [
      (.above(0), .zero, .zero, .heartRate(0)), (.below(501), .zero, .zero, .heartRate(501)),
      (.outsideZone(0), .zero, .zero, .zone(0)), (.outsideZone(10), .zero, .zero, .zone(10)),
      (.every(.milliseconds(999)), .zero, .zero, .interval), (.every(.seconds(604_801)), .zero, .zero, .interval),
      (.above(100), .seconds(3601), .zero, .debounce), (.above(100), .seconds(-1), .zero, .debounce),
      (.above(100), .zero, .seconds(604_801), .initialDelay), (.above(100), .zero, .seconds(-1), .initialDelay),
    ]
    for (kind, debounce, delay, error) in refused {
      #expect(throws: error) { try WorkoutAlert(kind, debounce: debounce, initialDelay: delay) }
      #expect(!error.description.isEmpty)
    }
  }

  @Test func goals() {
    for (goal, text) in [
      (WorkoutGoal.duration(.milliseconds(1_800_500)), "duration 1800.5"), (.energy(500), "energy 500"),
    ] {
      #expect(goal.text == text)
      #expect(WorkoutGoal(text: text) == goal)
      #expect(goal.isAllowed)
    }
    for goal in [WorkoutGoal.duration(.zero), .duration(.seconds(700_000)), .energy(0), .energy(1_000_001)] {
      #expect(!goal.isAllowed)
    }
    for text in ["", "duration", "duration x", "energy 1.5", "energy 0", "distance 5"] {
      #expect(WorkoutGoal(text: text) == nil, "\(text)")
    }
  }
}
