import Bus
import Measurements

/// One command out of its words.
struct CommandParser {
  /// The straps that there are.
  let tags: Set<String>

  static let worldCommands = "strap, adapter, bluetoothd, malformed, quit, or a strap's tag and what happens to it"

  func command(_ words: inout Words) throws(ScriptError) -> Command {
    let word = try words.next("the command", allowed: Self.worldCommands)
    let command: Command
    switch word {
    case "strap": command = .strap(try DeclarationParser.declaration(&words, tags: tags))
    case "adapter": command = .adapter(try adapter(&words))
    case "bluetoothd": command = .bluetoothd(try choice(Command.Switch.self, &words, "bluetoothd"))
    case "malformed": command = .malformed(try malformed(&words))
    case "quit": command = .quit
    default:
      guard tags.contains(word) else {
        let straps = tags.isEmpty ? "" : " (\(tags.sorted().joined(separator: ", ")))"
        throw ScriptError("there is no command and no strap '\(word)'", allowed: Self.worldCommands + straps)
      }
      command = .to(tag: word, try StrapCommandParser.command(&words))
    }
    try words.checkEnd(allowed: "the end of the line")
    return command
  }

  private func adapter(_ words: inout Words) throws(ScriptError) -> AdapterCommand {
    let allowed = "adapter off|on|remove|add [hciN]|block|unblock"
    switch try words.next("what happens to the adapter", allowed: allowed) {
    case "off": return .off
    case "on": return .on
    case "remove": return .remove
    case "block": return .block
    case "unblock": return .unblock
    case "add":
      guard let name = words.next() else { return .add("hci0") }
      guard name.hasPrefix("hci"), let number = UInt16(name.dropFirst(3)), name == "hci\(number)" else {
        throw ScriptError("'\(name)' is no adapter", allowed: "hci0, hci1, …")
      }
      return .add(name)
    case let word: throw ScriptError("'\(word)' does not happen to an adapter", allowed: allowed)
    }
  }

  private func malformed(_ words: inout Words) throws(ScriptError) -> [MalformedKind] {
    let allowed = "malformed all|" + MalformedKind.allCases.map(\.rawValue).joined(separator: "|")
    let word = try words.next("the kind", allowed: allowed)
    if word == "all" { return MalformedKind.allCases }
    guard let kind = MalformedKind(rawValue: word) else { throw ScriptError("'\(word)' is no kind", allowed: allowed) }
    return [kind]
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _: Choice.Type, _ words: inout Words, _ command: String
  ) throws(ScriptError) -> Choice where Choice.RawValue == String {
    let allowed = "\(command) " + Choice.allCases.map(\.rawValue).joined(separator: "|")
    let word = try words.next("what \(command) does", allowed: allowed)
    guard let choice = Choice(rawValue: word) else {
      throw ScriptError("'\(word)' is nothing that \(command) does", allowed: allowed)
    }
    return choice
  }
}

/// `strap A F0:F1:F2:F3:F4:F5 name="Demo HR" rssi=-50 …`.
enum DeclarationParser {
  static let allowed = """
    strap TAG AA:BB:CC:DD:EE:FF [name=TEXT] [heart-rate=yes|no] [rssi=dBm] [battery=PERCENT] [location=0…255|none] [manufacturer=TEXT] \
    [model=TEXT] [serial=TEXT] [hardware=TEXT] [firmware=TEXT] [software=TEXT] [connect-ms=N] [resolve-ms=N]
    """

  static func declaration(_ words: inout Words, tags: Set<String>) throws(ScriptError) -> StrapDeclaration {
    let tag = try words.next("the strap's tag", allowed: allowed)
    let reserved = ["strap", "adapter", "bluetoothd", "malformed", "quit", "at"]
    guard !reserved.contains(tag), tag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw ScriptError("'\(tag)' is no tag", allowed: "letters and digits, and none of \(reserved)")
    }
    guard !tags.contains(tag) else { throw ScriptError("there is a strap '\(tag)' already", allowed: "another tag") }
    let text = try words.next("the strap's address", allowed: allowed)
    guard let address = StrapAddress(text) else { throw ScriptError("'\(text)' is no address", allowed: allowed) }
    var strap = StrapDeclaration(tag: tag, address: address)
    while let word = words.next() {
      guard let equals = word.firstIndex(of: "=") else {
        throw ScriptError("'\(word)' has no value", allowed: allowed)
      }
      try set(String(word[..<equals]), to: String(word[word.index(after: equals)...]), in: &strap)
    }
    return strap
  }

  private static func set(
    _ key: String, to value: String, in strap: inout StrapDeclaration
  ) throws(ScriptError) {
    switch key {
    case "name": strap.name = value
    case "heart-rate":
      guard ["yes", "no"].contains(value) else {
        throw ScriptError("'\(value)' is neither yes nor no", allowed: "heart-rate=yes|no")
      }
      strap.hasHeartRate = value == "yes"
    case "rssi": strap.rssi = try number(value, -127...20, "an rssi in dBm")
    case "battery": strap.battery = try number(value, 0...100, "a percentage")
    case "location": strap.location = value == "none" ? nil : try number(value, 0...255, "a body sensor location")
    case "manufacturer": strap.information.manufacturer = value
    case "model": strap.information.model = value
    case "serial": strap.information.serial = value
    case "hardware": strap.information.hardwareRevision = value
    case "firmware": strap.information.firmwareRevision = value
    case "software": strap.information.softwareRevision = value
    case "connect-ms": strap.connecting = .milliseconds(try number(value, 0...600_000, "a number of milliseconds"))
    case "resolve-ms": strap.resolving = .milliseconds(try number(value, 0...600_000, "a number of milliseconds"))
    default: throw ScriptError("a strap has no '\(key)'", allowed: allowed)
    }
  }
}

/// A whole number within its range.
func number<Number: FixedWidthInteger & Sendable>(
  _ word: String, _ range: ClosedRange<Number>, _ what: String
) throws(ScriptError) -> Number {
  guard let number = Number(word), range.contains(number) else {
    throw ScriptError("'\(word)' is not \(what)", allowed: "\(range.lowerBound) to \(range.upperBound)")
  }
  return number
}
