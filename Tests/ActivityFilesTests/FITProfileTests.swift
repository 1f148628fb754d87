import Foundation
import Measurements
import Testing
import Workout

@testable import ActivityFiles

/// The numbers, by the vendor's own package, and a file that its encoder has made.
@Suite struct FITProfileTests {
  private struct Vendor: Decodable {
    struct Message: Decodable {
      var number: UInt16
      var fields: [String: UInt8]
    }

    var hex: String
    var messages: [String: Message]
    var types: [String: [String: UInt64]]

    static func told() throws -> Vendor {
      try JSONDecoder().decode(Vendor.self, from: Data(try PythonProgram.output("fit_vendor.py").utf8))
    }
  }

  @Test func messagesHaveTheVendorsNumbers() throws {
    let vendor = try Vendor.told()
    typealias Message = FITProfile.Message
    let numbers: [String: UInt16] = [
      "file_id": Message.fileID, "sport": Message.sport, "session": Message.session, "lap": Message.lap,
      "record": Message.record, "event": Message.event, "device_info": Message.deviceInfo, "workout": Message.workout,
      "activity": Message.activity, "file_creator": Message.fileCreator, "hrv": Message.hrv, "hr": Message.heartRate,
      "field_description": Message.fieldDescription, "developer_data_id": Message.developerDataID,
      "time_in_zone": Message.timeInZone, "beat_intervals": Message.beatIntervals, "raw_bbi": Message.rawBeats,
    ]
    #expect(vendor.messages.mapValues(\.number) == numbers)
  }

  /// By message: the vendor's name and our number.
  private static let fields: [String: [String: UInt8]] = [
    "file_id": [
      "type": FITProfile.FileID.type, "manufacturer": FITProfile.FileID.manufacturer,
      "product": FITProfile.FileID.product, "serial_number": FITProfile.FileID.serialNumber,
      "time_created": FITProfile.FileID.timeCreated, "product_name": FITProfile.FileID.productName,
    ],
    "device_info": [
      "device_index": FITProfile.DeviceInfo.deviceIndex, "device_type": FITProfile.DeviceInfo.deviceType,
      "manufacturer": FITProfile.DeviceInfo.manufacturer, "serial_number": FITProfile.DeviceInfo.serialNumber,
      "product": FITProfile.DeviceInfo.product, "battery_status": FITProfile.DeviceInfo.batteryStatus,
      "descriptor": FITProfile.DeviceInfo.descriptor, "source_type": FITProfile.DeviceInfo.sourceType,
      "product_name": FITProfile.DeviceInfo.productName, "battery_level": FITProfile.DeviceInfo.batteryLevel,
    ],
    "event": [
      "timestamp": FITProfile.timestamp, "event": FITProfile.Event.event, "event_type": FITProfile.Event.eventType,
      "data": FITProfile.Event.data, "event_group": FITProfile.Event.eventGroup,
    ],
    "record": ["timestamp": FITProfile.timestamp, "heart_rate": FITProfile.Record.heartRate],
    "hrv": ["time": FITProfile.HRV.time],
    "lap": [
      "message_index": FITProfile.messageIndex, "start_time": FITProfile.Lap.startTime,
      "total_elapsed_time": FITProfile.Lap.totalElapsedTime, "total_timer_time": FITProfile.Lap.totalTimerTime,
      "total_calories": FITProfile.Lap.totalCalories, "avg_heart_rate": FITProfile.Lap.averageHeartRate,
      "max_heart_rate": FITProfile.Lap.maximumHeartRate, "min_heart_rate": FITProfile.Lap.minimumHeartRate,
      "lap_trigger": FITProfile.Lap.trigger, "sport": FITProfile.Lap.sport, "sub_sport": FITProfile.Lap.subSport,
      "event": FITProfile.Lap.event, "event_type": FITProfile.Lap.eventType,
    ],
    "session": [
      "message_index": FITProfile.messageIndex, "start_time": FITProfile.Session.startTime,
      "total_elapsed_time": FITProfile.Session.totalElapsedTime, "total_timer_time": FITProfile.Session.totalTimerTime,
      "total_calories": FITProfile.Session.totalCalories, "avg_heart_rate": FITProfile.Session.averageHeartRate,
      "max_heart_rate": FITProfile.Session.maximumHeartRate, "min_heart_rate": FITProfile.Session.minimumHeartRate,
      "first_lap_index": FITProfile.Session.firstLapIndex, "num_laps": FITProfile.Session.lapCount,
      "trigger": FITProfile.Session.trigger, "sport": FITProfile.Session.sport,
      "sub_sport": FITProfile.Session.subSport, "event": FITProfile.Session.event,
      "event_type": FITProfile.Session.eventType,
    ],
    "activity": [
      "total_timer_time": FITProfile.Activity.totalTimerTime, "num_sessions": FITProfile.Activity.sessionCount,
      "type": FITProfile.Activity.type, "event": FITProfile.Activity.event,
      "event_type": FITProfile.Activity.eventType, "local_timestamp": FITProfile.Activity.localTimestamp,
    ],
    "time_in_zone": [
      "reference_mesg": FITProfile.TimeInZone.referenceMessage,
      "reference_index": FITProfile.TimeInZone.referenceIndex,
      "time_in_hr_zone": FITProfile.TimeInZone.timeInHeartRateZone,
      "hr_zone_high_boundary": FITProfile.TimeInZone.highBoundaries,
      "hr_calc_type": FITProfile.TimeInZone.calculation,
    ],
    "hr": [
      "fractional_timestamp": FITProfile.HeartRate.fractionalTimestamp,
      "filtered_bpm": FITProfile.HeartRate.filteredRate, "event_timestamp": FITProfile.HeartRate.eventTimestamp,
      "event_timestamp_12": FITProfile.HeartRate.eventTimestamp12,
    ],
    "beat_intervals": ["timestamp_ms": FITProfile.Beats.timestampMilliseconds, "time": FITProfile.Beats.time],
    "raw_bbi": ["timestamp_ms": FITProfile.Beats.timestampMilliseconds, "data": FITProfile.Beats.time],
    "sport": ["sport": FITProfile.Sport.sport, "sub_sport": FITProfile.Sport.subSport],
    "workout": ["wkt_name": FITProfile.Workout.name],
    "developer_data_id": [
      "application_id": FITProfile.DeveloperData.applicationID,
      "developer_data_index": FITProfile.DeveloperData.developerIndex,
      "application_version": FITProfile.DeveloperData.applicationVersion,
    ],
    "field_description": [
      "developer_data_index": FITProfile.FieldDescription.developerIndex,
      "field_definition_number": FITProfile.FieldDescription.number,
      "fit_base_type_id": FITProfile.FieldDescription.baseType, "field_name": FITProfile.FieldDescription.name,
      "units": FITProfile.FieldDescription.units,
    ],
  ]

  @Test func fieldsHaveTheVendorsNumbers() throws {
    let vendor = try Vendor.told()
    for (message, fields) in Self.fields {
      for (name, number) in fields {
        #expect(vendor.messages[message]?.fields[name] == number, "\(message).\(name)")
      }
    }
  }

  @Test func valuesHaveTheVendorsNumbers() throws {
    let types = try Vendor.told().types
    typealias Event = FITProfile.Event
    typealias Device = FITProfile.DeviceInfo
    let values: [String: [String: UInt64]] = [
      "event": [
        "timer": Event.timer, "session": Event.session, "lap": Event.lap, "activity": Event.activity,
        "comm_timeout": Event.communicationTimeout,
      ],
      "event_type": [
        "start": Event.start, "stop": Event.stop, "marker": Event.marker, "stop_all": Event.stopAll,
        "stop_disable": Event.stopDisable, "stop_disable_all": Event.stopDisableAll,
      ],
      "comm_timeout_type": ["connection_lost": Event.connectionLost],
      "source_type": [
        "antplus": Device.antPlus, "bluetooth_low_energy": Device.bluetoothLowEnergy, "local": Device.local,
      ],
      "ble_device_type": ["heart_rate": Device.heartRateOfBluetooth],
      "antplus_device_type": ["heart_rate": Device.heartRateOfANTPlus],
      "lap_trigger": ["manual": FITProfile.Lap.manual, "session_end": FITProfile.Lap.sessionEnd],
      "session_trigger": ["activity_end": FITProfile.Session.activityEnd],
      "activity": ["manual": FITProfile.Activity.manual],
      "hr_zone_calc": ["custom": FITProfile.TimeInZone.custom],
      "file": ["activity": FITProfile.FileID.activity],
      "manufacturer": ["development": FITManufacturers.development],
      "battery_status": ["good": 2, "ok": 3, "low": 4, "critical": 5, "unknown": 7],
      "fit_base_type": [
        "enum": 0, "sint8": 1, "uint8": 2, "string": 7, "uint8z": 10, "byte": 13, "sint16": 0x83, "uint16": 0x84,
        "sint32": 0x85, "uint32": 0x86, "float32": 0x88, "float64": 0x89, "uint16z": 0x8B, "uint32z": 0x8C,
        "sint64": 0x8E, "uint64": 0x8F, "uint64z": 0x90,
      ],
    ]
    for (type, names) in values {
      for (name, number) in names { #expect(types[type]?[name] == number, "\(type).\(name)") }
    }
    #expect(FITBaseType.allCases.count == types["fit_base_type"]?.count)
    #expect(Set(FITBaseType.allCases.map { UInt64($0.rawValue) }) == types["fit_base_type"].map { Set($0.values) })
  }

  @Test func makersAndSportsHaveTheVendorsNumbers() throws {
    let types = try Vendor.told().types
    let makers = [
      "polar_electro": "Polar Electro Oy", "garmin": "GARMIN", "wahoo_fitness": "Wahoo Fitness", "suunto": "Suunto",
      "coospo": "CooSpo", "magene": "magene", "scosche": "SCOSCHE", "4iiiis": "4iiii", "decathlon": "DECATHLON",
      "zephyr": "Zephyr Technology", "chileaf": "Chileaf", "coros": "COROS", "huawei": "HUAWEI", "kyto": "KYTO",
      "sigmasport": "SIGMA-ELEKTRO", "igpsport": "iGPSPORT", "cycplus": "CYCPLUS", "whoop": "Whoop",
    ]
    for (name, told) in makers {
      #expect(FITManufacturers.number(of: told) == types["manufacturer"]?[name], "\(name)")
    }
    let sports: [ActivityType: [String]] = [
      .running: ["running", "generic"], .cycling: ["cycling", "generic"], .swimming: ["swimming", "generic"],
      .rowing: ["rowing", "generic"], .yoga: ["training", "yoga"], .hiking: ["hiking", "generic"],
      .elliptical: ["fitness_equipment", "elliptical"], .crossCountrySkiing: ["cross_country_skiing", "generic"],
      .traditionalStrengthTraining: ["training", "strength_training"], .soccer: ["soccer", "generic"],
      .highIntensityIntervalTraining: ["hiit", "hiit"], .badminton: ["racket", "badminton"],
      .jumpRope: ["jump_rope", "generic"], .wheelchairRunPace: ["wheelchair_push_run", "generic"],
      .golf: ["golf", "generic"], .walking: ["walking", "generic"], .downhillSkiing: ["alpine_skiing", "generic"],
      .other: ["generic", "generic"], .boxing: ["boxing", "generic"], .pilates: ["training", "pilates"],
    ]
    for (activity, names) in sports {
      let sport = FITSport(activity, .unknown)
      #expect(UInt64(sport.sport) == types["sport"]?[names[0]], "\(activity)")
      #expect(UInt64(sport.subSport) == types["sub_sport"]?[names[1]], "\(activity)")
    }
  }

  @Test func whatTheVendorsEncoderMadeIsRead() throws {
    let octets = try #require(Hex.bytes(try Vendor.told().hex))
    #expect(ActivityFormat.isFIT(octets))
    let file = try #require(try WorkoutFile.workouts(fit: octets).first)
    #expect(file.workout.start.date.rfc3339 == "2026-06-10T04:26:40Z")
    #expect(file.workout.activity == .cycling)
    #expect(file.workout.location == .indoor)
    #expect(file.workout.title?.description == "Schwelle 4 × 4")
    #expect(file.workout.elapsed == .seconds(90))
    #expect(file.workout.wall == .seconds(120))
    #expect(file.workout.energyKilojoules == 418)
    #expect(file.workout.rrCount == 180)
    #expect(file.workout.laps.map(\.summary.elapsed) == [.seconds(60), .seconds(30)])
    #expect(file.workout.heartRate?.minimum == 100)
    #expect(file.workout.heartRate?.maximum == 139)
    #expect(file.device.information.manufacturer == "Suunto")
    #expect(file.device.information.model == "Smart Sensor")
    #expect(file.device.information.serial == "99")
    #expect(file.device.battery?.percent == 55)
    // Those of the last second of a stretch stand behind its last record: they go to where the timer stopped.
    #expect(file.samples.count == 92)
    #expect(file.samples[1].measurement.rrIntervals.map { Int($0.milliseconds.rounded()) } == [500, 501])
  }

  @Test func timestampsCountFromTheEndOf1989() {
    #expect(FITProfile.epoch.rfc3339 == "1989-12-31T00:00:00Z")
    // date -u -d @1631065600
    #expect(FITProfile.time(1_000_000_000).rfc3339 == "2021-09-08T01:46:40Z")
    #expect(FITProfile.timestamp(FITProfile.time(1_000_000_000) + .nanoseconds(-1)) == 999_999_999)
    #expect(FITProfile.timestamp(FITProfile.epoch) == nil)
    #expect(FITProfile.timestamp(FITProfile.time(FITProfile.firstDate)) == FITProfile.firstDate)
    #expect(FITProfile.timestamp(FITProfile.time(FITProfile.lastDate) + .seconds(1)) == nil)
  }
}
