import Foundation
import Testing

/// The project's own files, found from where this one is compiled.
struct Repository {
  struct File {
    /// The path below the repository's root.
    var path: String
    var text: String

    /// The folder below Sources or Tests: the target.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
    var lineCount: Int {
      text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    }
  }

  private let root: URL

  init(compiledAs path: String = #filePath) {
    root = URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// All text files below a folder whose names end in one of these.
  func files(below folder: String, endings: Set<String>) throws -> [File] {
    let top = root.appendingPathComponent(folder)
    let found = try #require(FileManager.default.enumerator(atPath: top.path)).compactMap { $0 as? String }
    return try found.sorted()
      .filter { name in endings.contains(name.split(separator: ".").last.map(String.init) ?? "") }
      .map { File(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
  }

  /// The names of everything directly in a folder.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
  }
}
