import Store

/// What a check of a whole store finds. (The engine has a `Verification` of its own.)
func storeFindings(at path: String) throws -> [String] {
  var found: [String] = []
  _ = try Verification.run(path: path) { found.append($0) }
  return found
}
