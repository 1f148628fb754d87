import Measurements

/// One kind of value that measurements have, over time; named as the member of a sample that has it.
public enum SampleSeries: String, Hashable, Sendable, CaseIterable {
  /// Beats a minute, where the heart rate can count.
  case heartRate
  /// Milliseconds, one value for each interval that is a beat's.
  case rrIntervals
  /// Kilojoules since the strap's counter was reset.
  case energyKilojoules
  /// 1 where the skin is touched, 0 where it is not.
  case contact

  /// The values of a measurement, in the order in which they were told; none where it says nothing of this.
  public func values(of sample: HeartRateSample) -> [Double] {
    let measurement = sample.measurement
    switch self {
    case .heartRate: return sample.hasHeartRate ? [Double(measurement.heartRate)] : []
    case .rrIntervals:
      if sample.beatCount == 0 { return [] }
      return measurement.rrIntervals.filter { $0.ticks1024 > 0 }.map(\.milliseconds)
    case .energyKilojoules: return measurement.energyKilojoules.map { [Double($0)] } ?? []
    case .contact:
      switch measurement.contact {
      case .detected: return [1]
      case .notDetected: return [0]
      case .unknown: return []
      }
    }
  }
}

/// The values of a series in one stretch of time.
public struct SeriesBucket: Hashable, Sendable {
  /// Where the stretch begins.
  public var start: Tick
  public var count: Int
  public var minimum: Double
  /// Of the values, each of which counts the same, however long it stood.
  public var mean: Double
  public var maximum: Double

  public init(start: Tick, count: Int, minimum: Double, mean: Double, maximum: Double) {
    self.start = start
    self.count = count
    self.minimum = minimum
    self.mean = mean
    self.maximum = maximum
  }
}

/// Sums a series up in stretches of equal length. Values come in the order of time; a stretch without any is left out.
public struct SeriesBuckets: Hashable, Sendable {
  private let start: Tick
  private let width: Duration
  private var whole: [SeriesBucket] = []
  private var open: Open?

  private struct Open: Hashable, Sendable {
    var index: Int64
    var count = 1
    var minimum: Double
    var sum: Double
    var maximum: Double
  }

  /// - Parameter width: a nanosecond at least.
  public init(from start: Tick, width: Duration) {
    self.start = start
    self.width = max(width, .nanoseconds(1))
  }

  public mutating func add(_ value: Double, at tick: Tick) {
    let index = (tick - start).wholeNanoseconds / width.wholeNanoseconds
    guard var bucket = open, bucket.index == index else {
      close()
      open = Open(index: index, minimum: value, sum: value, maximum: value)
      return
    }
    bucket.count += 1
    bucket.minimum = min(bucket.minimum, value)
    bucket.sum += value
    bucket.maximum = max(bucket.maximum, value)
    open = bucket
  }

  /// How many are complete and not taken.
  public var wholeCount: Int { whole.count }

  /// Those to which nothing is added any more.
  public mutating func takeWhole() -> [SeriesBucket] {
    defer { whole.removeAll() }
    return whole
  }

  /// The same with the last one, where nothing more will come.
  public mutating func takeAll() -> [SeriesBucket] {
    close()
    return takeWhole()
  }

  private mutating func close() {
    guard let bucket = open else { return }
    open = nil
    let place = start + .nanoseconds(bucket.index * width.wholeNanoseconds)
    whole.append(
      SeriesBucket(
        start: place, count: bucket.count, minimum: bucket.minimum, mean: bucket.sum / Double(bucket.count),
        maximum: bucket.maximum))
  }
}
