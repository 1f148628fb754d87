import Bus
import Glibc
import SystemBus

/// One connection of a test, on `SystemBus`: it waits where the daemon would go on.
public final class BusClient {
  public let bus: SystemBus
  /// The unique name that the bus gave.
  public private(set) var name: ConnectionName = ":0.0"
  /// What has arrived and was not waited for, in order.
  public var inbox: [BusMessage] = []
  /// False once the bus has gone.
  public private(set) var isConnected = true
  private var lastSerial: UInt32 = 0

  public init(_ address: String) throws {
    bus = try SystemBus(address: address)
    let serial = nextSerial()
    try bus.send(BusDaemon.hello(serial: serial))
    guard let text = try reply(to: serial).body.first?.asString, let name = ConnectionName(text) else {
      throw TestSupportError("no name from the bus")
    }
    self.name = name
  }

  public func nextSerial() -> UInt32 {
    lastSerial += 1
    return lastSerial
  }

  /// Reads and writes once.
  public func pump() {
    isConnected = bus.drain(into: &inbox)
  }

  /// Waits for a message, takes it out of the inbox and returns it; the others stay.
  public func wait(
    for what: String, within seconds: Double = 30, pumping others: [BusClient] = [],
    where isIt: (BusMessage) -> Bool
  ) throws -> BusMessage {
    let deadline = Deadline(seconds: seconds)
    while true {
      for client in [self] + others { client.pump() }
      if let index = inbox.firstIndex(where: isIt) { return inbox.remove(at: index) }
      guard isConnected else { throw TestSupportError("the bus went while waiting for \(what)") }
      if deadline.isOver { throw TestSupportError("too late: \(what); there are \(inbox)") }
      deadline.wait(
        for: ([self] + others).map { ($0.bus.fileDescriptor, $0.bus.wantsToWrite ? POLLIN | POLLOUT : POLLIN) })
    }
  }

  /// Waits for the reply or error to a call.
  public func reply(to serial: UInt32, within seconds: Double = 30) throws -> BusMessage {
    try wait(for: "the reply to \(serial)", within: seconds) {
      switch $0.kind {
      case .reply(serial), .error(serial, _): true
      default: false
      }
    }
  }

  /// Sends a call and returns its serial.
  public func start(
    _ destination: ConnectionName?, _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName,
    _ body: [BusValue] = []
  ) throws -> UInt32 {
    let serial = nextSerial()
    try bus.send(
      BusMessage(.call(BusCall(path, interface, member)), serial: serial, destination: destination, body: body))
    return serial
  }

  /// Calls, waits and returns the reply's body.
  /// - Throws: `BusError` where the answer is one.
  @discardableResult
  public func call(
    _ destination: ConnectionName?, _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName,
    _ body: [BusValue] = []
  ) throws -> [BusValue] {
    let answer = try reply(to: try start(destination, path, interface, member, body))
    if case .error(_, let error) = answer.kind { throw error }
    return answer.body
  }

  /// Asks the bus for the signals of a rule.
  public func addMatch(_ rule: String) throws {
    try call(BusDaemon.name, BusDaemon.path, BusDaemon.interface, "AddMatch", [.string(rule)])
  }

  /// Asks the bus for a name.
  public func requestName(_ name: ConnectionName) throws {
    try call(
      BusDaemon.name, BusDaemon.path, BusDaemon.interface, "RequestName", [.string(name.description), .uint32(4)])
  }
}
