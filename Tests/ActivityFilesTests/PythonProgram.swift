import Foundation
import TestSupport
import Testing

/// The repository's Python programs for tests, with the packages that README's test command installs.
enum PythonProgram {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// What a program prints.
  static func output(_ name: String, _ arguments: [String] = []) throws -> String {
    let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Python"
    let python = try ChildProcess(
      "python3", ["\(folder)/\(name)"] + arguments, environment: ["PYTHONPATH": root + "/.build/python"])
    let output = try python.outputText(before: Deadline(seconds: 120))
    let errors = try python.errorText(before: Deadline(seconds: 120))
    #expect(try python.wait() == .exited(0), "\(errors) (README's test command installs the packages)")
    return output
  }

  /// The lines that a program prints of a file, whose name is its argument.
  static func lines(_ name: String, of octets: [UInt8]) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.file("file")
    try write(octets, to: path)
    return try output(name, [path]).split(separator: "\n").map(String.init)
  }

  static func write(_ octets: [UInt8], to path: String) throws {
    try Data(octets).write(to: URL(fileURLWithPath: path))
  }

  static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
