/// What a client is told of the backup that it has asked for.
public enum BackupReport: Hashable, Sendable {
  /// So many octets of so many are copied.
  case copied(Int, of: Int)
  /// So many octets of the copy have been looked through.
  case checked(Int, of: Int)
  /// The copy's next octets; with them so many of so many are sent.
  case piece([UInt8], through: Int, of: Int)
  /// All are sent.
  case done(size: Int, sha256: String)

  /// The names of its kinds, in the order in which they come.
  public static let names = ["copying", "checking", "sending", "done"]

  public var name: String {
    switch self {
    case .copied: "copying"
    case .checked: "checking"
    case .piece: "sending"
    case .done: "done"
    }
  }

  public var isLast: Bool {
    if case .done = self { true } else { false }
  }

  var reply: VarlinkReply {
    switch self {
    case .copied(let octets, let all), .checked(let octets, let all): reply(octets, all, [:])
    case .piece(let piece, let octets, let all): reply(octets, all, ["data": .string(Base64.text(of: piece))])
    case .done(let size, let sha256): reply(size, size, ["sha256": .string(sha256)])
    }
  }

  private func reply(_ octets: Int, _ all: Int, _ others: KeyValuePairs<String, JSON?>) -> VarlinkReply {
    let members = JSON.members([
      "phase": .string(name), "octets": .integer(Int64(octets)), "of": .integer(Int64(all)),
    ])
    return VarlinkReply(.object(members + JSON.members(others)), continues: !isLast)
  }
}
