@testable import ActivityFiles

/// Files of other programs, message by message.
struct FITMaker {
  typealias Field = FITEncoder.Field

  static let start: UInt64 = 1_150_000_000
  private var encoder = FITEncoder()

  init(type: UInt64 = FITProfile.FileID.activity) {
    encoder.add(FITProfile.Message.fileID, [Field(FITProfile.FileID.type, .enumeration, type)])
  }

  var octets: [UInt8] { encoder.file() ?? [] }

  mutating func add(
    _ message: UInt16, at second: UInt64? = nil, _ fields: [Field] = [], developer: [Field] = []
  ) {
    let stamp = second.map { [Field(FITProfile.timestamp, .uint32, Self.start + $0)] } ?? []
    encoder.add(message, stamp + fields, developer: developer)
  }

  mutating func record(at second: UInt64, _ heartRate: UInt64, developer: [Field] = []) {
    let rate = Field(FITProfile.Record.heartRate, .uint8, heartRate)
    add(FITProfile.Message.record, at: second, [rate], developer: developer)
  }

  mutating func hrv(_ milliseconds: UInt64...) {
    add(FITProfile.Message.hrv, [Field(FITProfile.HRV.time, .uint16, array: milliseconds)])
  }

  mutating func timer(at second: UInt64, _ type: UInt64) {
    add(
      FITProfile.Message.event, at: second,
      [
        Field(FITProfile.Event.event, .enumeration, FITProfile.Event.timer),
        Field(FITProfile.Event.eventType, .enumeration, type),
      ])
  }

  mutating func session(from start: UInt64, seconds: UInt64, _ fields: [Field] = []) {
    let bounds = [
      Field(FITProfile.Session.startTime, .uint32, Self.start + start),
      Field(FITProfile.Session.totalElapsedTime, .uint32, 1000 * seconds),
    ]
    add(FITProfile.Message.session, at: start + seconds, bounds + fields)
  }
}
