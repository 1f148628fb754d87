import Glibc

/// Where the programs of this package were built: beside the test bundle, which the test runner is or is told; or in
/// STRAPD_PROGRAMS, for measurements of a release build.
public enum BuildFolder {
  public static func program(_ name: String) throws -> String {
    if let folder = getenv("STRAPD_PROGRAMS") { return "\(String(cString: folder))/\(name)" }
    guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
      throw TestSupportError("no test bundle among \(CommandLine.arguments)")
    }
    return "\(bundle.lastIndex(of: "/").map { bundle[..<$0] } ?? ".")/\(name)"
  }
}
