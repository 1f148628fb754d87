import BlueZ
import Bus
import Measurements

// What a strap tells once per connection: body location, battery, device information; read one after the other behind
// the subscription, so that the first heart beat does not wait for them.
extension Roster {
  static let readingLimit = Duration.seconds(30)

  private static let wanted: [BluetoothUUID] = [
    .bodySensorLocation, .batteryLevel, .manufacturerName, .modelNumber, .serialNumber, .hardwareRevision,
    .firmwareRevision, .softwareRevision,
  ]

  /// Once per connection, as soon as the strap is subscribed to: a strap that sends nothing still tells what it is.
  mutating func startReading(_ strap: StrapAddress, at now: Moment) {
    guard links[strap]?.hasBeenRead == false else { return }
    links[strap]?.hasBeenRead = true
    links[strap]?.toRead = Self.wanted
    readNext(strap, at: now)
  }

  mutating func stopReading(_ strap: StrapAddress) {
    links[strap]?.hasBeenRead = false
    links[strap]?.toRead = []
    links[strap]?.reading = nil
    effects.append(.deadline(.reading(strap), nil))
  }

  mutating func readNext(_ strap: StrapAddress, at now: Moment) {
    guard let link = links[strap], link.reading == nil, [.subscribing, .streaming].contains(link.machine.status),
      let device = link.world.device, device.isResolved
    else { return }
    var rest = link.toRead[...]
    while let uuid = rest.popFirst() {
      // BlueZ claims the Battery Service on most versions and shows the level itself.
      if uuid == .batteryLevel, mirror.tree.devices[device.path]?.battery != nil { continue }
      guard let path = mirror.tree.characteristic(uuid, of: device.path) else { continue }
      links[strap]?.toRead = Array(rest)
      let serial = send(.read(strap, uuid)) { BlueZCall.readValue(path, serial: $0) }
      links[strap]?.reading = serial
      effects.append(.deadline(.reading(strap), now.tick + Self.readingLimit))
      return
    }
    guard !link.toRead.isEmpty else { return }
    links[strap]?.toRead = []
    effects.append(.deadline(.reading(strap), nil))
    effects.append(.event(.linkChanged(strap)))
    remember(strap)
  }

  /// - Parameter value: nil where the strap refused; then it stays unknown.
  mutating func readAnswered(_ strap: StrapAddress, _ uuid: BluetoothUUID, _ value: [UInt8]?, at now: Moment) {
    links[strap]?.reading = nil
    if let value {
      switch uuid {
      case .bodySensorLocation: links[strap]?.location = BodySensorLocation(value)
      case .batteryLevel:
        links[strap]?.battery = BatteryLevel(value)
        batteryRead(strap, links[strap]?.battery)
      default:
        _ = links[strap]?.information.take(value, of: uuid)
        learnQuirks(of: strap)
      }
    }
    readNext(strap, at: now)
  }

  mutating func readingTimedOut(_ strap: StrapAddress, at now: Moment) {
    if let serial = links[strap]?.reading { calls[serial] = nil }
    links[strap]?.reading = nil
    readNext(strap, at: now)
  }
}
