import Bus
import CDBus
import Glibc

/// libdbus's messages to values.
///
/// libdbus has checked a message's bytes when it arrived, but aborts the process when an iterator is read or recursed
/// into as something that it is not: so the signature is parsed first, and every step compares.
struct MessageDecoder {
  /// Decodes a message; the caller keeps its reference.
  static func decode(_ message: OpaquePointer) throws(Undecodable) -> BusMessage {
    let kind = try kind(of: message)
    var decoder = MessageDecoder(takesDescriptors: dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN)
    var body: [BusValue]
    do {
      body = try decoder.body(of: message)
    } catch {
      for descriptor in decoder.descriptors { Glibc.close(descriptor) }
      throw error
    }
    var decoded = BusMessage(
      kind, serial: dbus_message_get_serial(message),
      sender: dbus_message_get_sender(message).map { ConnectionName(unchecked: String(cString: $0)) },
      destination: dbus_message_get_destination(message).map { ConnectionName(unchecked: String(cString: $0)) })
    if case .error(let serial, var error) = kind, case .string(let text)? = body.first {
      error.text = text
      decoded.kind = .error(to: serial, error)
      body.removeFirst()
    }
    decoded.body = body
    return decoded
  }

  /// Descriptors are taken from replies alone, where somebody asked for one. Anybody may send us a signal or a call that
  /// carries some, and nobody would close them.
  private let takesDescriptors: Bool
  private var descriptors: [Int32] = []

  private static func kind(of message: OpaquePointer) throws(Undecodable) -> BusMessage.Kind {
    let member = dbus_message_get_member(message).map { MemberName(unchecked: String(cString: $0)) }
    let interface = dbus_message_get_interface(message).map { InterfaceName(unchecked: String(cString: $0)) }
    let path = dbus_message_get_path(message).flatMap { ObjectPath(String(cString: $0)) }
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      guard let path, let member else { throw Undecodable("a call without path or member") }
      return .call(
        BusCall(
          path, interface, member, withoutActivation: dbus_message_get_auto_start(message) == 0,
          withoutReply: dbus_message_get_no_reply(message) != 0))
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      return .reply(to: dbus_message_get_reply_serial(message))
    case DBUS_MESSAGE_TYPE_ERROR:
      guard let name = dbus_message_get_error_name(message) else { throw Undecodable("an error without name") }
      return .error(
        to: dbus_message_get_reply_serial(message),
        BusError(name: InterfaceName(unchecked: String(cString: name)), text: ""))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      guard let path, let interface, let member else { throw Undecodable("a signal without path, interface or member") }
      return .signal(path: path, interface: interface, member: member)
    case let other:
      throw Undecodable("message type \(other)")
    }
  }

  private mutating func body(of message: OpaquePointer) throws(Undecodable) -> [BusValue] {
    guard let text = dbus_message_get_signature(message), let signature = BusSignature(String(cString: text)) else {
      throw Undecodable("its signature")
    }
    guard !signature.types.isEmpty else { return [] }
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { throw Undecodable("a signature without values") }
    return try values(at: &iterator, as: signature.types, depth: 0)
  }

  /// The values from here to the end of the message or structure.
  private mutating func values(
    at iterator: UnsafeMutablePointer<DBusMessageIter>, as types: [BusType], depth: Int
  ) throws(Undecodable) -> [BusValue] {
    var values: [BusValue] = []
    values.reserveCapacity(types.count)
    for type in types {
      values.append(try value(at: iterator, as: type, depth: depth))
      dbus_message_iter_next(iterator)
    }
    return values
  }

  private mutating func value(
    at iterator: UnsafeMutablePointer<DBusMessageIter>, as type: BusType, depth: Int
  ) throws(Undecodable) -> BusValue {
    guard depth <= Limits.depth else { throw Undecodable("nesting deeper than \(Limits.depth)") }
    guard dbus_message_iter_get_arg_type(iterator) == type.typeCode else {
      throw Undecodable("a value that is no '\(type.code)'")
    }
    switch type {
    case .byte: return .byte(read(iterator, 0))
    case .boolean: return .boolean(read(iterator, 0 as UInt32) != 0)
    case .int16: return .int16(read(iterator, 0))
    case .uint16: return .uint16(read(iterator, 0))
    case .int32: return .int32(read(iterator, 0))
    case .uint32: return .uint32(read(iterator, 0))
    case .int64: return .int64(read(iterator, 0))
    case .uint64: return .uint64(read(iterator, 0))
    case .double: return .double(read(iterator, 0))
    case .string: return .string(try text(at: iterator))
    case .objectPath:
      guard let path = ObjectPath(try text(at: iterator)) else { throw Undecodable("an object path") }
      return .objectPath(path)
    case .signature:
      guard let signature = BusSignature(try text(at: iterator)) else { throw Undecodable("a signature") }
      return .signature(signature)
    case .unixFD: return .unixFD(try descriptor(at: iterator))
    case .variant, .array, .structure, .dictionary:
      var inner = DBusMessageIter()
      dbus_message_iter_recurse(iterator, &inner)
      return try container(in: &inner, as: type, depth: depth)
    }
  }

  private mutating func container(
    in inner: UnsafeMutablePointer<DBusMessageIter>, as type: BusType, depth: Int
  ) throws(Undecodable) -> BusValue {
    switch type {
    case .variant:
      return .variant(try value(at: inner, as: try Self.type(at: inner), depth: depth + 1))
    case .array(.byte):
      return .bytes(Self.bytes(inner))
    case .array(let element):
      var elements: [BusValue] = []
      while dbus_message_iter_get_arg_type(inner) != TypeCode.none {
        elements.append(try value(at: inner, as: element, depth: depth + 1))
        dbus_message_iter_next(inner)
      }
      return .array(of: element, elements)
    case .structure(let fields):
      return .structure(try values(at: inner, as: fields, depth: depth + 1))
    case .dictionary(let keyType, let valueType):
      var entries: [BusValue.Entry] = []
      while dbus_message_iter_get_arg_type(inner) == TypeCode.dictionaryEntry {
        var entry = DBusMessageIter()
        dbus_message_iter_recurse(inner, &entry)
        let key = try value(at: &entry, as: keyType, depth: depth + 2)
        dbus_message_iter_next(&entry)
        entries.append(BusValue.Entry(key, try value(at: &entry, as: valueType, depth: depth + 2)))
        dbus_message_iter_next(inner)
      }
      return .dictionary(key: keyType, value: valueType, entries)
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .unixFD:
      preconditionFailure("\(type.code) is no container")
    }
  }

  /// The type of what a variant holds.
  private static func type(at iterator: UnsafeMutablePointer<DBusMessageIter>) throws(Undecodable) -> BusType {
    guard let text = dbus_message_iter_get_signature(iterator) else { throw Undecodable("no memory for a signature") }
    defer { dbus_free(text) }
    guard let signature = BusSignature(String(cString: text)), signature.types.count == 1 else {
      throw Undecodable("the type of a variant")
    }
    return signature.types[0]
  }

  /// The whole of an "ay" in one step: characteristics' values are such, and one step a byte would be forty times slower.
  private static func bytes(_ inner: UnsafeMutablePointer<DBusMessageIter>) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(inner, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }

  private func read<Number: BitwiseCopyable>(
    _ iterator: UnsafeMutablePointer<DBusMessageIter>, _ zero: Number
  ) -> Number {
    var number = zero
    withUnsafeMutablePointer(to: &number) { dbus_message_iter_get_basic(iterator, $0) }
    return number
  }

  private func text(at iterator: UnsafeMutablePointer<DBusMessageIter>) throws(Undecodable) -> String {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(iterator, &start)
    guard let start else { throw Undecodable("a text") }
    return String(cString: start)
  }

  private mutating func descriptor(
    at iterator: UnsafeMutablePointer<DBusMessageIter>
  ) throws(Undecodable) -> BusFileDescriptor {
    guard takesDescriptors else { throw Undecodable("file descriptors where none are expected") }
    let raw = read(iterator, -1 as Int32)
    guard raw >= 0 else { throw Undecodable("a file descriptor that did not come along") }
    descriptors.append(raw)
    return BusFileDescriptor(raw: raw)
  }
}

/// Why a message cannot be expressed as a value.
struct Undecodable: Error {
  let what: String

  init(_ what: String) {
    self.what = what
  }

  /// The error that a caller gets instead of silence; nil where nobody waits for an answer.
  func reply(to message: OpaquePointer) -> BusMessage? {
    guard dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL, dbus_message_get_no_reply(message) == 0
    else { return nil }
    let error = BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", text: "cannot read \(what)")
    return BusMessage(
      .error(to: dbus_message_get_serial(message), error),
      destination: dbus_message_get_sender(message).map { ConnectionName(unchecked: String(cString: $0)) })
  }
}
