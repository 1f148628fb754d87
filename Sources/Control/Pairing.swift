import Measurements

/// What a client wants paired, and how.
public struct PairCall: Hashable, Sendable {
  /// nil: the configured strap, else the only one in sight.
  public var strap: StrapAddress?
  /// A bond that stands is removed first.
  public var again: Bool
  /// The client asks a person, where the strap insists on it.
  public var interactive: Bool
  /// The client takes several replies.
  public var reports: Bool

  public init(strap: StrapAddress?, again: Bool = false, interactive: Bool = false, reports: Bool = false) {
    self.strap = strap
    self.again = again
    self.interactive = interactive
    self.reports = reports
  }
}

/// A person's answer to what a strap asks.
public enum PairingAnswer: Hashable, Sendable {
  case yes, no
  /// 1 to 16 octets.
  case pinCode(String)
  /// 0 to 999999.
  case passkey(UInt32)
}

/// How far a pairing has come.
public struct PairingReport: Hashable, Sendable {
  public var strap: StrapAddress
  public var progress: Progress
  /// What keeps it from going on, and what helps; nil while nothing is known to.
  public var advice: String?

  public enum Progress: Hashable, Sendable {
    case searching, connecting, pairing
    case enterPinCode, enterPasskey
    case confirmPasskey(UInt32)
    case showPinCode(String)
    case showPasskey(UInt32)
    case paired

    /// As it goes on the wire.
    public var name: String {
      switch self {
      case .searching: "searching"
      case .connecting: "connecting"
      case .pairing: "pairing"
      case .enterPinCode: "enterPinCode"
      case .enterPasskey: "enterPasskey"
      case .confirmPasskey: "confirmPasskey"
      case .showPinCode: "showPinCode"
      case .showPasskey: "showPasskey"
      case .paired: "paired"
      }
    }
  }

  public init(_ strap: StrapAddress, _ progress: Progress, advice: String? = nil) {
    self.strap = strap
    self.progress = progress
    self.advice = advice
  }

  /// The reply; further ones follow until it is paired.
  public var reply: VarlinkReply {
    var passkey: UInt32?
    var pinCode: String?
    switch progress {
    case .confirmPasskey(let number), .showPasskey(let number): passkey = number
    case .showPinCode(let text): pinCode = text
    case .searching, .connecting, .pairing, .enterPinCode, .enterPasskey, .paired: break
    }
    let report = JSON.object([
      "strap": .string(strap.description), "progress": .string(progress.name),
      "passkey": passkey.map { .string(Self.sixDigits($0)) }, "pinCode": pinCode.map(JSON.string),
      "advice": advice.map(JSON.string),
    ])
    return VarlinkReply(report, continues: progress != .paired)
  }

  /// A passkey is compared digit by digit, those in front included.
  private static func sixDigits(_ passkey: UInt32) -> String {
    let digits = String(passkey)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
