import Measurements
import Testing

@testable import ActivityFiles

@Suite struct FITStrapTests {
  private typealias Device = FITProfile.DeviceInfo

  private func strap(_ devices: [[FITEncoder.Field]]) throws -> WorkoutFile.Device {
    var maker = FITMaker()
    for fields in devices { maker.add(FITProfile.Message.deviceInfo, at: 0, fields) }
    var strap = FITStrap()
    for message in try FITDecoderTests.messages(maker.octets).dropFirst() { strap.take(message, own: nil) }
    return strap.device
  }

  private func device(_ index: UInt64, _ source: UInt64?, _ type: UInt64, _ fields: [FITEncoder.Field])
    -> [FITEncoder.Field]
  {
    let sources = source.map { [FITEncoder.Field(Device.sourceType, .enumeration, $0)] } ?? []
    return [.init(Device.deviceIndex, .uint8, index), .init(Device.deviceType, .uint8, type)] + sources + fields
  }

  @Test func aTypeMeansWhatItsConnectionSays() throws {
    let name = [FITEncoder.Field(Device.productName, text: "HRM")]
    for (source, type) in [(1 as UInt64?, 120), (3, 1), (nil, 120)] as [(UInt64?, UInt64)] {
      #expect(try strap([device(1, source, type, name)]).information.model == "HRM")
    }
    // A power meter on ANT+, one on Bluetooth LE, a watch's own sensor, a thing of a type 1 on ANT+.
    for (source, type) in [(1 as UInt64?, 11), (3, 2), (5, 10), (1, 1), (nil, 1)] as [(UInt64?, UInt64)] {
      #expect(try strap([device(1, source, type, name)]) == WorkoutFile.Device())
    }
  }

  @Test func theFirstStrapCountsAndItsLastBattery() throws {
    let read = try strap([
      device(2, 3, 1, [.init(Device.manufacturer, .uint16, 123), .init(Device.batteryLevel, .uint8, 90)]),
      device(3, 3, 1, [.init(Device.manufacturer, .uint16, 1), .init(Device.batteryLevel, .uint8, 10)]),
      device(2, 3, 1, [.init(Device.batteryLevel, .uint8, 80), .init(Device.serialNumber, .uint32z, 77)]),
      device(2, 3, 1, [.init(Device.batteryLevel, .uint8, 101)]),
    ])
    #expect(read.information.manufacturer == "Polar Electro Oy")
    #expect(read.information.serial == "77")
    #expect(read.battery?.percent == 80)
  }

  @Test func aMakerWithoutANumberIsNotNamed() throws {
    let read = try strap([device(1, 3, 1, [.init(Device.manufacturer, .uint16, 255)])])
    #expect(read.information.manufacturer == nil)
  }
}
