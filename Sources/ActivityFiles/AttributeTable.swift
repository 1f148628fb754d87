/// What discovery has told of a peer's attributes, the newest where it has told twice.
struct AttributeTable: Sendable {
  enum Kind: Hashable, Sendable {
    case heartRateMeasurement
    /// A characteristic that the Bluetooth SIG has assigned this number to.
    case assigned(UInt16)
    case other
    case unknown
  }

  /// What is kept of peers that say they have more; straps have some fifty attributes.
  static let mostAttributes = 2048
  static let mostServices = 128
  private static let heartRateService: UInt16 = 0x180D
  private static let heartRateMeasurement: UInt16 = 0x2A37

  private struct Service: Sendable {
    var handles: ClosedRange<UInt16>
    var number: UInt16?
  }
  private var kinds: [UInt16: Kind] = [:]
  private var services: [Service] = []
  private var heartRateHandles: Set<UInt16> = []

  var knowsHeartRate: Bool { !heartRateHandles.isEmpty }

  var isEmpty: Bool { kinds.isEmpty && services.isEmpty }

  /// The value at a handle has this type; nil for one that no number is assigned to.
  mutating func learn(_ handle: UInt16, _ number: UInt16?) {
    guard kinds.count < Self.mostAttributes || kinds[handle] != nil else { return }
    heartRateHandles.remove(handle)
    switch number {
    case Self.heartRateMeasurement:
      kinds[handle] = .heartRateMeasurement
      heartRateHandles.insert(handle)
    case .some(let number): kinds[handle] = .assigned(number)
    case nil: kinds[handle] = .other
    }
  }

  mutating func learn(_ handles: ClosedRange<UInt16>, service number: UInt16?) {
    services.removeAll { $0.handles.overlaps(handles) }
    if services.count < Self.mostServices { services.append(Service(handles: handles, number: number)) }
  }

  func kind(_ handle: UInt16) -> Kind {
    if let kind = kinds[handle] { return kind }
    guard let service = services.first(where: { $0.handles.contains(handle) }) else { return .unknown }
    return service.number == Self.heartRateService ? .unknown : .other
  }
}
