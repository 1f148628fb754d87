import Control
import Measurements
import Testing

@Suite struct ScanReportTests {
  @Test func wire() {
    #expect(
      Samples.fullScan.reply.parameters.text
        == #"{"devices":[{"address":"F0:F1:F2:F3:F4:F5","name":"Chest \"1\"","givenName":"Anna's left","rssi":-61,"#
        + #""heartRate":true,"batteryPercent":87,"connected":true,"bonded":true,"known":true},"#
        + #"{"address":"F0:F1:F2:F3:F4:F5","heartRate":false,"connected":false,"bonded":false,"known":false}],"#
        + #""gone":["F0:F1:F2:F3:F4:F5"],"advice":"bluetoothctl power on","scanning":true}"#)
    #expect(
      ControlReply.scan(ScanReport(devices: [])).reply.parameters.text == #"{"devices":[],"gone":[],"scanning":false}"#)
    #expect(ControlReply.scan(ScanReport(devices: [])).reply.continues)
  }

  @Test func theSignalIsToldFromTheRest() {
    var device = ScannedDevice(Samples.strap)
    device.rssi = -50
    var other = device
    #expect(device.differsInSignalOnly(from: other), "not even in that")
    other.rssi = nil
    #expect(device.differsInSignalOnly(from: other))
    other.isKnown = true
    #expect(!device.differsInSignalOnly(from: other))
  }
}
