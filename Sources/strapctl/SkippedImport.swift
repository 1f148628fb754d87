import ActivityFiles
import Control
import Workout

/// A workout that was not brought in, since it is there.
struct SkippedImport {
  let format: ActivityFormat
  /// What the daemon says of it.
  let parameters: JSON

  init(_ format: ActivityFormat, _ parameters: JSON) {
    self.format = format
    self.parameters = parameters
  }

  /// Whether the file has something that the store has not: then it was not imported, where it should have been.
  var saysMore: Bool { parameters.text("format").map { format.saysMore(than: $0) } ?? false }

  static func name(of format: String) -> String { format == "file" ? "file" : "\(format) file" }

  /// Why, with what to do.
  func text(_ id: SessionID) -> String {
    let into = parameters.text("into")
    let isInTrash = parameters["inTrash"] == .bool(true)
    guard saysMore, let came = parameters.text("format") else {
      let why =
        into.map { "it is part of workout \($0)" }
        ?? (isInTrash
          ? "it is in the trash ('strapctl restore \(id)' brings it back)" : "it is workout \(id) already")
      return "skipped, \(why)"
    }
    let advice =
      if let into {
        "It is part of workout \(into) now: make it one of its own again ('strapctl undo \(into)'), and import this then"
      } else if isInTrash {
        "It is in the trash: bring it back ('strapctl restore \(id)'), and import this then"
      } else if parameters["edited"] == .bool(true) {
        "It has been edited since: undo that ('strapctl undo \(id)', once for each edit), and import this then"
      } else {
        "Each has what the other has not: a fit or json file of it has both, and is imported in its place"
      }
    return
      "nothing of it is imported: workout \(id) came in by its \(Self.name(of: came)), and this \(format.rawValue) file "
      + "says more of it. \(advice)"
  }
}
