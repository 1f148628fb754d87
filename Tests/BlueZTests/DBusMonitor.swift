import Bus
import Measurements

/// What dbus-monitor(1) prints, read back into messages: signals only.
///
/// The text does not say of what type an empty array is; that is known from the signal's signature, and within a
/// variant from the property's name.
struct DBusMonitor {
  private var lines: ArraySlice<Substring>

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  static func messages(_ text: String) throws -> [BusMessage] {
    var monitor = DBusMonitor(lines: text.split(separator: "\n")[...])
    var messages: [BusMessage] = []
    while let head = monitor.lines.popFirst() { messages.append(try monitor.message(head)) }
    return messages
  }

  private mutating func message(_ head: Substring) throws -> BusMessage {
    func field(_ name: String) -> String {
      guard let range = head.range(of: " \(name)=") else { return "" }
      return String(head[range.upperBound...].prefix { $0 != ";" && $0 != " " })
    }
    guard head.hasPrefix("signal "), let serial = UInt32(field("serial")), let path = ObjectPath(field("path")),
      let interface = InterfaceName(field("interface")), let member = MemberName(field("member"))
    else { throw Unreadable(description: "no signal: \(head)") }
    var body: [BusValue] = []
    for type in Self.signature(of: member) { body.append(try value(type, of: "")) }
    if let next = lines.first, next.hasPrefix(" ") { throw Unreadable(description: "left behind \(head): \(next)") }
    return BusMessage(
      .signal(path: path, interface: interface, member: member), serial: serial,
      sender: ConnectionName(field("sender")),
      body: body)
  }

  private static func signature(of member: MemberName) -> [BusType] {
    switch member.description {
    case "PropertiesChanged": [.string, .dictionary(key: .string, value: .variant), .array(.string)]
    case "InterfacesAdded":
      [.objectPath, .dictionary(key: .string, value: .dictionary(key: .string, value: .variant))]
    case "InterfacesRemoved": [.objectPath, .array(.string)]
    default: [.string]
    }
  }

  /// - Parameter property: the property that it is the value of.
  private mutating func value(_ type: BusType?, of property: String) throws -> BusValue {
    guard let line = lines.popFirst() else { throw Unreadable(description: "the end instead of a value") }
    return try value(line.drop { $0 == " " }, type, of: property)
  }

  private mutating func value(_ text: Substring, _ type: BusType?, of property: String) throws -> BusValue {
    switch type {
    case .dictionary(let key, let value):
      guard text == "array [" else { break }
      var entries: [BusValue.Entry] = []
      while try !take("]") {
        guard try take("dict entry(") else { throw Unreadable(description: "no entry: \(lines.first ?? "")") }
        let name = try self.value(key, of: "")
        entries.append(.init(name, try self.value(value, of: name.asString ?? "")))
        guard try take(")") else { throw Unreadable(description: "an entry of more than two") }
      }
      return .dictionary(key: key, value: value, entries)
    case .array(let element):
      guard text == "array [" else { break }
      var elements: [BusValue] = []
      while try !take("]") { elements.append(try value(element, of: "")) }
      return .array(of: element, elements)
    case .variant:
      guard text.hasPrefix("variant ") else { break }
      return .variant(try value(text.dropFirst("variant ".count).drop { $0 == " " }, nil, of: property))
    default: break
    }
    let found = try untyped(text, of: property)
    guard type == nil || type == found.type else { throw Unreadable(description: "no \(type?.code ?? ""): \(text)") }
    return found
  }

  private mutating func untyped(_ text: Substring, of property: String) throws -> BusValue {
    if text == "array [" {
      if try take("]") { return property == "Value" ? .bytes([]) : .array(of: .objectPath, []) }
      var elements: [BusValue] = []
      while try !take("]") { elements.append(try value(nil, of: "")) }
      return .array(of: elements[0].type, elements)
    }
    if text == "array of bytes [" {
      var bytes: [UInt8] = []
      while try !take("]") {
        guard let line = lines.popFirst(), let some = Hex.bytes(line.filter { $0 != " " }) else {
          throw Unreadable(description: "no octets")
        }
        bytes += some
      }
      return .bytes(bytes)
    }
    // Octets that are all printable are printed.
    if text.hasPrefix("array of bytes \"") { return .bytes(Array(text.dropFirst(16).dropLast().utf8)) }
    let parts = text.split(separator: " ", maxSplits: 1)
    let quoted = parts.last.map { String($0.dropFirst().dropLast()) } ?? ""
    let plain = parts.last.map(String.init) ?? ""
    let value: BusValue? =
      switch parts.first {
      case "string": .string(quoted)
      case "object" where plain.hasPrefix("path \""): ObjectPath(String(quoted.dropFirst(5))).map(BusValue.objectPath)
      case "boolean": plain == "true" ? .boolean(true) : plain == "false" ? .boolean(false) : nil
      case "byte": UInt8(plain).map(BusValue.byte)
      case "int16": Int16(plain).map(BusValue.int16)
      case "uint16": UInt16(plain).map(BusValue.uint16)
      case "uint32": UInt32(plain).map(BusValue.uint32)
      default: nil
      }
    guard let value else { throw Unreadable(description: "no value: \(text)") }
    return value
  }

  /// Whether the next line is this one; then it is passed.
  private mutating func take(_ text: Substring) throws -> Bool {
    guard let line = lines.first else { throw Unreadable(description: "the end instead of \(text)") }
    guard line.drop(while: { $0 == " " }) == text else { return false }
    lines.removeFirst()
    return true
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? {
    ranges(of: text).first
  }
}
