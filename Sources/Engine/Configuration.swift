import Measurements

/// What strapd.conf(5) says.
public struct Configuration: Hashable, Sendable {
  /// The strap that sessions use which name none; nil leaves the choice to the strongest signal.
  public var strap: StrapAddress?
  /// Whether an adapter that is off is switched on when a session wants a strap.
  public var powersAdapter = true
  /// Whether a strap that answers bonded clients only is paired when a session wants it.
  public var pairsWhenNeeded = false
  /// How long a written sample may be lost to a power cut.
  public var syncInterval = Duration.seconds(1)
  /// How long a session stays in stopped when nobody finishes it.
  public var stoppedLimit = Duration.seconds(60)

  public init() {}

  /// Every key, with the text of its default and what is allowed.
  public static let keys: [Key] = [
    Key("strap", default: "", allows: "a Bluetooth address such as F0:F1:F2:F3:F4:F5, or nothing"),
    Key("power_adapter", default: "yes", allows: "yes or no"),
    Key("pair_when_needed", default: "no", allows: "yes or no"),
    Key("sync_interval", default: "1", allows: "seconds, 0.1 to 3600"),
    Key("stopped_limit", default: "60", allows: "seconds, 1 to 86400"),
  ]

  public struct Key: Hashable, Sendable {
    public var name: String
    /// The default, as it would be written.
    public var defaultText: String
    public var allowed: String

    init(_ name: String, default defaultText: String, allows allowed: String) {
      self.name = name
      self.defaultText = defaultText
      self.allowed = allowed
    }
  }
}

/// Why a configuration is refused.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name, as it was given.
  public var file: String
  /// Counted from 1.
  public var line: Int
  public var key: String
  public var problem: String

  public var description: String {
    "\(file), line \(line): \(key): \(problem)"
  }
}

// MARK: - Reading

extension Configuration {
  /// Reads lines of `key = value`; empty lines and lines that begin with # are passed over.
  ///
  /// - Throws: for an unknown key, a key that stands twice, a line that is no assignment, or a value that is not
  ///   allowed: with the file, the line, the key and what is allowed.
  public init(parsing text: String, file: String) throws(ConfigurationError) {
    self.init()
    var seen: [String: Int] = [:]
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let content = line.trimmed
      if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
      guard let equals = content.firstIndex(of: "=") else {
        throw ConfigurationError(file: file, line: number, key: String(content), problem: "expected 'key = value'")
      }
      let name = String(content[..<equals].trimmed)
      let value = String(content[content.index(after: equals)...].trimmed)
      guard let key = Self.keys.first(where: { $0.name == name }) else {
        let known = Self.keys.map(\.name).joined(separator: ", ")
        throw ConfigurationError(file: file, line: number, key: name, problem: "unknown key; known are \(known)")
      }
      if let first = seen.updateValue(number, forKey: name) {
        throw ConfigurationError(file: file, line: number, key: name, problem: "already set in line \(first)")
      }
      guard set(name, value) else {
        throw ConfigurationError(
          file: file, line: number, key: name, problem: "'\(value)' is not allowed; allowed is \(key.allowed)")
      }
    }
  }

  private mutating func set(_ key: String, _ value: String) -> Bool {
    switch key {
    case "strap":
      if value.isEmpty { return true }
      guard let address = StrapAddress(value) else { return false }
      strap = address
    case "power_adapter":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      powersAdapter = flag
    case "pair_when_needed":
      guard let flag = ["yes": true, "no": false][value] else { return false }
      pairsWhenNeeded = flag
    case "sync_interval": return Self.set(&syncInterval, value, 0.1...3600)
    case "stopped_limit": return Self.set(&stoppedLimit, value, 1...86_400)
    default: return false
    }
    return true
  }

  private static func set(_ duration: inout Duration, _ value: String, _ allowed: ClosedRange<Double>) -> Bool {
    // Double's own reading would take "nan", "1e3" and "0x1p3" as well.
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let seconds = Double(value),
      allowed.contains(seconds)
    else { return false }
    duration = .nanoseconds(Int64(seconds * 1e9))
    return true
  }
}

extension Substring {
  /// Without blanks and tabs at both ends.
  fileprivate var trimmed: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var rest = self
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
