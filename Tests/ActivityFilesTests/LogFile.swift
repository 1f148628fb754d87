import Foundation
import Testing

/// The files beside the tests.
enum LogFile {
  static func octets(_ name: String, file: String = #filePath) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Data/\(name)")))
  }
}
