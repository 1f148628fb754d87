import Bus
import Measurements

/// What stands behind a strap's tag.
enum StrapCommandParser {
  static let usage = [
    "beat HR|auto [HZ]", "mute", "raw HEX", "burst HEX…", "loss", "return", "drop", "connect-error NAME [TEXT]|none",
    "connect-hang on|off", "resolve-hang on|off", "no-heart-rate on|off", "notify-error NAME [TEXT]|none",
    "notify-silent on|off", "bond-needed on|off", "bond made|lost|none",
    "asks none|passkey N|confirm N|pin TEXT|show N|show-pin TEXT", "pair-error NAME [TEXT]|none", "pair-hang on|off",
    "copies N", "battery PERCENT", "contact on|off|unsupported", "energy KILOJOULES|none",
    "rssi dBm",
  ]

  static func command(_ words: inout Words) throws(ScriptError) -> StrapCommand {
    let allowed = usage.joined(separator: ", ")
    let word = try words.next("what happens to the strap", allowed: allowed)
    switch word {
    case "beat": return try beat(&words)
    case "mute": return .mute
    case "raw": return .raw(try payload(try words.next("the payload", allowed: "raw HEX")))
    case "burst": return .burst(try payloads(&words))
    case "loss": return .loss
    case "return": return .comeBack
    case "drop": return .drop
    case "connect-error": return .connectError(try error(&words, word))
    case "connect-hang": return .connectHang(try isOn(&words, word))
    case "resolve-hang": return .resolveHang(try isOn(&words, word))
    case "no-heart-rate": return .noHeartRate(try isOn(&words, word))
    case "notify-error": return .notifyError(try error(&words, word))
    case "notify-silent": return .notifySilent(try isOn(&words, word))
    case "bond-needed": return .bondNeeded(try isOn(&words, word))
    case "bond": return .bond(try bond(&words))
    case "asks": return .asks(try question(&words))
    case "pair-error": return .pairError(try error(&words, word))
    case "pair-hang": return .pairHang(try isOn(&words, word))
    case "copies": return .copies(try number(try words.next("the number", allowed: "copies N"), 1...9, "a number"))
    case "battery":
      return .battery(try number(try words.next("the level", allowed: "battery PERCENT"), 0...100, "a percentage"))
    case "contact": return .contact(try contact(&words))
    case "energy":
      let energy = try words.next("the energy", allowed: "energy KILOJOULES|none")
      return .energy(energy == "none" ? nil : try number(energy, 0...65535, "a number of kilojoules"))
    case "rssi": return .rssi(try number(try words.next("the rssi", allowed: "rssi dBm"), -127...20, "an rssi in dBm"))
    default: throw ScriptError("'\(word)' does not happen to a strap", allowed: allowed)
    }
  }

  private static func beat(_ words: inout Words) throws(ScriptError) -> StrapCommand {
    let allowed = "beat HR|auto [HZ], HR 0 to 300 a minute, HZ 0.1 to 50 packets a second"
    let word = try words.next("the heart rate", allowed: allowed)
    let pace: Rhythm.Pace = word == "auto" ? .auto : .steady(try number(word, 0...300, "a heart rate"))
    guard let frequency = words.next() else { return .beat(pace, hertz: nil) }
    guard let hertz = Double(frequency), (0.1...50).contains(hertz) else {
      throw ScriptError("'\(frequency)' is no frequency", allowed: allowed)
    }
    return .beat(pace, hertz: hertz)
  }

  private static func payload(_ word: String) throws(ScriptError) -> [UInt8] {
    guard let bytes = Hex.bytes(word), bytes.count <= 512 else {
      throw ScriptError("'\(word)' is no payload", allowed: "an even number of hexadecimal digits, or \"\" for none")
    }
    return bytes
  }

  private static func payloads(_ words: inout Words) throws(ScriptError) -> [[UInt8]] {
    var payloads = [try payload(try words.next("a payload", allowed: "burst HEX HEX…"))]
    while let word = words.next() { payloads.append(try payload(word)) }
    return payloads
  }

  private static func isOn(_ words: inout Words, _ command: String) throws(ScriptError) -> Bool {
    let allowed = "\(command) on|off"
    switch try words.next("on or off", allowed: allowed) {
    case "on": return true
    case "off": return false
    case let word: throw ScriptError("'\(word)' is neither on nor off", allowed: allowed)
    }
  }

  private static func contact(_ words: inout Words) throws(ScriptError) -> SensorContact {
    let allowed = "contact on|off|unsupported"
    switch try words.next("the contact", allowed: allowed) {
    case "on": return .detected
    case "off": return .notDetected
    case "unsupported": return .unknown
    case let word: throw ScriptError("'\(word)' is no contact", allowed: allowed)
    }
  }

  private static func bond(_ words: inout Words) throws(ScriptError) -> Bond {
    let allowed = "bond " + Bond.allCases.map(\.rawValue).joined(separator: "|")
    let word = try words.next("the bond", allowed: allowed)
    guard let bond = Bond(rawValue: word) else { throw ScriptError("'\(word)' is no bond", allowed: allowed) }
    return bond
  }

  private static func question(_ words: inout Words) throws(ScriptError) -> Question? {
    let allowed = "asks none|passkey N|confirm N|pin TEXT|show N|show-pin TEXT, N 0 to 999999, TEXT 1 to 16 octets"
    let word = try words.next("what the strap asks", allowed: allowed)
    func passkey() throws(ScriptError) -> UInt32 {
      try number(try words.next("the passkey", allowed: allowed), 0...999_999, "a passkey")
    }
    func pin() throws(ScriptError) -> String {
      let text = try words.next("the PIN", allowed: allowed)
      guard (1...16).contains(text.utf8.count) else { throw ScriptError("'\(text)' is no PIN", allowed: allowed) }
      return text
    }
    switch word {
    case "none": return nil
    case "passkey": return .passkey(try passkey())
    case "confirm": return .confirm(try passkey())
    case "pin": return .pin(try pin())
    case "show": return .show(try passkey())
    case "show-pin": return .showPin(try pin())
    default: throw ScriptError("'\(word)' is nothing that a strap asks", allowed: allowed)
    }
  }

  /// `Failed le-connection-timeout`; a name without a dot is one of BlueZ's.
  private static func error(_ words: inout Words, _ command: String) throws(ScriptError) -> BusError? {
    let allowed = "\(command) NAME [TEXT]|none, such as \(command) Failed le-connection-abort-by-local"
    let word = try words.next("the error's name", allowed: allowed)
    if word == "none" { return nil }
    guard let name = InterfaceName(word.contains(".") ? word : "org.bluez.Error.\(word)") else {
      throw ScriptError("'\(word)' is no error's name", allowed: allowed)
    }
    return BusError(name: name, text: words.remainder())
  }
}
