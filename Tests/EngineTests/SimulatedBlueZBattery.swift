import Bus
import Measurements

// The Battery Service of a connected strap, which bluetoothd claims and shows by an interface of its own.
extension SimulatedBlueZ {
  /// bluetoothd has read the level for the first time on this connection.
  mutating func batteryAppears(_ address: StrapAddress, _ percent: UInt8) -> [BusMessage] {
    straps[address]?.battery = percent
    return [added(path(address), interfaces(["org.bluez.Battery1": .properties(["Percentage": .byte(percent)])]))]
  }

  /// The strap has told another level.
  mutating func batteryChanges(_ address: StrapAddress, _ percent: UInt8) -> [BusMessage] {
    straps[address]?.battery = percent
    return [changed(path(address), "org.bluez.Battery1", ["Percentage": .byte(percent)])]
  }

  func batteryGoes(_ address: StrapAddress) -> [BusMessage] {
    [removed(path(address), "org.bluez.Battery1")]
  }
}
