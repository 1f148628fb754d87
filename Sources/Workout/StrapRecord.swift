import Measurements

/// What is known of a strap beyond one life of the daemon.
public struct StrapRecord: Hashable, Sendable {
  public var address: StrapAddress
  /// Given by a person.
  public var name: StrapName?
  public var athlete: AthleteName?
  /// What it calls itself.
  public var deviceName: String?
  /// From its Device Information, as this and the next three; nil where it has not said.
  public var manufacturer: String?
  public var model: String?
  public var firmware: String?
  public var serial: String?
  /// As it was last read.
  public var battery: BatteryLevel?
  public var lowBattery = LowBattery()
  /// When it was last connected.
  public var lastSeen: WallTime?
  /// A person has ended a workout on it, and none begins by itself before it was taken off.
  public var awaitsTakingOff = false
  /// In a dry run of unattended use: the workout that would run.
  public var dryRun: DryRun?

  /// A workout that would run.
  public struct DryRun: Hashable, Sendable {
    /// When it would have begun.
    public var start: WallTime
    /// When the last heart rate came, with which it would end.
    public var lastGood: WallTime

    public init(start: WallTime, lastGood: WallTime) {
      self.start = start
      self.lastGood = lastGood
    }
  }

  public init(_ address: StrapAddress) {
    self.address = address
  }

  /// What it says of itself, as far as that is kept.
  public var information: DeviceInformation {
    var information = DeviceInformation()
    information.manufacturer = manufacturer
    information.model = model
    information.firmwareRevision = firmware
    information.serial = serial
    return information
  }

  /// Takes what the strap says of itself; what it does not say stays as it was.
  public mutating func take(_ information: DeviceInformation) {
    manufacturer = information.manufacturer ?? manufacturer
    model = information.model ?? model
    firmware = information.firmwareRevision ?? firmware
    serial = information.serial ?? serial
  }
}
