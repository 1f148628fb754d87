/// `org.varlink.service`, which every varlink service has (varlink.org, "Service interface").
enum ServiceInterface {
  static let name = "org.varlink.service"

  /// The answer to a call of this interface; nil where the call is of another one.
  static func answer(_ call: VarlinkCall) throws(ControlError) -> VarlinkReply? {
    guard let (interface, method) = call.parts, interface == name else { return nil }
    switch method {
    case "GetInfo":
      try refuseParameters(of: call, but: nil)
      return VarlinkReply(
        .object([
          "vendor": .string("strapd"), "product": .string("strapd"), "version": .string(Interface.version),
          "url": .string(Interface.url), "interfaces": .array([.string(name), .string(Interface.name)]),
        ]))
    case "GetInterfaceDescription":
      guard let wanted = call.parameters["interface"]?.asString else { throw .invalidParameter("interface") }
      try refuseParameters(of: call, but: "interface")
      switch wanted {
      case name: return VarlinkReply(.object(["description": .string(description)]))
      case Interface.name: return VarlinkReply(.object(["description": .string(Interface.description)]))
      default: throw .interfaceNotFound(wanted)
      }
    default: throw .methodNotFound(call.method)
    }
  }

  private static func refuseParameters(of call: VarlinkCall, but known: String?) throws(ControlError) {
    guard case .object(let members) = call.parameters, let other = members.first(where: { $0.name != known })
    else { return }
    throw .invalidParameter(other.name)
  }

  private static let description = """
    # The interface that every varlink service has.
    interface org.varlink.service

    # What this service is, and which interfaces it has.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The method is known and does nothing yet.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, of another type or out of range.
    error InvalidParameter (parameter: string)

    # The client may not call this method.
    error PermissionDenied ()

    # The method answers more than once: call it with `more`.
    error ExpectedMore ()

    """
}
