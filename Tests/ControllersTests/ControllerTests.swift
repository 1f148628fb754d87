import CBluetooth
import Measurements
import Testing

@testable import Controllers

struct ControllerTests {
  private func info(
    name: String = "hci0", address: [UInt8] = [0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0], flags: UInt32 = 1, type: UInt8 = 1
  ) -> hci_dev_info {
    var info = hci_dev_info()
    withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: name.utf8) }
    withUnsafeMutableBytes(of: &info.bdaddr) { $0.copyBytes(from: address) }
    info.flags = flags
    info.type = type
    return info
  }

  @Test func theKernelsFieldsAreRead() {
    let controller = Controller(info())
    #expect(controller.name == "hci0")
    #expect(controller.address == StrapAddress("F0:F1:F2:F3:F4:F5"))
    #expect(controller.isUp)
    #expect(controller.bus == "USB")
    #expect(controller.version == nil)
    #expect(controller.description == "hci0 F0:F1:F2:F3:F4:F5 up, USB")
  }

  @Test func aNameMayFillItsField() {
    #expect(Controller(info(name: "hci12345")).name == "hci12345")
  }

  @Test func upIsOneBitOfTheFlags() {
    #expect(!Controller(info(flags: 0)).isUp)
    #expect(!Controller(info(flags: ~1)).isUp)
    #expect(Controller(info(flags: ~0)).isUp)
  }

  @Test func anAddressOfNothingButZerosIsNone() {
    let controller = Controller(info(address: [0, 0, 0, 0, 0, 0], flags: 0, type: 3))
    #expect(controller.address == nil)
    #expect(controller.description == "hci0 (no address yet) down, UART")
    #expect(Controller(info(address: [1, 0, 0, 0, 0, 0])).address == StrapAddress("00:00:00:00:00:01"))
  }

  @Test func theBusIsTheLowerHalfOfTheType() {
    #expect(Controller(info(type: 0x10)).bus == "Virtual")
    #expect(Controller(info(type: 0x11)).bus == "USB")
    #expect(!Controller(info(type: 0x0F)).bus.isEmpty)
  }

  @Test func versionsAndCompaniesHaveNames() {
    let version = Controller.Version(manufacturer: 2, hci: 9)
    #expect(version.specification == "5.0")
    #expect(version.manufacturerName.hasPrefix("Intel"))
    #expect(Controller.Version(manufacturer: 2, hci: 6).specification == "4.0")
    #expect(Controller.Version(manufacturer: 2, hci: 250).specification == "HCI version 250")
    #expect(!Controller.Version(manufacturer: 65000, hci: 250).manufacturerName.isEmpty)
  }

  @Test func aControllerThatIsNotThereIsNil() throws {
    // Number 65535 is no controller's; where the kernel has no Bluetooth at all, reading one is an error.
    switch try KernelBluetooth.survey() {
    case .absent: #expect(throws: ControllersError.self) { try Controller.read(65535) }
    case .present: #expect(try Controller.read(65535) == nil)
    }
  }
}
