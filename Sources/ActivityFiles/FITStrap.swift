import Measurements

/// The strap that a file's device_info messages tell of.
struct FITStrap: Sendable {
  private(set) var device = WorkoutFile.Device()
  /// The first one counts, where there are several.
  private var index: UInt64?

  /// Takes a message, if it is of a heart-rate sensor.
  mutating func take(_ message: FITMessage, own developer: UInt8?) {
    typealias Device = FITProfile.DeviceInfo
    guard isHeartRate(message) else { return }
    let index = message.whole(Device.deviceIndex)
    guard self.index == nil || self.index == index else { return }
    self.index = index
    let manufacturer =
      message.ownText(.manufacturer, developer)
      ?? message.whole(Device.manufacturer).flatMap { FITManufacturers.name(of: $0) }
    let serial = message.ownText(.serial, developer) ?? message.whole(Device.serialNumber).map { String($0) }
    device.name = message.text(Device.descriptor) ?? device.name
    device.address = message.ownText(.address, developer).flatMap { StrapAddress(device: $0) } ?? device.address
    device.information.manufacturer = manufacturer ?? device.information.manufacturer
    device.information.model = message.text(Device.productName) ?? device.information.model
    device.information.serial = serial ?? device.information.serial
    let information = device.information
    device.information.firmwareRevision = message.ownText(.firmware, developer) ?? information.firmwareRevision
    device.information.hardwareRevision = message.ownText(.hardware, developer) ?? information.hardwareRevision
    device.information.softwareRevision = message.ownText(.software, developer) ?? information.softwareRevision
    let percent = message.whole(Device.batteryLevel).flatMap { UInt8(exactly: $0) }
    device.battery = percent.flatMap { BatteryLevel(percent: $0) } ?? device.battery
  }

  /// What a device's type means depends on where it is connected (profile, device_info.device_type).
  private func isHeartRate(_ message: FITMessage) -> Bool {
    typealias Device = FITProfile.DeviceInfo
    let type = message.whole(Device.deviceType)
    switch message.whole(Device.sourceType) {
    case Device.bluetoothLowEnergy?: return type == Device.heartRateOfBluetooth
    case Device.antPlus?, nil: return type == Device.heartRateOfANTPlus
    default: return false
    }
  }
}
