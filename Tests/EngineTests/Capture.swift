import Measurements

/// What one strap was recorded to do, as Corpus/README.md describes it.
struct Capture: Equatable {
  var name = "Captured strap"
  var information = DeviceInformation()
  /// nil where it shows no battery.
  var battery: UInt8?
  var location: UInt8?
  /// In the order of the file.
  var happenings: [Happening] = []

  struct Happening: Equatable {
    var at: Duration
    var what: What
  }

  enum What: Equatable {
    /// Heart Rate Measurement is signalled with these octets.
    case notify([UInt8])
    case battery(UInt8)
    /// The link ends, and the strap goes on advertising.
    case hangUp
    /// The link ends, and the strap is not heard any more.
    case gone
    case back
    /// A client's call of that name.
    case call(String)
  }

  struct Unreadable: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    var line: Int
    var description: String
  }

  static let calls = ["prepare": "Prepare", "start": "Start", "pause": "Pause", "resume": "Resume", "stop": "Stop"]

  init(_ text: String) throws(Unreadable) {
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let words = line.prefix { $0 != "#" }.split(separator: " ", maxSplits: 1)
      guard let first = words.first else { continue }
      let rest = words.count > 1 ? String(words[1].reversed().drop { $0 == " " }.reversed()) : ""
      do throws(Refusal) {
        if first.first?.isNumber == true { try add(String(first), rest) } else { try set(String(first), rest) }
      } catch {
        throw Unreadable(line: number, description: error.text)
      }
    }
  }

  private struct Refusal: Error {
    var text: String
  }

  private mutating func set(_ key: String, _ value: String) throws(Refusal) {
    guard happenings.isEmpty else { throw Refusal(text: "'\(key)' stands behind what happens") }
    switch key {
    case "name": name = value
    case "manufacturer": information.manufacturer = value
    case "model": information.model = value
    case "firmware": information.firmwareRevision = value
    case "battery": battery = try Self.octet(value)
    case "location": location = try Self.octet(value)
    default:
      throw Refusal(text: "'\(key)' is none of name, manufacturer, model, firmware, battery, location, nor a time")
    }
  }

  private mutating func add(_ time: String, _ rest: String) throws(Refusal) {
    guard let milliseconds = Int(time) else { throw Refusal(text: "'\(time)' is no time in milliseconds") }
    let at = Duration.milliseconds(milliseconds)
    if let last = happenings.last?.at, last > at { throw Refusal(text: "\(time) ms is before what stands above it") }
    let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
    happenings.append(Happening(at: at, what: try Self.what(words.first ?? "", words.count > 1 ? words[1] : "")))
  }

  private static func what(_ word: String, _ argument: String) throws(Refusal) -> What {
    switch word {
    case "notify":
      guard let octets = Hex.bytes(argument.filter { $0 != " " }) else {
        throw Refusal(text: "'\(argument)' are no octets")
      }
      return .notify(octets)
    case "battery": return .battery(try octet(argument))
    case "hangup" where argument.isEmpty: return .hangUp
    case "gone" where argument.isEmpty: return .gone
    case "back" where argument.isEmpty: return .back
    default:
      guard let call = calls[word], argument.isEmpty else {
        let all = ["notify HEX", "battery PERCENT", "hangup", "gone", "back"] + calls.keys.sorted()
        throw Refusal(text: "'\(word) \(argument)' is none of \(all.joined(separator: ", "))")
      }
      return .call(call)
    }
  }

  private static func octet(_ text: String) throws(Refusal) -> UInt8 {
    guard let octet = UInt8(text) else { throw Refusal(text: "'\(text)' is no number from 0 to 255") }
    return octet
  }
}
