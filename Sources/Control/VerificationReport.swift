/// What a client is told of the check that it has asked for.
public enum VerificationReport: Hashable, Sendable {
  /// Something that is wrong, in words.
  case finding(String)
  /// All is looked through; what there is, in words.
  case done(isSound: Bool, String)

  public var isLast: Bool {
    if case .done = self { true } else { false }
  }

  var reply: VarlinkReply {
    switch self {
    case .finding(let text): VarlinkReply(.object(["finding": .string(text)]), continues: true)
    case .done(let isSound, let text):
      VarlinkReply(.object(["sound": .bool(isSound), "summary": .string(text)]))
    }
  }
}
