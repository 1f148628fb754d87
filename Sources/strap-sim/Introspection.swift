import Bus

/// org.freedesktop.DBus.Introspectable (D-Bus specification, "Introspection Data Format").
extension World {
  /// The description of an object, or of a path that only leads to some; nil where there is nothing.
  func introspection(at path: ObjectPath) -> String? {
    let node = node(at: path)
    let prefix = path == "/" ? "/" : "\(path)/"
    let below = nodes.map { self.path(of: $0).description }.filter { $0.hasPrefix(prefix) && $0 != prefix }
    guard node != nil || !below.isEmpty else { return nil }
    var text = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>

      """
    if let node {
      for definition in [.introspectable] + interfaces(of: node).map(\.definition) + [.properties] {
        text += definition.xml
      }
    }
    let children = Set(below.map { $0.dropFirst(prefix.utf8.count).prefix { $0 != "/" } })
    for child in children.sorted() { text += "  <node name=\"\(child)\"/>\n" }
    return text + "</node>\n"
  }
}

extension InterfaceDefinition {
  fileprivate var xml: String {
    var text = "  <interface name=\"\(name)\">\n"
    for method in methods {
      text += "    <method name=\"\(method.name)\">\n"
      for type in BusSignature(method.takes)?.types ?? [] {
        text += "      <arg type=\"\(type.code)\" direction=\"in\"/>\n"
      }
      for type in BusSignature(method.gives)?.types ?? [] {
        text += "      <arg type=\"\(type.code)\" direction=\"out\"/>\n"
      }
      text += "    </method>\n"
    }
    for signal in signals {
      text += "    <signal name=\"\(signal.name)\">\n"
      for type in BusSignature(signal.carries)?.types ?? [] { text += "      <arg type=\"\(type.code)\"/>\n" }
      text += "    </signal>\n"
    }
    for property in properties {
      let access = property.isWritable ? "readwrite" : "read"
      text += "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\"/>\n"
    }
    return text + "  </interface>\n"
  }
}
