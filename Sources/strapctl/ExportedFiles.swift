import ActivityFiles
import Glibc
import Workout

/// The files of workouts in a directory, by the names that they are given.
struct ExportedFiles {
  private let directory: String
  /// By the end of the name, which an edit leaves as it is.
  private var names: [Substring: [String]] = [:]

  init(_ directory: String) throws(WholeFileError) {
    self.directory = directory + (directory.hasSuffix("/") ? "" : "/")
    guard let folder = opendir(directory) else { throw .system("looking into", directory, errno) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      names[Self.end(of: name), default: []].append(name)
    }
  }

  func path(_ name: String) -> String { directory + name }

  /// Takes away what a workout was called before: files of this format that are known to be of the same workout.
  mutating func remove(of file: WorkoutFile, but name: String, _ format: ActivityFormat) throws(WholeFileError) {
    let end = Self.end(of: name)
    for other in names[end] ?? [] where other != name && file.mayBeCalled(other) && isOf(file, other, format) {
      guard unlink(path(other)) == 0 || errno == ENOENT else { throw .system("removing", path(other), errno) }
    }
    names[end] = [name]
  }

  /// Eight digits of an id are not the whole of it, so the file itself is asked.
  private func isOf(_ file: WorkoutFile, _ name: String, _ format: ActivityFormat) -> Bool {
    do {
      let (found, workouts, _) = try ImportFile(path(name)).workouts(areLogs: false)
      return found == format && workouts.count == 1 && workouts[0].workout.id == file.workout.id
    } catch {
      // What is no file of ours, or cannot be read back (csv), stays.
      return false
    }
  }

  private static func end(of name: String) -> Substring { name.split(separator: "-").last ?? "" }
}

extension WorkoutFile {
  /// Whether a name is one that a file of a workout may have: date, activity, and the end that this one's has.
  fileprivate func mayBeCalled(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 7 && parts[6].hasPrefix(workout.id.description.prefix(8))
      && ActivityType(rawValue: String(parts[5])) != nil && parts[4].hasSuffix("Z")
  }
}
