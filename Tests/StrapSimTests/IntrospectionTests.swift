import Bus
import Testing

@testable import strap_sim

@Suite struct IntrospectionTests {
  @Test func pathsLeadToObjects() throws {
    var stage = try Stage()
    try stage.connect()
    func children(_ path: ObjectPath) -> [Substring] {
      (stage.world.introspection(at: path) ?? "").split(separator: "\n").compactMap {
        $0.hasPrefix("  <node name=\"") ? $0.dropFirst(14).dropLast(3) : nil
      }
    }
    #expect(children("/") == ["org"])
    #expect(children("/org") == ["bluez"])
    #expect(children("/org/bluez") == ["hci0"])
    #expect(children("/org/bluez/hci0") == ["dev_F0_F1_F2_F3_F4_F5"])
    let device: ObjectPath = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
    #expect(children(device) == ["service0006", "service000e", "service0016", "service001a"])
    #expect(stage.world.introspection(at: "/nowhere") == nil)
    #expect(stage.world.introspection(at: "/org/blue") == nil)
  }

  @Test func interfacesAreDescribed() throws {
    var stage = try Stage()
    try stage.connect()
    let text = try #require(stage.world.introspection(at: "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"))
    for line in [
      "  <interface name=\"org.bluez.Device1\">", "    <method name=\"Connect\">",
      "  <interface name=\"org.bluez.Battery1\">",
      "    <property name=\"Percentage\" type=\"y\" access=\"read\"/>",
      "    <property name=\"Alias\" type=\"s\" access=\"readwrite\"/>", "    <signal name=\"PropertiesChanged\">",
      "      <arg type=\"a{sv}\"/>", "      <arg type=\"v\" direction=\"out\"/>",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
  }

  /// Every property that an object has is described with its type, and every type in the table is one.
  @Test func theTableAndTheObjectsAgree() throws {
    var stage = try Stage()
    try stage.subscribe()
    for node in stage.world.nodes {
      for (definition, properties) in stage.world.interfaces(of: node) {
        for (name, value) in properties {
          #expect(definition.properties.first { $0.name == name }?.type == value.type.code, "\(name)")
        }
      }
    }
    for definition in InterfaceDefinition.all {
      for method in definition.methods {
        #expect(BusSignature(method.takes) != nil && BusSignature(method.gives) != nil)
      }
      for signal in definition.signals { #expect(BusSignature(signal.carries) != nil) }
    }
  }
}
