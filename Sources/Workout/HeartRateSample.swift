import Measurements

/// One received Heart Rate Measurement with its stamp: what is stored, counted and published.
public struct HeartRateSample: Hashable, Sendable {
  /// Its place in the store's one order of events.
  public var sequence: Int64
  /// When it was received.
  public var tick: Tick
  public var measurement: HeartRateMeasurement
  /// The octets as they came.
  public var payload: [UInt8]
  /// The same octets had come less than 100 ms before: most likely the same measurement, signalled twice.
  public var isRepeat: Bool
  /// Where its beats lie on the boot clock; nil where it tells of none, or there is no room for them.
  public var beats: BeatTimeline.Placement?

  public init(
    sequence: Int64, tick: Tick, measurement: HeartRateMeasurement, payload: [UInt8], isRepeat: Bool = false,
    beats: BeatTimeline.Placement? = nil
  ) {
    self.sequence = sequence
    self.tick = tick
    self.measurement = measurement
    self.payload = payload
    self.isRepeat = isRepeat
    self.beats = beats
  }

  /// Whether the heart rate can count: there is a reading, and the strap does not say that it touches no skin.
  public var hasHeartRate: Bool {
    measurement.heartRate > 0 && measurement.contact != .notDetected
  }

  /// The intervals that are beats; those of a repeat are, where there was room for them.
  public var beatCount: Int {
    isRepeat && beats == nil ? 0 : measurement.rrIntervals.count { $0.ticks1024 > 0 }
  }
}
