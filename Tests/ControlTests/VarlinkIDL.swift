import Control

/// An interface in varlink's language (varlink.org, "Interface Definition"), read by the rules published there.
struct VarlinkIDL {
  private(set) var name = ""
  private(set) var types: [String: Kind] = [:]
  private(set) var methods: [String: Method] = [:]
  private(set) var errors: [String: [Field]] = [:]
  /// Every type, method and error that stands directly under a comment.
  private(set) var documented: Set<String> = []

  indirect enum Kind: Hashable {
    case bool, int, float, string, object
    case named(String)
    case nullable(Kind)
    case array(Kind)
    case map(Kind)
    case structure([Field])
    case enumeration([String])
  }

  struct Field: Hashable {
    var name: String
    var kind: Kind

    var isNullable: Bool {
      if case .nullable = kind { true } else { false }
    }
  }

  struct Method: Hashable {
    var input: [Field]
    var output: [Field]
  }

  struct ParseError: Error, CustomStringConvertible {
    var description: String
  }

  init(parsing text: String) throws {
    var scanner = IDLScanner(text)
    try scanner.expect("interface")
    name = try scanner.word("an interface's name") { $0.contains(".") }
    var names: Set<String> = []
    while let keyword = scanner.next() {
      let isDocumented = scanner.followsComment
      let member = try scanner.word("a name with a capital") { $0.isVarlinkMemberName }
      guard names.insert(member).inserted else { throw ParseError(description: "\(member) is there twice") }
      if isDocumented { documented.insert(member) }
      switch keyword {
      case "type": types[member] = try scanner.parenthesized()
      case "method":
        let input = try scanner.fields()
        try scanner.expect("->")
        methods[member] = Method(input: input, output: try scanner.fields())
      case "error": errors[member] = try scanner.fields()
      default: throw ParseError(description: "\(keyword) is neither type, method nor error")
      }
    }
  }

  /// Named types that are used and not defined, and those that are defined and not used.
  var looseTypes: Set<String> {
    var used: Set<String> = []
    func visit(_ kind: Kind) {
      switch kind {
      case .bool, .int, .float, .string, .object, .enumeration: break
      case .named(let name): used.insert(name)
      case .nullable(let inner), .array(let inner), .map(let inner): visit(inner)
      case .structure(let fields): visit(fields)
      }
    }
    func visit(_ fields: [Field]) {
      for field in fields { visit(field.kind) }
    }
    for kind in types.values { visit(kind) }
    for method in methods.values { visit(method.input + method.output) }
    for fields in errors.values { visit(fields) }
    return used.symmetricDifference(types.keys)
  }
}

// MARK: - Values against the description

extension VarlinkIDL {
  /// What is wrong with an object that should have these fields: a field too many, one that is missing, one of another
  /// type. A float is written with a fraction or exponent, an int without.
  func problems(of value: JSON, as fields: [Field], at place: String = "") -> [String] {
    guard case .object(let members) = value else { return ["\(place) is no object"] }
    var problems: [String] = []
    for member in members where !fields.contains(where: { $0.name == member.name }) {
      problems.append("\(place).\(member.name) is not described")
    }
    if Set(members.map(\.name)).count < members.count { problems.append("\(place) has a member twice") }
    for field in fields {
      let place = "\(place).\(field.name)"
      guard let value = members.first(where: { $0.name == field.name })?.value else {
        if !field.isNullable { problems.append("\(place) is missing") }
        continue
      }
      problems += self.problems(of: value, as: field.kind, at: place)
    }
    return problems
  }

  private func problems(of value: JSON, as kind: Kind, at place: String) -> [String] {
    switch (kind, value) {
    case (.bool, .bool), (.int, .integer), (.float, .real), (.string, .string), (.object, .object): return []
    case (.named(let name), _):
      guard let kind = types[name] else { return ["\(place) has the type \(name), which is not there"] }
      return problems(of: value, as: kind, at: place)
    case (.nullable, .null): return []
    case (.nullable(let inner), _): return problems(of: value, as: inner, at: place)
    case (.array(let element), .array(let values)):
      return values.enumerated().flatMap { problems(of: $0.element, as: element, at: "\(place)[\($0.offset)]") }
    case (.map(let element), .object(let members)):
      return members.flatMap { problems(of: $0.value, as: element, at: "\(place).\($0.name)") }
    case (.structure(let fields), .object): return problems(of: value, as: fields, at: place)
    case (.enumeration(let names), .string(let name)):
      return names.contains(name) ? [] : ["\(place) is \(name), which is none of \(names)"]
    case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.array, _), (.map, _), (.structure, _),
      (.enumeration, _):
      return ["\(place) is \(value.text), which is no \(kind)"]
    }
  }
}
