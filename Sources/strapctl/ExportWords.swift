import ActivityFiles
import Workout

/// The words of `strapctl export`.
struct ExportWords {
  var arguments: [String]
  var values: [Option: String]
  var switches: Set<Option>

  /// - Parameter filter: which workouts are meant, where none is named.
  func wish(_ filter: HistoryFilter) throws(UsageError) -> ExportWish {
    var wish = ExportWish(format: try format(), which: .following, target: try target())
    wish.replaces = switches.contains(.force)
    let isFiltered = filter != HistoryFilter()
    if let text = arguments.first {
      guard let id = SessionID(text) else {
        throw UsageError("'\(text)' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
      }
      if isFiltered || switches.contains(.all) || switches.contains(.follow) {
        throw UsageError("either one workout, by its id, or several")
      }
      wish.which = .one(id)
      return wish
    }
    guard case .directory = wish.target else {
      throw UsageError("which workout? 'strapctl list' shows their ids; several need a --directory")
    }
    if switches.contains(.follow) {
      if isFiltered || switches.contains(.all) { throw UsageError("--follow exports each workout as it is finished") }
      return wish
    }
    if !isFiltered, !switches.contains(.all) {
      throw UsageError("which workouts? Give an id, --since, another choice, --all or --follow")
    }
    wish.which = .all(filter)
    return wish
  }

  private func format() throws(UsageError) -> ActivityFormat {
    guard let name = values[.format] else { return .fit }
    guard let format = ActivityFormat.written.first(where: { $0.rawValue == name }) else {
      let all = ActivityFormat.written.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(name)' is no format; there are \(all)")
    }
    return format
  }

  private func target() throws(UsageError) -> ExportWish.Target {
    if let directory = values[.directory] {
      if values[.output] != nil { throw UsageError("either --output or --directory") }
      if directory.isEmpty { throw UsageError("--directory needs a path") }
      return .directory(directory)
    }
    guard let path = values[.output], path != "-" else { return .standardOutput }
    guard !path.isEmpty, !path.hasSuffix("/") else { throw UsageError("'\(path)' is no name of a file") }
    return .file(path)
  }
}
