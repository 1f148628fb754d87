import CBluetooth
import Glibc

/// What the kernel has of Bluetooth, whatever bluetoothd makes of it.
public enum KernelBluetooth: Hashable, Sendable {
  /// The kernel knows no Bluetooth: it was built without, its module is not loaded, or a sandbox shuts AF_BLUETOOTH.
  case absent
  /// The controllers by number; none where no hardware is plugged in.
  case present([Controller])

  /// Asks the kernel. It needs no rights; a controller's version is read where it is up and answers within a second.
  public static func survey() throws(ControllersError) -> KernelBluetooth {
    var numbers = [UInt16](repeating: 0, count: Int(HCI_MAX_DEV))
    let count = strapd_controllers(&numbers)
    if count < 0 { return try meaning(ofRefusal: -count) }
    var controllers: [Controller] = []
    for number in numbers.prefix(Int(count)).sorted() {
      if let controller = try Controller.read(number) { controllers.append(controller) }
    }
    return .present(controllers)
  }

  /// What it means that the kernel refuses the list, by the errno.
  static func meaning(ofRefusal code: Int32) throws(ControllersError) -> KernelBluetooth {
    if code == EAFNOSUPPORT || code == EPROTONOSUPPORT { return .absent }
    throw ControllersError(operation: .list, object: "the kernel's Bluetooth controllers", code: code)
  }
}

/// What the kernel refused: what was tried, on what, and what came back.
public struct ControllersError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case list, read
  }

  public var operation: Operation
  public var object: String
  /// The errno.
  public var code: Int32
  public var text: String

  init(operation: Operation, object: String, code: Int32) {
    self.operation = operation
    self.object = object
    self.code = code
    text = "\(String(cString: strerror(code))) (errno \(code))"
    if code == EPERM || code == EACCES { text += "; a sandbox or security policy forbids it, try as root" }
  }

  public var description: String {
    "cannot \(operation.rawValue) \(object): \(text)"
  }
}
