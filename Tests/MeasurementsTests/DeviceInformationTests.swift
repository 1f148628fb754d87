import Measurements
import Testing

struct DeviceInformationTests {
  /// `#expect` does not take a mutating call.
  private func taking(
    _ value: [UInt8], of characteristic: BluetoothUUID, by information: inout DeviceInformation
  ) -> Bool {
    information.take(value, of: characteristic)
  }

  @Test func eachCharacteristicFillsItsField() {
    var information = DeviceInformation()
    let fields: [(BluetoothUUID, KeyPath<DeviceInformation, String?>)] = [
      (.manufacturerName, \.manufacturer), (.modelNumber, \.model), (.serialNumber, \.serial),
      (.hardwareRevision, \.hardwareRevision), (.firmwareRevision, \.firmwareRevision),
      (.softwareRevision, \.softwareRevision),
    ]
    for (index, (characteristic, field)) in fields.enumerated() {
      #expect(information[keyPath: field] == nil)
      #expect(taking(Array("text \(index)".utf8), of: characteristic, by: &information))
    }
    #expect(fields.map { information[keyPath: $0.1] } == (0..<6).map { "text \($0)" })
  }

  @Test func othersAreLeftAlone() {
    var information = DeviceInformation()
    #expect(!taking([0x31], of: .heartRateMeasurement, by: &information))
    #expect(!taking([0x31], of: BluetoothUUID(assigned: 0x2A50), by: &information))
    #expect(information == DeviceInformation())
  }

  @Test(
    arguments: [
      (Array("Polar Electro Oy".utf8), "Polar Electro Oy"),
      (Array("H10\0\0\0".utf8), "H10"),
      (Array("H10\0rest".utf8), "H10"),
      ([0x00], nil),
      ([], nil),
      (Array("Žluťoučký".utf8), "Žluťoučký"),
      ([0x48, 0xFF, 0x31], "H\u{FFFD}1"),
      ([0x48, 0xC3], "H\u{FFFD}"),
      ([0xC3, 0x00, 0x31], "\u{FFFD}"),
      (Array(" spaces stay ".utf8), " spaces stay "),
    ] as [([UInt8], String?)])
  func textEndsAtTheFirstNULAndIsMadeValid(value: [UInt8], text: String?) {
    var information = DeviceInformation()
    #expect(taking(value, of: .modelNumber, by: &information))
    #expect(information.model == text)
  }

  @Test func anEmptyValueTakesBackWhatWasSaid() {
    var information = DeviceInformation()
    #expect(taking([0x31], of: .firmwareRevision, by: &information))
    #expect(taking([], of: .firmwareRevision, by: &information))
    #expect(information.firmwareRevision == nil)
  }
}
