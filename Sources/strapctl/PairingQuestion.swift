import Control

/// What a strap asks of a person.
enum PairingQuestion: Equatable {
  case pinCode
  case passkey
  /// Is this the number that the strap shows?
  case confirmation(String)

  /// nil where a report of the pairing asks nothing.
  init?(_ report: JSON) {
    switch report.text("progress") {
    case "enterPinCode": self = .pinCode
    case "enterPasskey": self = .passkey
    case "confirmPasskey": self = .confirmation(report.text("passkey") ?? "?")
    default: return nil
    }
  }

  var prompt: String {
    switch self {
    case .pinCode: "PIN of the strap: "
    case .passkey: "number that the strap shows: "
    case .confirmation(let number): "does the strap show \(number)? [y/N] "
    }
  }

  /// What could have been typed.
  var allowed: String {
    switch self {
    case .pinCode: "a PIN has 1 to 16 characters; ^C gives up"
    case .passkey: "the number has one to six digits; ^C gives up"
    case .confirmation: "y for yes, n for no"
    }
  }

  /// What is typed, as an answer; nil where it is none.
  func answer(to line: String) -> PairingAnswer? {
    // Numbers are shown in groups.
    let typed = line.filter { !$0.isWhitespace }
    switch self {
    case .pinCode:
      let pin = String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      return (1...16).contains(pin.utf8.count) ? .pinCode(pin) : nil
    case .passkey:
      // UInt32's own reading would take a sign as well.
      guard (1...6).contains(typed.utf8.count), typed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      return UInt32(typed).map { .passkey($0) }
    case .confirmation:
      switch typed.lowercased() {
      case "y", "yes": return .yes
      case "", "n", "no": return .no
      default: return nil
      }
    }
  }
}
