import Bus
import Measurements

// A second adapter of a simulated bluetoothd. Everything that one does the other does as well, on its own objects: they
// take each other's place while something happens by the second.
extension SimulatedBlueZ {
  /// What belongs to one adapter.
  struct Side {
    var folder = "hci1"
    var adapter: ObjectPath = "/org/bluez/hci1"
    var adapterAddress = "00:AA:01:00:00:43"
    var hasAdapter = true
    var isPowered = true
    var isBlocked = false
    var isDiscovering = false
    /// The same straps, as this adapter hears and knows them.
    var straps: [StrapAddress: Strap] = [:]
  }

  static let secondAddress = StrapAddress("00:AA:01:00:00:43")!

  mutating func bySecond<T>(_ body: (inout SimulatedBlueZ) -> T) -> T {
    let known = later.count
    takePlaces()
    let result = body(&self)
    takePlaces()
    for index in known..<later.count { later[index].what = .bySecond(later[index].what) }
    return result
  }

  private mutating func takePlaces() {
    guard let other = second else { return }
    second = Side(
      folder: folder, adapter: adapter, adapterAddress: adapterAddress, hasAdapter: hasAdapter, isPowered: isPowered,
      isBlocked: isBlocked, isDiscovering: isDiscovering, straps: straps)
    (folder, adapter, adapterAddress) = (other.folder, other.adapter, other.adapterAddress)
    (hasAdapter, isPowered, isBlocked) = (other.hasAdapter, other.isPowered, other.isBlocked)
    (isDiscovering, straps) = (other.isDiscovering, other.straps)
  }

  /// A strap that is connected advertises no more.
  func isConnectedByOther(_ address: StrapAddress) -> Bool {
    second?.straps[address]?.isConnected == true
  }

  var wholeTree: BusValue {
    mutating get {
      let others = second == nil ? [] : bySecond { $0.objects }
      return .dictionary(
        key: .objectPath, value: .dictionary(key: .string, value: .variant), objects + others)
    }
  }
}
