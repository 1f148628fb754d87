import Control
import Measurements
import Workout

extension WorkoutFile {
  /// Reads the workouts of a FIT file (FIT Protocol; Activity File): one for each session, and for each of several files
  /// that follow one another.
  ///
  /// What is in no session with heart rate is left out. A workout that this project has written has its id again, and its
  /// times to the millisecond; others have an id that their octets give.
  ///
  /// - Throws: where the file is damaged or cut short anywhere, with the octet: nothing is read by half; where it holds no
  ///   activity, or no heart rate at all.
  public static func workouts(fit octets: [UInt8]) throws(ActivityFileError) -> [WorkoutFile] {
    var workouts: [WorkoutFile] = []
    var types: [UInt64] = []
    var start = 0
    repeat {
      var decoder = try FITDecoder(octets, at: start)
      let contents = try FITContents(&decoder)
      if let type = contents.type, type != FITProfile.FileID.activity {
        types.append(type)
      } else {
        let digest = SessionDigest(octets[start..<decoder.end])
        workouts += FITActivity(contents).workouts(digest)
      }
      start = decoder.end
    } while start < octets.count
    if workouts.isEmpty, let type = types.first {
      throw ActivityFileError(.fit, "holds no activity: its type is \(type), and 4 is an activity's")
    }
    guard !workouts.isEmpty else { throw ActivityFileError(.fit, "holds no heart rate") }
    return workouts
  }
}

/// Names the sessions of one file by its octets.
struct SessionDigest: Sendable {
  private let digest: SHA256

  init(_ octets: ArraySlice<UInt8>) {
    var digest = SHA256()
    digest.update(Array(octets))
    self.digest = digest
  }

  /// The first session's id is the file's.
  func id(_ index: Int) -> SessionID {
    var digest = digest
    if index > 0 { digest.update(Array("session \(index)".utf8)) }
    return SessionID(digest: digest.octets)
  }
}
