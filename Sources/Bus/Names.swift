/// An object path that follows the D-Bus specification ("Marshaling Object Paths").
public struct ObjectPath: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let description: String

  /// Checks the text; nil where it is no object path. libdbus aborts the process on one that is none.
  public init?(_ text: String) {
    guard Self.isValid(text.utf8) else { return nil }
    description = text
  }

  public init(stringLiteral text: String) {
    precondition(Self.isValid(text.utf8), "no object path: \(text)")
    description = text
  }

  /// Whether this path lies below `other` (or below its children).
  public func isBelow(_ other: ObjectPath) -> Bool {
    let prefix = other.description
    if prefix == "/" { return description != "/" }
    return description.utf8.count > prefix.utf8.count + 1 && description.hasPrefix(prefix)
      && description.utf8[description.utf8.index(description.utf8.startIndex, offsetBy: prefix.utf8.count)] == 0x2F
  }

  /// The last element, "hci0" of "/org/bluez/hci0".
  public var lastElement: Substring {
    description.lastIndex(of: "/").map { description[description.index(after: $0)...] } ?? description[...]
  }

  public static func < (a: ObjectPath, b: ObjectPath) -> Bool {
    a.description < b.description
  }

  private static func isValid(_ text: String.UTF8View) -> Bool {
    guard text.first == 0x2F else { return false }
    guard text.count > 1 else { return true }
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case 0x2F: if previous == 0x2F { return false }
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: break
      default: return false
      }
      previous = byte
    }
    return previous != 0x2F
  }
}

/// A name of the kind that libdbus aborts on when it is malformed: checked when made.
public protocol BusName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  init(unchecked: String)
  static func isValid(_ text: String.UTF8View) -> Bool
}

extension BusName {
  /// Checks the text; nil where it is no such name.
  public init?(_ text: String) {
    guard Self.isValid(text.utf8) else { return nil }
    self.init(unchecked: text)
  }

  public init(stringLiteral text: String) {
    precondition(Self.isValid(text.utf8), "no valid D-Bus name: \(text)")
    self.init(unchecked: text)
  }
}

/// An interface or error name, "org.bluez.Device1" (D-Bus specification, "Interface names").
public struct InterfaceName: BusName {
  public let description: String
  public init(unchecked text: String) { description = text }

  public static func isValid(_ text: String.UTF8View) -> Bool {
    isDotted(text, allowsHyphen: false, elementsMayStartWithDigit: false)
  }
}

/// A method's or signal's name (D-Bus specification, "Member names").
public struct MemberName: BusName {
  public let description: String
  public init(unchecked text: String) { description = text }

  public static func isValid(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, text.count <= 255, !(0x30...0x39).contains(first) else { return false }
    return text.allSatisfy(isNameByte)
  }
}

/// A connection's name, well-known ("org.bluez") or unique (":1.42") (D-Bus specification, "Bus names").
public struct ConnectionName: BusName {
  public let description: String
  public init(unchecked text: String) { description = text }

  /// Whether the bus has given it out (":1.42"), so that it names one connection for ever.
  public var isUnique: Bool { description.utf8.first == 0x3A }

  public static func isValid(_ text: String.UTF8View) -> Bool {
    // The colon counts towards the 255 as well: libdbus aborts on a unique name of 256.
    guard text.count <= 255 else { return false }
    guard text.first == 0x3A else { return isDotted(text, allowsHyphen: true, elementsMayStartWithDigit: false) }
    guard let rest = String(text.dropFirst())?.utf8 else { return false }
    return isDotted(rest, allowsHyphen: true, elementsMayStartWithDigit: true)
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
  default: false
  }
}

private func isDotted(_ text: String.UTF8View, allowsHyphen: Bool, elementsMayStartWithDigit: Bool) -> Bool {
  guard !text.isEmpty, text.count <= 255 else { return false }
  let elements = text.split(separator: 0x2E, omittingEmptySubsequences: false)
  guard elements.count >= 2 else { return false }
  return elements.allSatisfy { element in
    guard let first = element.first else { return false }
    if !elementsMayStartWithDigit, (0x30...0x39).contains(first) { return false }
    return element.allSatisfy { isNameByte($0) || (allowsHyphen && $0 == 0x2D) }
  }
}
