import Bus

/// Our pairing agent: what bluetoothd asks it, read from calls, and the answers as messages (org.bluez.Agent(5)).
public enum Agent {
  /// Where bluetoothd finds it on our connection.
  public static let path: ObjectPath = "/io/strapd/agent"

  /// What it can do for the person; the names are BlueZ's.
  public enum Capability: String, Hashable, Sendable {
    case noInputNoOutput = "NoInputNoOutput"
    case keyboardDisplay = "KeyboardDisplay"
  }

  /// What is asked about a device. A passkey has six digits.
  public enum Request: Hashable, Sendable {
    case pinCode(ObjectPath)
    case passkey(ObjectPath)
    /// Is this the number that the device shows?
    case confirmation(ObjectPath, passkey: UInt32)
    case authorization(ObjectPath)
    case service(ObjectPath)
    /// The person types this on the device.
    case showPinCode(ObjectPath, String)
    case showPasskey(ObjectPath, UInt32)
    /// What was asked is void.
    case cancel
    /// The agent is no longer registered.
    case release

    /// The device that it is about.
    public var device: ObjectPath? {
      switch self {
      case .pinCode(let device), .passkey(let device), .confirmation(let device, _), .authorization(let device),
        .service(let device), .showPinCode(let device, _), .showPasskey(let device, _):
        device
      case .cancel, .release: nil
      }
    }
  }

  /// Why a call to the agent is no request.
  public enum Misfit: Error, Hashable, Sendable {
    case unknownMethod
    case wrongArguments
  }

  /// Whether a call is for the agent's object.
  public static func isMeant(by call: BusCall) -> Bool {
    call.path == path && (call.interface == nil || call.interface == BlueZNames.agent)
  }

  /// Reads a call to the agent.
  ///
  /// - Throws: where the agent has no such method, or it has other arguments.
  public static func request(_ call: BusCall, _ arguments: [BusValue]) throws(Misfit) -> Request {
    switch (call.member.description, arguments.count) {
    case ("RequestPinCode", 1): .pinCode(try device(arguments))
    case ("RequestPasskey", 1): .passkey(try device(arguments))
    case ("RequestAuthorization", 1): .authorization(try device(arguments))
    case ("RequestConfirmation", 2): .confirmation(try device(arguments), passkey: try passkey(arguments))
    case ("AuthorizeService", 2): .service(try device(arguments))
    case ("DisplayPasskey", 3): .showPasskey(try device(arguments), try passkey(arguments))
    case ("DisplayPinCode", 2):
      if let pinCode = arguments[1].asString {
        .showPinCode(try device(arguments), pinCode)
      } else {
        throw .wrongArguments
      }
    case ("Cancel", 0): .cancel
    case ("Release", 0): .release
    case ("RequestPinCode", _), ("RequestPasskey", _), ("RequestAuthorization", _), ("RequestConfirmation", _),
      ("AuthorizeService", _), ("DisplayPasskey", _), ("DisplayPinCode", _), ("Cancel", _), ("Release", _):
      throw .wrongArguments
    default: throw .unknownMethod
    }
  }

  private static func device(_ arguments: [BusValue]) throws(Misfit) -> ObjectPath {
    guard let path = arguments.first?.asObjectPath else { throw .wrongArguments }
    return path
  }

  private static func passkey(_ arguments: [BusValue]) throws(Misfit) -> UInt32 {
    guard let passkey = arguments[1].asUInt32 else { throw .wrongArguments }
    return passkey
  }
}
