import Bus
import Glibc

/// What the specification and dbus-daemon allow.
enum Limits {
  /// How deep values may nest: 32 arrays and 32 structures, variants counted in.
  static let depth = 64
  /// dbus-daemon's `max_message_size` for a system bus, in bytes: it hangs up on a sender of more.
  static let messageSize = 32 << 20
  /// dbus-daemon's `max_message_unix_fds` for a system bus: it hangs up on a sender of more.
  static let descriptors = 16
}

/// A walk through a message before libdbus sees it: libdbus aborts the process on some values, and dbus-daemon hangs up
/// on a sender of others.
struct OutgoingCheck {
  /// Descriptors that go with the message.
  private(set) var descriptors = 0
  /// The body's size as it will be marshalled, in bytes.
  private(set) var bodySize = 0

  init(_ message: BusMessage) throws(Refusal) {
    try Self.checkHeader(message)
    var code = message.body.map(\.type.code).joined()
    if case .error(_, let error) = message.kind, !error.text.isEmpty {
      code = "s" + code
      try take(text: error.text)
    }
    guard BusSignature(code) != nil else { throw Refusal.invalid("no legal signature: \(code)") }
    for value in message.body { try take(value, depth: 0) }
    guard bodySize + Self.headerAllowance(message) <= Limits.messageSize else {
      throw Refusal.tooLarge("\(bodySize) bytes, the bus takes \(Limits.messageSize)")
    }
    guard descriptors <= Limits.descriptors else {
      throw Refusal.tooLarge("\(descriptors) file descriptors, the bus takes \(Limits.descriptors)")
    }
  }

  private static func checkHeader(_ message: BusMessage) throws(Refusal) {
    switch message.kind {
    case .call(let call):
      guard message.serial != 0 || call.withoutReply else {
        throw Refusal.invalid("serial 0, so its reply could not be known")
      }
      try checkNotLocal(call.path, call.interface)
    case .reply(let serial), .error(let serial, _):
      guard serial != 0 else { throw Refusal.invalid("it answers serial 0, which no call has") }
    case .signal(let path, let interface, _):
      try checkNotLocal(path, interface)
    }
  }

  /// The names under which libdbus speaks of itself; dbus-daemon hangs up on whoever sends them.
  private static func checkNotLocal(_ path: ObjectPath, _ interface: InterfaceName?) throws(Refusal) {
    if path == "/org/freedesktop/DBus/Local" || interface == "org.freedesktop.DBus.Local" {
      throw Refusal.invalid("org.freedesktop.DBus.Local is reserved")
    }
  }

  /// The header's size, or some dozen bytes more.
  private static func headerAllowance(_ message: BusMessage) -> Int {
    let path =
      switch message.kind {
      case .call(let call): call.path.description.utf8.count
      case .signal(let path, _, _): path.description.utf8.count
      case .reply, .error: 0
      }
    // Every name is at most 255 bytes long: four of them, a signature, numbers and padding.
    return path + 5 * 256 + 128
  }

  // MARK: - Values

  /// Takes a value whose own type is part of a signature that has been found legal.
  private mutating func take(_ value: BusValue, depth: Int) throws(Refusal) {
    guard depth <= Limits.depth else { throw Refusal.invalid("it nests deeper than \(Limits.depth)") }
    switch value {
    case .byte: add(1)
    case .int16, .uint16: add(2)
    case .boolean, .int32, .uint32: add(4)
    case .int64, .uint64, .double: add(8)
    case .string(let text): try take(text: text)
    case .objectPath(let path): addText(path.description.utf8.count)
    case .signature(let signature): try take(signature: signature.description)
    case .unixFD(let descriptor):
      guard fcntl(descriptor.raw, F_GETFD) >= 0 else {
        throw Refusal.invalid("file descriptor \(descriptor.raw): \(String(cString: strerror(errno)))")
      }
      descriptors += 1
      add(4)
    case .bytes(let bytes):
      add(4)
      bodySize += bytes.count
    case .array(let type, let elements):
      add(4)
      align(to: type.alignment)
      for element in elements {
        try require(element, type, in: value)
        try take(element, depth: depth + 1)
      }
    case .structure(let fields):
      align(to: 8)
      for field in fields { try take(field, depth: depth + 1) }
    case .dictionary(let keyType, let valueType, let entries):
      add(4)
      align(to: 8)
      for entry in entries {
        try require(entry.key, keyType, in: value)
        try require(entry.value, valueType, in: value)
        align(to: 8)
        try take(entry.key, depth: depth + 2)
        try take(entry.value, depth: depth + 2)
      }
    case .variant(let inner):
      try take(signature: inner.type.code)
      try take(inner, depth: depth + 1)
    }
  }

  private func require(_ value: BusValue, _ type: BusType, in container: BusValue) throws(Refusal) {
    guard value.type == type else {
      throw Refusal.invalid("a value of type '\(value.type.code)' in '\(container.type.code)'")
    }
  }

  private mutating func take(text: String) throws(Refusal) {
    guard !text.utf8.contains(0) else { throw Refusal.invalid("a text with a NUL, which would cut it short") }
    addText(text.utf8.count)
  }

  private mutating func take(signature: String) throws(Refusal) {
    guard BusSignature(signature) != nil else { throw Refusal.invalid("no legal signature: \(signature)") }
    bodySize += signature.utf8.count + 2
  }

  private mutating func addText(_ count: Int) {
    add(4)
    bodySize += count + 1
  }

  /// A number, which is aligned to its own size.
  private mutating func add(_ size: Int) {
    align(to: size)
    bodySize += size
  }

  private mutating func align(to alignment: Int) {
    bodySize = (bodySize + alignment - 1) / alignment * alignment
  }
}

extension BusType {
  /// To what multiple of bytes a value is aligned (D-Bus specification, "Summary of D-Bus marshalling").
  fileprivate var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array, .dictionary: 4
    case .int64, .uint64, .double, .structure: 8
    }
  }
}

extension BusMessage {
  /// What the message is, for an error's text: "call org.bluez.Device1.Connect of /org/bluez/hci0 to org.bluez".
  var subject: String {
    let what =
      switch kind {
      case .call(let call): "call \(call.interface.map { "\($0)." } ?? "")\(call.member) of \(call.path)"
      case .reply(let serial): "reply to \(serial)"
      case .error(let serial, let error): "error \(error.name) to \(serial)"
      case .signal(let path, let interface, let member): "signal \(interface).\(member) of \(path)"
      }
    return destination.map { "\(what) to \($0)" } ?? what
  }
}
