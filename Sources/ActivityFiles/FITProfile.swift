import Measurements

/// Numbers of the FIT profile (Garmin FIT SDK 21.218, Profile), as far as workouts with heart rate need them.
enum FITProfile {
  /// Developer fields came with version 2.0 of the protocol.
  static let protocolVersion: UInt8 = 0x20
  /// The profile's version times 1000, held where two octets end.
  static let version: UInt16 = 21_218
  /// 1989-12-31T00:00:00Z, from which timestamps count in seconds.
  static let epoch = WallTime(nanoseconds: 631_065_600_000_000_000)
  /// Lower numbers are no dates but seconds since a device was switched on (type date_time).
  static let firstDate: UInt32 = 0x1000_0000
  /// The highest number is none.
  static let lastDate: UInt32 = 0xFFFF_FFFE
  /// The most octets of a text, with the NUL behind it as long as a field can be.
  static let longestText = 254
  /// The field of all messages that have a time, and the one of those that are counted.
  static let timestamp: UInt8 = 253
  static let messageIndex: UInt8 = 254

  /// Global message numbers.
  enum Message {
    static let fileID: UInt16 = 0
    static let sport: UInt16 = 12
    static let session: UInt16 = 18
    static let lap: UInt16 = 19
    static let record: UInt16 = 20
    static let event: UInt16 = 21
    static let deviceInfo: UInt16 = 23
    static let workout: UInt16 = 26
    static let activity: UInt16 = 34
    static let fileCreator: UInt16 = 49
    static let hrv: UInt16 = 78
    static let heartRate: UInt16 = 132
    static let fieldDescription: UInt16 = 206
    static let developerDataID: UInt16 = 207
    static let timeInZone: UInt16 = 216
    static let beatIntervals: UInt16 = 290
    static let rawBeats: UInt16 = 372
  }

  enum FileID {
    static let type: UInt8 = 0
    static let manufacturer: UInt8 = 1
    static let product: UInt8 = 2
    static let serialNumber: UInt8 = 3
    static let timeCreated: UInt8 = 4
    static let productName: UInt8 = 8
    /// Of `type`.
    static let activity: UInt64 = 4
  }

  enum DeviceInfo {
    static let deviceIndex: UInt8 = 0
    static let deviceType: UInt8 = 1
    static let manufacturer: UInt8 = 2
    static let serialNumber: UInt8 = 3
    static let product: UInt8 = 4
    static let batteryStatus: UInt8 = 11
    static let descriptor: UInt8 = 19
    static let sourceType: UInt8 = 25
    static let productName: UInt8 = 27
    static let batteryLevel: UInt8 = 32
    /// Of `sourceType`, by which `deviceType` is read.
    static let antPlus: UInt64 = 1
    static let bluetoothLowEnergy: UInt64 = 3
    static let local: UInt64 = 5
    /// Of `deviceType`, for a device on ANT+ and for one on Bluetooth LE.
    static let heartRateOfANTPlus: UInt64 = 120
    static let heartRateOfBluetooth: UInt64 = 1
  }

  enum Event {
    static let event: UInt8 = 0
    static let eventType: UInt8 = 1
    static let data: UInt8 = 3
    static let eventGroup: UInt8 = 4
    /// Of `event`.
    static let timer: UInt64 = 0
    static let session: UInt64 = 8
    static let lap: UInt64 = 9
    static let activity: UInt64 = 26
    static let userMarker: UInt64 = 32
    static let communicationTimeout: UInt64 = 47
    /// Of `eventType`.
    static let start: UInt64 = 0
    static let stop: UInt64 = 1
    static let marker: UInt64 = 3
    static let stopAll: UInt64 = 4
    static let stopDisable: UInt64 = 8
    static let stopDisableAll: UInt64 = 9
    /// Of `data` of a communication timeout.
    static let connectionLost: UInt64 = 2
  }

  enum Record {
    static let heartRate: UInt8 = 3
  }

  enum HRV {
    static let time: UInt8 = 0
    /// As many as devices write into one message.
    static let most = 5
  }

  enum Lap {
    static let event: UInt8 = 0
    static let eventType: UInt8 = 1
    static let startTime: UInt8 = 2
    static let totalElapsedTime: UInt8 = 7
    static let totalTimerTime: UInt8 = 8
    static let totalCalories: UInt8 = 11
    static let averageHeartRate: UInt8 = 15
    static let maximumHeartRate: UInt8 = 16
    static let trigger: UInt8 = 24
    static let sport: UInt8 = 25
    static let subSport: UInt8 = 39
    static let minimumHeartRate: UInt8 = 63
    /// Of `trigger`.
    static let manual: UInt64 = 0
    static let sessionEnd: UInt64 = 7
  }

  enum Session {
    static let event: UInt8 = 0
    static let eventType: UInt8 = 1
    static let startTime: UInt8 = 2
    static let sport: UInt8 = 5
    static let subSport: UInt8 = 6
    static let totalElapsedTime: UInt8 = 7
    static let totalTimerTime: UInt8 = 8
    static let totalCalories: UInt8 = 11
    static let averageHeartRate: UInt8 = 16
    static let maximumHeartRate: UInt8 = 17
    static let firstLapIndex: UInt8 = 25
    static let lapCount: UInt8 = 26
    static let trigger: UInt8 = 28
    static let minimumHeartRate: UInt8 = 64
    /// Of `trigger`.
    static let activityEnd: UInt64 = 0
    static let manual: UInt64 = 1
  }

  enum Activity {
    static let totalTimerTime: UInt8 = 0
    static let sessionCount: UInt8 = 1
    static let type: UInt8 = 2
    static let event: UInt8 = 3
    static let eventType: UInt8 = 4
    static let localTimestamp: UInt8 = 5
    /// Of `type`.
    static let manual: UInt64 = 0
    static let multisport: UInt64 = 1
  }

  enum TimeInZone {
    static let referenceMessage: UInt8 = 0
    static let referenceIndex: UInt8 = 1
    static let timeInHeartRateZone: UInt8 = 2
    static let highBoundaries: UInt8 = 6
    static let calculation: UInt8 = 10
    /// Of `calculation`.
    static let custom: UInt64 = 0
  }

  enum HeartRate {
    static let fractionalTimestamp: UInt8 = 0
    static let filteredRate: UInt8 = 6
    static let eventTimestamp: UInt8 = 9
    static let eventTimestamp12: UInt8 = 10
  }

  enum Beats {
    static let timestampMilliseconds: UInt8 = 0
    static let time: UInt8 = 1
  }

  enum Sport {
    static let sport: UInt8 = 0
    static let subSport: UInt8 = 1
  }

  enum Workout {
    static let name: UInt8 = 8
  }

  enum DeveloperData {
    static let applicationID: UInt8 = 1
    static let developerIndex: UInt8 = 3
    static let applicationVersion: UInt8 = 4
  }

  enum FieldDescription {
    static let developerIndex: UInt8 = 0
    static let number: UInt8 = 1
    static let baseType: UInt8 = 2
    static let name: UInt8 = 3
    static let units: UInt8 = 8
    static let message: UInt8 = 14
    static let field: UInt8 = 15
  }
}

extension FITProfile {
  /// The whole seconds since FIT's epoch at a time, rounded down; nil where FIT cannot tell of it.
  static func timestamp(_ time: WallTime) -> UInt32? {
    let span = (time - epoch).components
    let seconds = span.attoseconds < 0 ? span.seconds - 1 : span.seconds
    guard let stamp = UInt32(exactly: seconds), (firstDate...lastDate).contains(stamp) else { return nil }
    return stamp
  }

  static func time(_ timestamp: UInt32) -> WallTime {
    epoch + .seconds(Int64(timestamp))
  }
}
