import Measurements

/// What the known straps are called, for calls that name one.
public struct StrapNames: Hashable, Sendable {
  private var straps: [String: Named] = [:]

  private struct Named: Hashable, Sendable {
    var name: StrapName
    var strap: StrapAddress
  }

  /// - Parameter names: no two of them the same.
  public init(_ names: [StrapAddress: StrapName] = [:]) {
    for (strap, name) in names { straps[name.key] = Named(name: name, strap: strap) }
  }

  /// The strap of this name, however that is written.
  public subscript(_ name: StrapName) -> StrapAddress? { straps[name.key]?.strap }

  /// Every name, in the order of the alphabet.
  public var all: [StrapName] { straps.sorted { $0.key < $1.key }.map(\.value.name) }

  /// The strap that a client means by an address or a name; nil where the text is neither.
  ///
  /// - Throws: `unknownStrap` for a name that no strap has.
  public func strap(_ text: String) throws(ControlError) -> StrapAddress? {
    if let address = StrapAddress(text) { return address.isDevice ? address : nil }
    guard let name = StrapName(text) else { return nil }
    guard let strap = self[name] else { throw .unknownStrap(text, known: all) }
    return strap
  }
}
