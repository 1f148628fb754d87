import Measurements
import Workout

/// Reads workouts out of an HCI log, piece by piece: btsnoop version 1 as btmon, Android and others write it.
///
/// A workout is what one strap sent without a silence of more than ten minutes, across reconnections: from the first
/// measurement that this machine received to the last. The value handle of Heart Rate Measurement is known by the
/// discovery that the log holds, else by the shape of what was sent (`HeartRateShape`). Of a log that was recorded on the
/// strap's side nothing is read.
///
/// How the log is cut into pieces changes nothing, and what is kept of it are measurements, names and handles only.
public struct BtsnoopReader: Sendable {
  /// The log ends inside a record or in zeros: it was being written. What came before has been read.
  public var isCutShort: Bool { records.isCutShort }
  private var records = BtsnoopRecords()
  private var log = HCILog()
  private var failure: ActivityFileError?

  public init() {}

  /// Whether a file that begins so is such a log.
  public static func recognises(_ beginning: some Collection<UInt8>) -> Bool {
    beginning.starts(with: BtsnoopRecords.identification)
  }

  /// Takes the next octets of the log, however many.
  ///
  /// - Throws: where the log is none, is of a kind that is not read, holds a record that cannot be, or more measurements
  ///   than `WorkoutFile.mostSamples`. Nothing more is taken then.
  public mutating func take(_ bytes: [UInt8]) throws(ActivityFileError) {
    if let failure { throw failure }
    do {
      try records.append(bytes)
      while let record = try records.next() { try log.take(record) }
    } catch {
      failure = error
      throw error
    }
  }

  /// The workouts, in the order of their starts, after the last octets; none where no strap sent anything.
  ///
  /// The ids are made of the strap's address, the start and what was sent: the same log gives the same ids.
  /// - Throws: what `take` has thrown, and where the log ends inside its header.
  public func finish() throws(ActivityFileError) -> [WorkoutFile] {
    if let failure { throw failure }
    try records.finish()
    return log.workouts
  }

  /// What is to be said to a person about what has been read so far, sentence by sentence.
  public var warnings: [String] {
    var warnings = log.warnings
    if isCutShort {
      warnings.append("it ends inside a record, at octet \(records.offset): what comes before has been read")
    }
    return warnings
  }
}
