import Measurements
import Testing

struct BluetoothUUIDTests {
  @Test func assignedNumbersStandInTheBaseUUID() {
    #expect(BluetoothUUID(assigned: 0x180D).description == "0000180d-0000-1000-8000-00805f9b34fb")
    #expect(BluetoothUUID(assigned: 0).description == "00000000-0000-1000-8000-00805f9b34fb")
    #expect(BluetoothUUID(assigned: 0xFFFF).description == "0000ffff-0000-1000-8000-00805f9b34fb")
  }

  @Test(arguments: [
    (BluetoothUUID.heartRateService, "0000180d"), (.batteryService, "0000180f"),
    (.deviceInformationService, "0000180a"), (.heartRateMeasurement, "00002a37"), (.bodySensorLocation, "00002a38"),
    (.heartRateControlPoint, "00002a39"), (.batteryLevel, "00002a19"), (.modelNumber, "00002a24"),
    (.serialNumber, "00002a25"), (.firmwareRevision, "00002a26"), (.hardwareRevision, "00002a27"),
    (.softwareRevision, "00002a28"), (.manufacturerName, "00002a29"),
  ])
  func theNamedOnesAreTheSIGs(uuid: BluetoothUUID, front: String) {
    #expect(uuid == BluetoothUUID(front + "-0000-1000-8000-00805f9b34fb"))
  }

  @Test func othersAreReadInEitherCaseAndComeBack() {
    let text = "6217ff4b-fb31-1140-ad5a-a45545d7ecf3"
    #expect(BluetoothUUID(text)?.description == text)
    #expect(BluetoothUUID(text.uppercased())?.description == text)
    var random = SeededRandom(seed: 5)
    for _ in 0..<500 {
      let octets = random.octets(16)
      let text = [octets[..<4], octets[4..<6], octets[6..<8], octets[8..<10], octets[10...]]
        .map { Hex.text($0) }.joined(separator: "-")
      #expect(BluetoothUUID(text)?.description == text)
    }
  }

  @Test(arguments: [
    "", "180d", "0000180d", "0000180d00001000800000805f9b34fb", "0000180d-0000-1000-8000-00805f9b34f",
    "0000180d-0000-1000-8000-00805f9b34fb0", "0000180g-0000-1000-8000-00805f9b34fb",
    "0000180d-0000-10008-000-00805f9b34fb", "{0000180d-0000-1000-8000-00805f9b34fb}",
    "0000180d-0000-1000-8000-00805f9b34fb-", "0000180d_0000_1000_8000_00805f9b34fb",
    "0000180é-0000-1000-8000-00805f9b34fb", " 000180d-0000-1000-8000-00805f9b34fb",
  ])
  func whatIsNoUUIDIsRefused(text: String) {
    #expect(BluetoothUUID(text) == nil)
  }
}
