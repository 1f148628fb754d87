/// A varlink method call as it stands on the wire (varlink.org, "Method call").
public struct VarlinkCall: Hashable, Sendable {
  public var method: String
  public var parameters: JSON
  /// The client takes several replies.
  public var more: Bool
  /// The client wants no reply.
  public var oneway: Bool
  /// The client wants to speak another protocol afterwards.
  public var upgrade: Bool

  public init(_ method: String, _ parameters: JSON = .object([]), more: Bool = false, oneway: Bool = false) {
    self.method = method
    self.parameters = parameters
    self.more = more
    self.oneway = oneway
    upgrade = false
  }

  /// Reads a message.
  ///
  /// - Throws: `VarlinkCallError` where it is no JSON object with a method, to which no reply can be given.
  public init(_ message: some Collection<UInt8>) throws(VarlinkCallError) {
    let json: JSON
    do { json = try JSON(parsing: message) } catch { throw .notJSON(error) }
    guard case .object(let members) = json, let method = json["method"]?.asString else { throw .noCall }
    self.method = method
    (more, oneway, upgrade) = (false, false, false)
    parameters = .object([])
    for member in members where member.value != .null {
      switch (member.name, member.value) {
      case ("method", _): break
      case ("parameters", .object): parameters = member.value
      case ("more", .bool(let flag)): more = flag
      case ("oneway", .bool(let flag)): oneway = flag
      case ("upgrade", .bool(let flag)): upgrade = flag
      case ("parameters", _), ("more", _), ("oneway", _), ("upgrade", _): throw .noCall
      default: break  // what later versions of varlink add
      }
    }
  }

  /// The message with its NUL, as a client sends it.
  public var message: [UInt8] {
    let call = JSON.object([
      "method": .string(method), "parameters": parameters, "more": more ? .bool(true) : nil,
      "oneway": oneway ? .bool(true) : nil,
    ])
    return call.bytes + [0]
  }

  /// The interface and the method's own name; nil where the name has no dot.
  public var parts: (interface: Substring, name: Substring)? {
    method.lastIndex(of: ".").map { (method[..<$0], method[method.index(after: $0)...]) }
  }
}

/// A message that is no varlink call.
public enum VarlinkCallError: Error, Hashable, Sendable {
  case notJSON(JSONError)
  case noCall
}

/// A reply as it stands on the wire (varlink.org, "Method reply").
public struct VarlinkReply: Hashable, Sendable {
  public var parameters: JSON
  /// The error's full name, if it is one.
  public var error: String?
  /// More replies to the same call follow.
  public var continues: Bool

  public init(_ parameters: JSON = .object([]), error: String? = nil, continues: Bool = false) {
    self.parameters = parameters
    self.error = error
    self.continues = continues
  }

  /// Reads a message; nil where it is no reply.
  public init?(_ message: some Collection<UInt8>) {
    let json: JSON
    do { json = try JSON(parsing: message) } catch { return nil }
    guard case .object(let members) = json else { return nil }
    self.init()
    for member in members where member.value != .null {
      switch (member.name, member.value) {
      case ("parameters", .object): parameters = member.value
      case ("error", .string(let name)): error = name
      case ("continues", .bool(let flag)): continues = flag
      // Read past, an error of another type would pass for success.
      case ("parameters", _), ("error", _), ("continues", _): return nil
      default: break  // what later versions of varlink add
      }
    }
  }

  /// The message with its NUL.
  public var message: [UInt8] {
    let reply = JSON.object([
      "error": error.map(JSON.string), "parameters": parameters, "continues": continues ? .bool(true) : nil,
    ])
    return reply.bytes + [0]
  }
}
