/// One D-Bus message as a value (D-Bus specification, "Message Protocol").
public struct BusMessage: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case call(BusCall)
    case reply(to: UInt32)
    case error(to: UInt32, BusError)
    case signal(path: ObjectPath, interface: InterfaceName, member: MemberName)
  }

  public var kind: Kind
  /// The sender's number for this message; chosen by the core for what it sends, so that it knows the reply again.
  public var serial: UInt32
  /// Who sent it, as the bus says: nil on what is still to be sent.
  public var sender: ConnectionName?
  public var destination: ConnectionName?
  public var body: [BusValue]

  /// Every descriptor that the body carries, for whoever has to close those that nobody took.
  public var fileDescriptors: [BusFileDescriptor] {
    body.flatMap(\.fileDescriptors)
  }

  public init(
    _ kind: Kind, serial: UInt32 = 0, sender: ConnectionName? = nil, destination: ConnectionName? = nil,
    body: [BusValue] = []
  ) {
    self.kind = kind
    self.serial = serial
    self.sender = sender
    self.destination = destination
    self.body = body
  }
}

extension BusMessage {
  /// A reply to a call; nil where the caller wants none.
  public func reply(_ body: [BusValue] = [], serial: UInt32) -> BusMessage? {
    guard case .call(let call) = kind, !call.withoutReply else { return nil }
    return BusMessage(.reply(to: self.serial), serial: serial, destination: sender, body: body)
  }

  /// An error reply to a call; nil where the caller wants none.
  public func refusal(_ name: InterfaceName, _ text: String, serial: UInt32) -> BusMessage? {
    guard case .call(let call) = kind, !call.withoutReply else { return nil }
    return BusMessage(
      .error(to: self.serial, BusError(name: name, text: text)), serial: serial, destination: sender)
  }
}

/// What a method call names beside its destination and arguments.
public struct BusCall: Hashable, Sendable {
  public var path: ObjectPath
  public var interface: InterfaceName?
  public var member: MemberName
  /// Do not start the destination by activation, so that its absence is seen (NO_AUTO_START).
  public var withoutActivation: Bool
  /// The caller wants no reply (NO_REPLY_EXPECTED).
  public var withoutReply: Bool

  public init(
    _ path: ObjectPath, _ interface: InterfaceName?, _ member: MemberName, withoutActivation: Bool = false,
    withoutReply: Bool = false
  ) {
    self.path = path
    self.interface = interface
    self.member = member
    self.withoutActivation = withoutActivation
    self.withoutReply = withoutReply
  }
}

/// An error reply: its name and the text that came with it, its first argument; the message's body holds what follows.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  public var name: InterfaceName
  public var text: String

  public init(name: InterfaceName, text: String) {
    self.name = name
    self.text = text
  }

  public var description: String {
    text.isEmpty ? name.description : "\(name): \(text)"
  }
}
