import Bus
import Measurements

/// What a link machine sees of the world: the mirror's tree, reduced to one strap.
public struct LinkWorld: Hashable, Sendable {
  public var host: Host
  public var device: Device?

  /// Whether this machine can use Bluetooth at all.
  public enum Host: Hashable, Sendable {
    case ready
    case bluetoothdAbsent
    /// bluetoothd runs and does not answer us.
    case refused(BlueZError)
    case noAdapter
    case adapterOff
    /// Off by rfkill.
    case adapterBlocked
  }

  public struct Device: Hashable, Sendable {
    public var path: ObjectPath
    public var isConnected: Bool
    public var isResolved: Bool
    /// The characteristic 0x2A37, once the services are known.
    public var measurement: ObjectPath?
    /// Its descriptor by which notifications are switched on, where bluetoothd shows it.
    public var configuration: ObjectPath?
    /// Whether any client of bluetoothd has its notifications on, or has taken them for itself.
    public var isNotifying: Bool
    /// Whether it is advertising now: bluetoothd shows a signal strength only while it scans and hears it.
    public var isHeard: Bool
    /// Whether keys are stored, on this side at least.
    public var isBonded: Bool

    public init(
      path: ObjectPath, isConnected: Bool, isResolved: Bool, measurement: ObjectPath?, isNotifying: Bool,
      isHeard: Bool = false, isBonded: Bool = false, configuration: ObjectPath? = nil
    ) {
      self.path = path
      self.isConnected = isConnected
      self.isResolved = isResolved
      self.measurement = measurement
      self.configuration = configuration
      self.isNotifying = isNotifying
      self.isHeard = isHeard
      self.isBonded = isBonded
    }
  }

  public init(host: Host, device: Device?) {
    self.host = host
    self.device = device
  }

  /// The world of one strap by one adapter, as a mirror shows it.
  ///
  /// - Parameter adapter: the adapter's address; nil while none is chosen, which shows no device.
  public init(_ mirror: Mirror, strap: StrapAddress, adapter: StrapAddress?) {
    host = Host(mirror, adapter: adapter)
    let path = adapter.flatMap { mirror.tree.adapter($0) }.flatMap { mirror.tree.device(strap, of: $0) }
    device = path.flatMap { path in
      guard let device = mirror.tree.devices[path] else { return nil }
      let measurement = mirror.tree.characteristic(.heartRateMeasurement, of: path)
      let characteristic = measurement.flatMap { mirror.tree.characteristics[$0] }
      return Device(
        path: path, isConnected: device.isConnected, isResolved: device.isResolved, measurement: measurement,
        isNotifying: characteristic.map { $0.isNotifying || $0.isAcquired } ?? false,
        isHeard: device.rssi != nil, isBonded: device.isBonded,
        configuration: measurement.flatMap { mirror.tree.configuration(of: $0) })
    }
  }
}

extension LinkWorld.Host {
  /// What keeps this machine from using Bluetooth; nil where nothing does.
  public var trouble: TroubleKind? {
    switch self {
    case .ready: nil
    case .bluetoothdAbsent: .bluetoothdAbsent
    case .refused: .refused
    case .noAdapter: .noAdapter
    case .adapterOff: .adapterOff
    case .adapterBlocked: .adapterBlocked
    }
  }

  /// - Parameter adapter: the adapter's address; nil where any will do.
  public init(_ mirror: Mirror, adapter: StrapAddress? = nil) {
    switch mirror.presence {
    case .noBus, .starting, .absent: self = .bluetoothdAbsent
    case .refused(let error): self = .refused(error)
    case .ready:
      let adapters = mirror.tree.adapters.values.filter { adapter == nil || $0.address == adapter }
      if adapters.isEmpty {
        self = .noAdapter
      } else if adapters.contains(where: \.isPowered) {
        self = .ready
      } else {
        self = adapters.allSatisfy(\.isBlocked) ? .adapterBlocked : .adapterOff
      }
    }
  }
}
