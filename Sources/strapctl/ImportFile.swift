import ActivityFiles
import Glibc
import Measurements

/// A file of workouts, recognised by its content.
struct ImportFile {
  private let path: String
  /// How much of it is looked at to know what it is, and read at a time.
  private static let piece = 1 << 20

  init(_ path: String) {
    self.path = path
  }

  /// - Parameter areLogs: it has to be an HCI log.
  /// - Returns: what it is, the workouts, and what is to be said of them.
  /// - Throws: `ImportError`, `ActivityFileError`.
  func workouts(areLogs: Bool) throws -> (ActivityFormat, [WorkoutFile], notes: [String]) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ImportError.system("opening", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ImportError.system("looking at", errno) }
    guard status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFIFO else { throw ImportError.noFile }
    let beginning = try read(descriptor, Self.piece)
    if beginning.isEmpty { throw ImportError.empty }
    guard let format = ActivityFormat.recognised(beginning) else {
      throw ImportError.unknown(UnknownFormat(Array(beginning.prefix(4096))))
    }
    if areLogs, format != .btsnoop { throw ImportError.noLog }
    if format == .btsnoop { return try log(beginning, descriptor) }
    if Int(status.st_size) > format.largestFile { throw ImportError.large(Int(status.st_size), format.largestFile) }
    var octets = beginning
    while true {
      let more = try read(descriptor, Self.piece)
      if more.isEmpty { break }
      octets += more
      if octets.count > format.largestFile { throw ImportError.large(octets.count, format.largestFile) }
    }
    return (format, try format.read(octets, end: WallTime(status.st_mtim)), [])
  }

  /// However long it is, no more of it is kept than its measurements.
  private func log(_ beginning: [UInt8], _ descriptor: Int32) throws -> (ActivityFormat, [WorkoutFile], notes: [String])
  {
    var reader = BtsnoopReader()
    var octets = beginning
    while !octets.isEmpty {
      try reader.take(octets)
      octets = try read(descriptor, Self.piece)
    }
    return (.btsnoop, try reader.finish(), reader.warnings)
  }

  /// Up to so many octets; none at the end.
  private func read(_ descriptor: Int32, _ most: Int) throws(ImportError) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < most {
      let found = octets.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), most - count)
      }
      if found == 0 { break }
      if found < 0, errno == EINTR { continue }
      if found < 0 { throw .system("reading", errno) }
      count += found
    }
    return Array(octets.prefix(count))
  }
}

extension ActivityFormat {
  /// Formats of files that say less of a workout: one of this format takes the place of what came in by one of those. Before
  /// they were told apart, all but our own JSON was a "file".
  var replaces: [String] {
    switch self {
    case .json: ["file", "fit", "tcx", "rr"]
    case .fit: ["tcx", "rr"]
    case .tcx, .csv, .rr, .btsnoop: []
    }
  }

  /// Whether it says something of a workout that one which came in by a file of another format has not: a TCX file has no
  /// intervals, and a text of them no laps and pauses.
  func saysMore(than format: String) -> Bool {
    replaces.contains(format) || self == .rr && format == "tcx" || self == .tcx && format == "rr"
  }
}

/// Why a file cannot be read, to stand behind its name.
enum ImportError: Error, Equatable, CustomStringConvertible {
  /// What was done, and the errno.
  case system(String, Int32)
  case noFile
  case empty
  /// None of the formats.
  case unknown(UnknownFormat)
  case noLog
  /// Its octets, and how many there may be.
  case large(Int, Int)

  var description: String {
    switch self {
    case .system(let doing, let code): "\(doing) it failed (\(String(cString: strerror(code))))"
    case .noFile: "is no file"
    case .empty: "is empty"
    case .unknown(let unknown):
      "is no FIT, TCX or JSON file of a workout, no text of RR intervals and no HCI log: \(unknown)"
    case .noLog: "at octet 0: is no HCI log in the format of btsnoop, as btmon -w and Android write it"
    case .large(let count, let most): "has \(count) octets, and a file of its kind is read up to \(most)"
    }
  }
}

extension WallTime {
  fileprivate init(_ time: timespec) {
    self.init(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
