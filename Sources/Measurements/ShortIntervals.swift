extension HeartRateMeasurement {
  /// Below this an interval is no human heart beat's: 273 ms, 219 beats a minute.
  static let shortestBeat: UInt16 = 280

  /// Takes out an interval that follows a longer one, is too short for a beat, and does not fit the heart rate that was
  /// sent with it; for straps that are known to append such (`Quirk.Remedy.leavesOutShortIntervals`).
  ///
  /// An early beat is as short now and then, and the one behind it longer for it, so that all of them together fit the
  /// time that so many beats take: it stays.
  public mutating func leaveOutShortIntervals() {
    while let index = rrIntervals.indices.dropFirst().first(where: isStray) {
      rrIntervals.remove(at: index)
      warnings.insert(.shortInterval)
    }
  }

  private func isStray(_ index: Int) -> Bool {
    let interval = Int(rrIntervals[index].ticks1024)
    guard interval > 0, interval < Self.shortestBeat, rrIntervals[index - 1].ticks1024 >= Self.shortestBeat else {
      return false
    }
    // No reading: nothing says that the heart beats so fast.
    guard heartRate > 0 else { return true }
    let beat = 61_440 / Int(heartRate)
    let beats = rrIntervals.filter { $0.ticks1024 > 0 }
    let sum = beats.reduce(0) { $0 + Int($1.ticks1024) }
    let (with, without) = (abs(sum - beats.count * beat), abs(sum - interval - (beats.count - 1) * beat))
    return without <= with
  }
}
