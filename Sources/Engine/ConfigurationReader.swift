import Measurements

/// Reads strapd.conf(5) line by line: the daemon's own keys first, then sections, each of one strap.
struct ConfigurationReader {
  let file: String
  private var configuration = Configuration()
  /// The strap whose section is read.
  private var section: StrapAddress?
  /// The lines in which this section's keys are set.
  private var seen: [String: Int] = [:]
  /// Who has each name, and in which line.
  private var names: [String: (strap: StrapAddress, line: Int)] = [:]

  init(_ file: String) {
    self.file = file
  }

  static let header = "[strap F0:F1:F2:F3:F4:F5]"

  mutating func read(_ text: String) throws(ConfigurationError) -> Configuration {
    configuration.file = file
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let content = line.trimmed
      if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
      if content.hasPrefix("[") {
        try begin(String(content), number)
      } else {
        try assign(content, number)
      }
    }
    return configuration
  }

  private mutating func begin(_ header: String, _ line: Int) throws(ConfigurationError) {
    let words = header.dropFirst().dropLast().split { $0 == " " || $0 == "\t" }
    guard header.hasSuffix("]"), words.count == 2, words[0] == "strap", let address = StrapAddress(device: words[1])
    else {
      throw error(line, header, "this begins no section that there is; allowed is \(Self.header)")
    }
    if let first = configuration.straps[address]?.line { throw error(line, header, "already begun in line \(first)") }
    configuration.straps[address] = StrapSection(address, file: file, line: line)
    section = address
    seen = [:]
  }

  private mutating func assign(_ content: Substring, _ line: Int) throws(ConfigurationError) {
    guard let equals = content.firstIndex(of: "=") else { throw error(line, String(content), "expected 'key = value'") }
    let name = String(content[..<equals].trimmed)
    let value = String(content[content.index(after: equals)...].trimmed)
    let keys = section == nil ? Configuration.keys : StrapSection.keys
    guard let key = keys.first(where: { $0.name == name }) else {
      let known = keys.map(\.name).joined(separator: ", ")
      guard section != nil, Configuration.keys.contains(where: { $0.name == name }) else {
        throw error(line, name, "unknown key; known are \(known)")
      }
      throw error(line, name, "stands in a strap's section, where known are \(known); move it above the first section")
    }
    if let first = seen.updateValue(line, forKey: name) { throw error(line, name, "already set in line \(first)") }
    guard set(name, value) else { throw error(line, name, "'\(value)' is not allowed; allowed is \(key.allowed)") }
    if name == "name", let strap = section { try claim(value, strap, line) }
  }

  private mutating func set(_ key: String, _ value: String) -> Bool {
    guard let section else { return configuration.set(key, value) }
    return configuration.straps[section]?.set(key, value) ?? false
  }

  /// A name is one strap's only.
  private mutating func claim(_ value: String, _ strap: StrapAddress, _ line: Int) throws(ConfigurationError) {
    guard let name = configuration.straps[strap]?.name else { return }
    if let (other, first) = names[name.key] {
      throw error(line, "name", "'\(value)' is the name of \(other) already, by line \(first); allowed is another one")
    }
    names[name.key] = (strap, line)
  }

  private func error(_ line: Int, _ key: String, _ problem: String) -> ConfigurationError {
    ConfigurationError(file: file, line: line, key: key, problem: problem)
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
