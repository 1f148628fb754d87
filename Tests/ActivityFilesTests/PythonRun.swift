import Foundation
import Testing

/// Python with the packages that README's test command installs, to read what was written as others do.
enum PythonRun {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  /// The lines that a program writes about a file, whose name is its argument.
  static func lines(_ program: String, _ octets: [UInt8]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("strapd-\(UUID().uuidString)")
    try Data(octets).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let python = Process()
    let output = Pipe()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-c", program, file.path]
    python.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": "\(root)/.build/python"]) { $1 }
    python.standardOutput = output
    python.standardError = output
    try python.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    python.waitUntilExit()
    try #require(python.terminationStatus == 0, "\(text) (README's test command installs the packages)")
    return text.split(separator: "\n").map(String.init)
  }
}
