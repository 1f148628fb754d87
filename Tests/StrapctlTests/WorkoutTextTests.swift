import Testing

@testable import strapctl

struct WorkoutTextTests {
  private static let workout = #"""
    {"id":"9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f","activity":"running","location":"outdoor","strap":"F0:F1:F2:F3:F4:F5",
    "startDate":"2026-11-30T11:03:04.5Z","endDate":"2026-11-30T11:36:04Z","elapsedSeconds":1864.25,
    "wallSeconds":1979.5,"endReason":"user","statistics":{"heartRate":{"count":1853,"minimum":98,"maximum":171,
    "average":142.3456,"mostRecent":150,"mostRecentDate":"2026-11-30T11:36:03.2Z","coveredSeconds":1858.0},
    "rrCount":4400}}
    """#
  private static let empty = #"""
    {"id":"0d9f0a1e-0000-4000-8000-000000000001","activity":"highIntensityIntervalTraining","location":"unknown",
    "startDate":"2026-11-29T23:30:00Z","endDate":"2026-11-29T23:30:01Z","elapsedSeconds":1.0,"wallSeconds":1.0,
    "endReason":"staleRecovery","statistics":{"rrCount":0}}
    """#

  @Test func listsWorkouts() throws {
    let lines = WorkoutText.table([try json(Self.workout), try json(Self.empty)], .test())
    #expect(
      lines.joined(separator: "\n") == """
        date              activity                       elapsed  average  maximum  id
        2026-11-30 12:03  running                        0:31:04    142.3      171  9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        2026-11-30 00:30  highIntensityIntervalTraining  0:00:01        -        -  0d9f0a1e-0000-4000-8000-000000000001
        """)
    #expect(WorkoutText.table([], .test()) == ["no finished workouts"])
  }

  @Test func showsOneWorkout() throws {
    #expect(
      WorkoutText.whole(try json(Self.workout), .test()).joined(separator: "\n") == """
        workout            9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f
        activity           running, outdoor
        strap              F0:F1:F2:F3:F4:F5
        start              2026-11-30 12:03:04
        end                2026-11-30 12:36:04
        end reason         user
        elapsed            0:31:04
        from start to end  0:32:59
        average            142.3 bpm
        minimum            98 bpm
        maximum            171 bpm
        last               150 bpm at 12:36:03
        covered            0:30:58
        samples            1853
        RR intervals       4400
        """)
  }

  @Test func showsAWorkoutWithoutSamples() throws {
    #expect(
      WorkoutText.whole(try json(Self.empty), .test()).joined(separator: "\n") == """
        workout            0d9f0a1e-0000-4000-8000-000000000001
        activity           highIntensityIntervalTraining
        start              2026-11-30 00:30:00
        end                2026-11-30 00:30:01
        end reason         staleRecovery
        elapsed            0:00:01
        from start to end  0:00:01
        heart rate         no sample counted
        RR intervals       0
        """)
  }
}
