import Measurements

/// What a log tells of one peer, which is a strap if it sends heart rates.
struct BtsnoopStrap: Sendable {
  /// The value handles of this many characteristics that nothing is known of are looked at, and of no more.
  static let mostGuesses = 64
  private static let batteryLevel: UInt16 = 0x2A19
  private static let deviceName: UInt16 = 0x2A00

  private(set) var device = WorkoutFile.Device()
  private(set) var attributes = AttributeTable()
  /// Notifications that are no measurement, of the handle that says that it sends them.
  private(set) var undecoded = 0
  private var streams: [UInt16: NotifiedStream] = [:]

  init(_ address: StrapAddress?) {
    device.address = address
  }

  /// Whether something has come that may be heart rates.
  var hasValues: Bool { streams.values.contains { !$0.stretches.isEmpty } }
  /// Whether no declaration has said which handle the heart rates are of, and the shape of the values has.
  var isGuessed: Bool { !attributes.knowsHeartRate && !heartRates.isEmpty }

  /// The streams that are heart rates: those of the handles that are declared; else the longest that has their shape.
  var heartRates: [NotifiedStream] {
    let handles = streams.keys.sorted()
    if attributes.knowsHeartRate {
      return handles.filter { attributes.kind($0) == .heartRateMeasurement }.compactMap { streams[$0] }
    }
    let shaped = handles.filter { attributes.kind($0) == .unknown }.compactMap { streams[$0] }
      .filter(\.shape.isHeartRate)
    return shaped.max { $0.valueCount < $1.valueCount }.map { [$0] } ?? []
  }

  /// The link or packets of it were lost: values may be missing from here to the next one.
  mutating func lose(at time: LogTime) {
    for handle in streams.keys { streams[handle]?.lose(at: time) }
  }

  /// Lets go of what was kept; nothing may come afterwards.
  func release(_ kept: inout Kept) {
    for stream in streams.values { kept.remove(stream) }
  }

  mutating func take(
    _ finding: AttributeClient.Finding, at time: LogTime, drops: LogDrops, _ kept: inout Kept, offset: Int
  ) throws(ActivityFileError) {
    switch finding {
    case .attribute(let handle, let number): attributes.learn(handle, number)
    case .service(let handles, let number): attributes.learn(handles, service: number)
    case .value(let handle, let value): note(value, handle)
    case .notification(let handle, let octets):
      let value = octets.array
      switch attributes.kind(handle) {
      case .heartRateMeasurement:
        guard HeartRateMeasurement(sent: value) != nil else {
          undecoded += 1
          return
        }
        try kept.add(value, at: offset)
        streams[handle, default: NotifiedStream()].add(value, at: time, drops: drops)
      case .assigned: note(value, handle)
      case .other: break
      case .unknown:
        if !attributes.knowsHeartRate { try guess(value, handle, at: time, drops: drops, &kept, offset: offset) }
      }
    }
  }

  private mutating func guess(
    _ value: [UInt8], _ handle: UInt16, at time: LogTime, drops: LogDrops, _ kept: inout Kept, offset: Int
  ) throws(ActivityFileError) {
    if streams[handle] == nil {
      guard streams.count < Self.mostGuesses else { return }
      streams[handle] = NotifiedStream()
    }
    streams[handle]?.shape.take(value, at: time.axis)
    if streams[handle]?.shape.isRefuted == true {
      if let stream = streams[handle] { kept.remove(stream) }
      streams[handle]?.forget()
      return
    }
    try kept.add(value, at: offset)
    streams[handle]?.add(value, at: time, drops: drops)
  }

  private mutating func note(_ value: [UInt8], _ handle: UInt16) {
    guard case .assigned(let number) = attributes.kind(handle) else { return }
    switch number {
    case Self.batteryLevel: device.battery = BatteryLevel(value) ?? device.battery
    case Self.deviceName:
      let name = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
      if !name.isEmpty { device.name = name }
    case _: _ = device.information.take(value, of: BluetoothUUID(assigned: number))
    }
  }
}
