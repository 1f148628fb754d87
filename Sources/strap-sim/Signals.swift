import Bus

/// What bluetoothd says unasked.
extension World {
  mutating func changed(
    _ node: Node, _ definition: InterfaceDefinition, _ properties: KeyValuePairs<String, BusValue>,
    invalidated: [String] = []
  ) {
    signal(
      path(of: node), .properties, "PropertiesChanged",
      [.string(definition.name.description), .properties(properties), .strings(invalidated)])
  }

  /// A whole object appears.
  mutating func added(_ node: Node) {
    signal("/", .objectManager, "InterfacesAdded", [.objectPath(path(of: node)), interfaceTable(of: node)])
  }

  /// One interface appears at an object that was there.
  mutating func added(_ definition: InterfaceDefinition, to node: Node) {
    let properties = interfaces(of: node).first { $0.definition.name == definition.name }?.properties ?? []
    signal(
      "/", .objectManager, "InterfacesAdded",
      [.objectPath(path(of: node)), Self.table([(definition.name, properties)])])
  }

  /// An object goes; to be said while it is still there.
  mutating func removed(_ node: Node) {
    let names = interfaces(of: node).map(\.definition.name) + Self.common
    signal(
      "/", .objectManager, "InterfacesRemoved",
      [.objectPath(path(of: node)), .strings(names.map(\.description))])
  }

  mutating func removed(_ definition: InterfaceDefinition, from node: Node) {
    signal(
      "/", .objectManager, "InterfacesRemoved",
      [.objectPath(path(of: node)), .strings([definition.name.description])])
  }

  mutating func signal(
    _ path: ObjectPath, _ definition: InterfaceDefinition, _ member: MemberName, _ body: [BusValue]
  ) {
    send(BusMessage(.signal(path: path, interface: definition.name, member: member), body: body))
  }

  /// The answer of GetManagedObjects.
  var managedObjects: BusValue {
    let objects = nodes.filter { $0 != .root }
    return .dictionary(
      key: .objectPath, value: Self.tableType,
      objects.map { .init(.objectPath(path(of: $0)), interfaceTable(of: $0)) })
  }

  private static let common: [InterfaceName] = [
    InterfaceDefinition.introspectable.name, InterfaceDefinition.properties.name,
  ]
  private static let propertiesType = BusType.dictionary(key: .string, value: .variant)
  private static let tableType = BusType.dictionary(key: .string, value: propertiesType)

  private func interfaceTable(of node: Node) -> BusValue {
    let interfaces = interfaces(of: node).map { ($0.definition.name, $0.properties) }
    return Self.table(
      [(Self.common[0], [])] + interfaces + [(Self.common[1], [])])
  }

  private static func table(_ interfaces: [(InterfaceName, Properties)]) -> BusValue {
    .dictionary(
      key: .string, value: propertiesType,
      interfaces.map { .init(.string($0.0.description), dictionary($0.1)) })
  }

  static func dictionary(_ properties: Properties) -> BusValue {
    .dictionary(
      key: .string, value: .variant, properties.map { .init(.string($0.name), .variant($0.value)) })
  }
}
