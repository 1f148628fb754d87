import CBluetooth
import Glibc
import Measurements

/// One of the kernel's Bluetooth controllers.
public struct Controller: Hashable, Sendable, CustomStringConvertible {
  /// "hci0": the number may change with every plug and resume.
  public var name: String
  /// Nil until the controller has told it, which may take until it is first brought up.
  public var address: StrapAddress?
  public var isUp: Bool
  /// "USB", "UART", …, as libbluetooth names it.
  public var bus: String
  /// Nil where it could not be read: the controller is down, or does not answer.
  public var version: Version?

  /// What Read Local Version Information tells (Core Specification, Vol 4, Part E, section 7.4.1).
  public struct Version: Hashable, Sendable {
    /// The company's assigned number.
    public var manufacturer: UInt16
    /// The assigned number of the specification's version: 9 is 5.0, 10 is 5.1, …
    public var hci: UInt8

    /// The version of the Bluetooth specification, "5.0", by libbluetooth's list; heart-rate straps need 4.0.
    public var specification: String {
      guard let text = hci_vertostr(UInt32(hci)) else { return "HCI version \(hci)" }
      defer { bt_free(text) }
      return text.pointee == 0 ? "HCI version \(hci)" : String(cString: text)
    }

    /// The company's name by libbluetooth's list, which says "not assigned" of companies that are younger.
    public var manufacturerName: String {
      bt_compidtostr(Int32(manufacturer)).map { String(cString: $0) } ?? "company \(manufacturer)"
    }
  }

  /// "hci0 F0:F1:F2:F3:F4:F5 up, USB".
  public var description: String {
    "\(name) \(address.map(\.description) ?? "(no address yet)") \(isUp ? "up" : "down"), \(bus)"
  }
}

extension Controller {
  /// Reads one controller; nil where it was unplugged meanwhile.
  static func read(_ number: UInt16) throws(ControllersError) -> Controller? {
    var info = hci_dev_info()
    guard hci_devinfo(Int32(number), &info) == 0 else {
      let code = errno
      if code == ENODEV { return nil }
      throw ControllersError(operation: .read, object: "controller hci\(number)", code: code)
    }
    var controller = Controller(info)
    if controller.isUp { controller.version = readVersion(number) }
    return controller
  }

  init(_ info: hci_dev_info) {
    var info = info
    name = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let octets = withUnsafeBytes(of: &info.bdaddr) { Array($0) }
    address = octets.allSatisfy { $0 == 0 } ? nil : StrapAddress(Self.text(octets))
    isUp = info.flags >> HCI_UP & 1 == 1
    // The upper half of the octet tells a primary controller from an AMP one.
    bus = hci_bustostr(Int32(info.type & 0x0F)).map { String(cString: $0) } ?? "bus \(info.type & 0x0F)"
  }

  /// The octets come least significant first.
  private static func text(_ octets: [UInt8]) -> String {
    octets.reversed().map { Hex.text([$0]) }.joined(separator: ":")
  }

  private static func readVersion(_ number: UInt16) -> Version? {
    let device = hci_open_dev(Int32(number))
    guard device >= 0 else { return nil }
    defer { hci_close_dev(device) }
    var version = hci_version()
    guard hci_read_local_version(device, &version, 1000) == 0 else { return nil }
    return Version(manufacturer: version.manufacturer, hci: version.hci_ver)
  }
}
