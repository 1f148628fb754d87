import Measurements
import Workout

/// A part of a finished workout's recording, as it is exported: first what is said of it, then events and samples in one
/// order.
public struct RecordingSnapshot: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    indirect case workout(WorkoutSnapshot, ClientData, RecordedDevice, [Anchor])
    /// Each as it is exported, ascending by number.
    case records(events: [JSON], samples: [JSON])
  }

  public var content: Content
  /// Another reply follows.
  public var continues: Bool

  public init(_ content: Content, continues: Bool) {
    self.content = content
    self.continues = continues
  }

  public var json: JSON {
    switch content {
    case .workout(let workout, let data, let device, let anchors):
      .object(
        JSON.members([
          "workout": workout.json, "device": device.json, "anchors": .array(anchors.map(\.json)), "events": .array([]),
          "samples": .array([]),
        ]) + data.members)
    case .records(let events, let samples):
      .object(["events": .array(events), "samples": .array(samples)])
    }
  }
}
