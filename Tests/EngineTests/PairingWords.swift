import Bus
import Control

@testable import Engine

// Pairing in few words.
extension World {
  /// The strap's link, and behind a colon its trouble.
  var line: String {
    let strap = strap()
    return (strap["link"]?.asString ?? "?") + (strap["trouble"]?.asString.map { ": \($0)" } ?? "")
  }

  /// A client that asks for a pairing and for reports of it.
  func pair(_ parameters: KeyValuePairs<String, JSON?> = [:]) -> ClientID {
    let client = connect()
    send(client, VarlinkCall("io.strapd.Pair", .object(parameters), more: true))
    return client
  }

  /// What a client was told of the pairing since it was last asked, numbers behind a colon; the last word may be an error.
  /// A step that was told again with another advice is one.
  func told(_ client: ClientID) -> [String] {
    let words = take(client).map { reply in
      let parameters = reply["parameters"] ?? .null
      if let error = reply["error"]?.asString {
        return error.replacing("io.strapd.", with: "") + (parameters["text"]?.asString.map { ": \($0)" } ?? "")
      }
      let number = parameters["passkey"]?.asString ?? parameters["pinCode"]?.asString
      return (parameters["progress"]?.asString ?? "?") + (number.map { ":\($0)" } ?? "")
    }
    return words.indices.filter { $0 == 0 || words[$0] != words[$0 - 1] }.map { words[$0] }
  }
}
