import Measurements
import Workout

/// A known strap as clients see it, connected or not.
public struct KnownStrapSnapshot: Hashable, Sendable {
  /// What the store keeps of it.
  public var record: StrapRecord
  /// What it is called: by the configuration, else by a person.
  public var name: StrapName?
  public var athlete: AthleteName?
  /// Whether straps of its kind are known to send a wrong battery level.
  public var isBatteryUnreliable = false
  /// In dBm, while a scan hears it.
  public var rssi: Int16?
  public var isConnected = false
  /// nil while bluetoothd cannot be asked.
  public var isBonded: Bool?
  /// Where the link stands, by the names of the link machine.
  public var link: String
  /// The session that uses it.
  public var session: SessionID?
  /// How many clients hold its link without a session.
  public var clients = 0
  /// The file that has a section for it.
  public var configurationFile: String?
  /// The adapter by which the configuration wants it reached; nil leaves that to the daemon.
  public var adapter: StrapAddress?
  /// Where its workouts begin by themselves.
  public var unattended: UnattendedSnapshot?

  public init(_ record: StrapRecord, link: String) {
    self.record = record
    self.link = link
  }

  public var json: JSON {
    .object([
      "address": .string(record.address.description),
      "name": name.map { .string($0.description) },
      "deviceName": record.deviceName.map(JSON.string),
      "athlete": athlete.map { .string($0.description) },
      "manufacturer": record.manufacturer.map(JSON.string),
      "model": record.model.map(JSON.string),
      "firmwareRevision": record.firmware.map(JSON.string),
      "serial": record.serial.map(JSON.string),
      "batteryPercent": record.battery.map { .integer(Int64($0.percent)) },
      "batteryUnreliable": record.battery != nil && isBatteryUnreliable ? .bool(true) : nil,
      "rssi": rssi.map { .integer(Int64($0)) },
      "connected": .bool(isConnected),
      "bonded": isBonded.map(JSON.bool),
      "link": .string(link),
      "session": session.map { .string($0.description) },
      "clients": .integer(Int64(clients)),
      "lastSeenDate": record.lastSeen.map { .string($0.rfc3339) },
      "configurationFile": configurationFile.map(JSON.string),
      "adapter": adapter.map { .string($0.description) },
      "unattended": unattended?.json,
    ])
  }
}

/// What was forgotten with a strap.
public struct ForgottenStrap: Hashable, Sendable {
  public var strap: StrapAddress
  /// Whether there was a bond, which is no more; nil where bluetoothd could not be asked.
  public var isBondRemoved: Bool?
  /// The file whose section for the strap still stands.
  public var configurationFile: String?

  public init(_ strap: StrapAddress, isBondRemoved: Bool?, configurationFile: String?) {
    self.strap = strap
    self.isBondRemoved = isBondRemoved
    self.configurationFile = configurationFile
  }

  var json: JSON {
    .object([
      "strap": .string(strap.description), "bondRemoved": isBondRemoved.map(JSON.bool),
      "configurationFile": configurationFile.map(JSON.string),
    ])
  }
}
