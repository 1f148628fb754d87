import Bus

/// What a link machine wants done.
public enum LinkAction: Hashable, Sendable {
  case connect(ObjectPath)
  case disconnect(ObjectPath)
  case startNotify(ObjectPath)
  case stopNotify(ObjectPath)
  /// Read a descriptor; what it says does not matter.
  case readDescriptor(ObjectPath)
  case pair(ObjectPath)
  case cancelPairing(ObjectPath)
  /// The tree is not what we think: read it again.
  case readTree
}
