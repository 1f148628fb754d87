import Bus
import CDBus

/// Values to libdbus's messages. What comes here has passed `OutgoingCheck`; only memory can be missing.
enum MessageEncoder {
  /// Builds a message that the caller has to unref.
  static func encode(_ message: BusMessage) throws(Refusal) -> OpaquePointer {
    guard let encoded = header(of: message) else { throw Refusal.outOfMemory }
    var isWhole = true
    if let destination = message.destination {
      isWhole = dbus_message_set_destination(encoded, destination.description) != 0
    }
    if message.serial != 0 { dbus_message_set_serial(encoded, message.serial) }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(encoded, &iterator)
    if case .error(_, let error) = message.kind, !error.text.isEmpty {
      isWhole = isWhole && append(text: error.text, TypeCode.string, to: &iterator)
    }
    isWhole = isWhole && message.body.allSatisfy { append($0, to: &iterator) }
    guard isWhole else {
      dbus_message_unref(encoded)
      throw Refusal.outOfMemory
    }
    return encoded
  }

  private static func header(of message: BusMessage) -> OpaquePointer? {
    switch message.kind {
    case .call(let call):
      let encoded = dbus_message_new_method_call(
        nil, call.path.description, call.interface?.description, call.member.description)
      if let encoded {
        dbus_message_set_auto_start(encoded, call.withoutActivation ? 0 : 1)
        dbus_message_set_no_reply(encoded, call.withoutReply ? 1 : 0)
      }
      return encoded
    case .signal(let path, let interface, let member):
      return dbus_message_new_signal(path.description, interface.description, member.description)
    case .reply(let serial):
      return answer(DBUS_MESSAGE_TYPE_METHOD_RETURN, to: serial, errorName: nil)
    case .error(let serial, let error):
      return answer(DBUS_MESSAGE_TYPE_ERROR, to: serial, errorName: error.name.description)
    }
  }

  private static func answer(_ type: Int32, to serial: UInt32, errorName: String?) -> OpaquePointer? {
    guard let encoded = dbus_message_new(type) else { return nil }
    dbus_message_set_no_reply(encoded, 1)
    var isWhole = dbus_message_set_reply_serial(encoded, serial) != 0
    if let errorName { isWhole = isWhole && dbus_message_set_error_name(encoded, errorName) != 0 }
    guard isWhole else {
      dbus_message_unref(encoded)
      return nil
    }
    return encoded
  }

  // MARK: - Values; false when memory is missing

  private static func append(_ value: BusValue, to iterator: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    switch value {
    case .byte(let number): append(number, TypeCode.byte, to: iterator)
    case .boolean(let flag): append(flag ? 1 : 0 as UInt32, TypeCode.boolean, to: iterator)
    case .int16(let number): append(number, TypeCode.int16, to: iterator)
    case .uint16(let number): append(number, TypeCode.uint16, to: iterator)
    case .int32(let number): append(number, TypeCode.int32, to: iterator)
    case .uint32(let number): append(number, TypeCode.uint32, to: iterator)
    case .int64(let number): append(number, TypeCode.int64, to: iterator)
    case .uint64(let number): append(number, TypeCode.uint64, to: iterator)
    case .double(let number): append(number, TypeCode.double, to: iterator)
    case .string(let text): append(text: text, TypeCode.string, to: iterator)
    case .objectPath(let path): append(text: path.description, TypeCode.objectPath, to: iterator)
    case .signature(let signature): append(text: signature.description, TypeCode.signature, to: iterator)
    case .unixFD(let descriptor): append(descriptor.raw, TypeCode.unixFD, to: iterator)
    case .bytes(let bytes):
      inContainer(TypeCode.array, of: "y", of: iterator) { append(bytes, to: $0) }
    case .array(let type, let elements):
      inContainer(TypeCode.array, of: type.code, of: iterator) { inner in
        elements.allSatisfy { append($0, to: inner) }
      }
    case .structure(let fields):
      inContainer(TypeCode.structure, of: nil, of: iterator) { inner in
        fields.allSatisfy { append($0, to: inner) }
      }
    case .dictionary(let keyType, let valueType, let entries):
      inContainer(TypeCode.array, of: "{\(keyType.code)\(valueType.code)}", of: iterator) { inner in
        entries.allSatisfy { entry in
          inContainer(TypeCode.dictionaryEntry, of: nil, of: inner) {
            append(entry.key, to: $0) && append(entry.value, to: $0)
          }
        }
      }
    case .variant(let inner):
      inContainer(TypeCode.variant, of: inner.type.code, of: iterator) { append(inner, to: $0) }
    }
  }

  private static func append(
    _ number: some BitwiseCopyable, _ type: Int32, to iterator: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    withUnsafePointer(to: number) { dbus_message_iter_append_basic(iterator, type, $0) != 0 }
  }

  private static func append(
    text: String, _ type: Int32, to iterator: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    text.withCString { start in
      withUnsafePointer(to: start) { dbus_message_iter_append_basic(iterator, type, $0) != 0 }
    }
  }

  private static func append(_ bytes: [UInt8], to iterator: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      // An empty array has no address, and libdbus aborts on a null pointer.
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
      return withUnsafePointer(to: start) {
        dbus_message_iter_append_fixed_array(iterator, TypeCode.byte, $0, Int32(bytes.count)) != 0
      }
    }
  }

  private static func inContainer(
    _ type: Int32, of signature: String?, of iterator: UnsafeMutablePointer<DBusMessageIter>,
    _ fill: (UnsafeMutablePointer<DBusMessageIter>) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(iterator, type, signature, &inner) != 0 else { return false }
    guard fill(&inner) else {
      dbus_message_iter_abandon_container(iterator, &inner)
      return false
    }
    return dbus_message_iter_close_container(iterator, &inner) != 0
  }
}
