import Measurements

/// A device that a scanning client sees: all that bluetoothd knows of one address, whichever adapter told it.
public struct ScannedDevice: Hashable, Sendable {
  public var address: StrapAddress
  /// What it calls itself.
  public var name: String?
  /// What people call it.
  public var givenName: StrapName?
  /// In dBm, the strongest, while it is heard.
  public var rssi: Int16?
  public var hasHeartRate: Bool
  /// The level that was last read.
  public var battery: BatteryLevel?
  public var isConnected: Bool
  public var isBonded: Bool
  /// Whether ListStraps has it.
  public var isKnown: Bool

  public init(_ address: StrapAddress) {
    self.address = address
    (hasHeartRate, isConnected, isBonded, isKnown) = (false, false, false, false)
  }

  /// Whether the signal is all that differs.
  public func differsInSignalOnly(from other: ScannedDevice) -> Bool {
    var same = self
    same.rssi = other.rssi
    return same == other
  }

  var json: JSON {
    .object([
      "address": .string(address.description),
      "name": name.map(JSON.string),
      "givenName": givenName.map { .string($0.description) },
      "rssi": rssi.map { .integer(Int64($0)) },
      "heartRate": .bool(hasHeartRate),
      "batteryPercent": battery.map { .integer(Int64($0.percent)) },
      "connected": .bool(isConnected),
      "bonded": .bool(isBonded),
      "known": .bool(isKnown),
    ])
  }
}

/// What a scanning client is told: first what is in sight, then each change.
public struct ScanReport: Hashable, Sendable {
  /// New ones, and those that have changed.
  public var devices: [ScannedDevice]
  /// Those that bluetoothd has forgotten.
  public var gone: [StrapAddress]
  /// What keeps devices from being heard, and what to do; nil while nothing does.
  public var advice: String?
  /// Whether an adapter scans for it now; while none does, the devices are those that bluetoothd knows from before.
  public var isScanning: Bool

  public init(
    devices: [ScannedDevice], gone: [StrapAddress] = [], advice: String? = nil, isScanning: Bool = false
  ) {
    self.devices = devices
    self.gone = gone
    self.advice = advice
    self.isScanning = isScanning
  }

  var reply: VarlinkReply {
    VarlinkReply(
      .object([
        "devices": .array(devices.map(\.json)), "gone": .array(gone.map { .string($0.description) }),
        "advice": advice.map(JSON.string), "scanning": .bool(isScanning),
      ]), continues: true)
  }
}
