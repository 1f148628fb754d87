import Testing

@testable import Measurements

struct HeartRateMeasurementTests {
  @Test func thereAreSixtyFiveVectorsAndTheyDiffer() {
    #expect(HeartRateVector.all.count == 65)
    #expect(Set(HeartRateVector.all.map(\.hex)).count == 65)
    #expect(HeartRateVector.all.allSatisfy { Hex.text($0.payload) == $0.hex })
    #expect(HeartRateVector.all.filter { !$0.valid }.count == 7)
  }

  @Test(arguments: HeartRateVector.all)
  func everyFieldOfAVector(_ vector: HeartRateVector) throws {
    switch Outcome(vector.payload) {
    case .value(let value):
      #expect(vector.valid)
      #expect(value.heartRate == vector.hr)
      #expect(value.contact == vector.expectedContact)
      #expect(value.energyKilojoules == vector.energyKj)
      #expect(value.rrIntervals.map(\.ticks1024) == vector.rr1024)
      #expect(value.warnings == vector.expectedWarnings)
      #expect(value.trailingOctets == vector.expectedTrailingOctets)
    case .error(let error):
      #expect(!vector.valid)
      #expect(error.payload == vector.payload)
      switch vector.errors {
      case ["truncated_hr"]:
        #expect(error.reason == (vector.payload.count == 1 ? .flagsOnly : .heartRateCutShort))
      case ["truncated_energy"]: #expect(error.reason == .energyCutShort)
      default: Issue.record("the vector has errors of a new kind: \(vector.errors)")
      }
    }
  }

  /// What a prefix must give is told from the fields that the vector lists, without looking at its octets again.
  @Test(arguments: HeartRateVector.all)
  func everyPrefixOfAVector(_ vector: HeartRateVector) {
    let rateEnd = 1 + vector.hrFormat / 8
    let hasEnergy = vector.energyKj != nil || vector.errors == ["truncated_energy"]
    let energyEnd = rateEnd + (hasEnergy ? 2 : 0)
    let announcesRR = !vector.rr1024.isEmpty || vector.warnings.contains("rr_flag_but_no_rr")
    for length in 0..<vector.payload.count {
      let prefix = Array(vector.payload.prefix(length))
      let outcome = Outcome(prefix)
      let reason: HeartRateMeasurementError.Reason? =
        switch length {
        case 0: .empty
        case 1: .flagsOnly
        case ..<rateEnd: .heartRateCutShort
        case ..<energyEnd where hasEnergy: .energyCutShort
        default: nil
        }
      switch outcome {
      case .error(let error):
        #expect(error.reason == reason, "prefix of \(length)")
        #expect(error.payload == prefix)
      case .value(let value):
        #expect(reason == nil, "prefix of \(length)")
        let left = length - energyEnd
        let intervals = announcesRR ? Array(vector.rr1024.prefix(left / 2)) : []
        #expect(value.heartRate == vector.hr)
        #expect(value.contact == vector.expectedContact)
        #expect(value.energyKilojoules == vector.energyKj)
        #expect(value.rrIntervals.map(\.ticks1024) == intervals)
        #expect(value.trailingOctets == (announcesRR ? left % 2 : left))

        let lasting: HeartRateMeasurementWarnings = [
          .heartRateZero, .energySaturated, .reservedFlagBits, .contactBitWithoutSupport,
        ]
        var warnings = vector.expectedWarnings.intersection(lasting)
        if announcesRR && intervals.isEmpty { warnings.insert(.rrFlagWithoutRR) }
        if announcesRR && left % 2 == 1 { warnings.insert(.oddRROctet) }
        if !announcesRR && left > 0 { warnings.insert(.trailingOctets) }
        if intervals.contains(0) { warnings.insert(.rrZero) }
        #expect(value.warnings == warnings, "prefix of \(length)")
      }
    }
  }

  @Test func seededOctetsAreReadAsASecondDecoderReadsThem() {
    var random = SeededRandom(seed: 1)
    var (values, errors) = (0, 0)
    for _ in 0..<20_000 {
      let payload = random.octets(Int.random(in: 0...24, using: &random))
      let outcome = Outcome(payload)
      guard outcome == reference(payload) else {
        Issue.record("\(Hex.text(payload)) is read as \(outcome)")
        return
      }
      switch outcome {
      case .value: values += 1
      case .error: errors += 1
      }
    }
    #expect(values > 10_000)
    #expect(errors > 500)
  }

  @Test func seededMeasurementsComeBack() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<5000 {
      let rate = UInt16.random(in: 1...UInt16.max, using: &random)
      let isWide = rate > 255 || Bool.random(using: &random)
      let contact = try #require(SensorContact.allCases.randomElement(using: &random))
      let energy = Bool.random(using: &random) ? UInt16.random(in: 0..<UInt16.max, using: &random) : nil
      // Up to 300: a larger MTU carries more than the nine of the smallest.
      let intervals = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        UInt16.random(in: 1...UInt16.max, using: &random)
      }

      var payload: [UInt8] = [isWide ? 1 : 0]
      switch contact {
      case .detected: payload[0] += 6
      case .notDetected: payload[0] += 4
      case .unknown: break
      }
      if energy != nil { payload[0] += 8 }
      if !intervals.isEmpty { payload[0] += 16 }
      payload.append(UInt8(rate % 256))
      if isWide { payload.append(UInt8(rate / 256)) }
      for field in [energy].compactMap({ $0 }) + intervals { payload += [UInt8(field % 256), UInt8(field / 256)] }

      let value = try HeartRateMeasurement(payload)
      #expect(value.heartRate == rate)
      #expect(value.contact == contact)
      #expect(value.energyKilojoules == energy)
      #expect(value.rrIntervals.map(\.ticks1024) == intervals)
      #expect(value.warnings.isEmpty)
      #expect(value.trailingOctets == 0)
    }
  }

  @Test func anErrorSaysWhatIsWrongWithWhichPayload() {
    let texts = [[], [0x10], [0x01, 0x48], [0x08, 0x3C, 0x01]].map { (payload: [UInt8]) in
      switch Outcome(payload) {
      case .error(let error): error.description
      case .value: "no error"
      }
    }
    #expect(
      texts == [
        "heart rate measurement [] is empty",
        "heart rate measurement [10] ends after the flags",
        "heart rate measurement [0148] ends inside the heart rate",
        "heart rate measurement [083c01] ends inside the energy field",
      ])
  }

  @Test func warningsHaveTheirNamesInTheOrderOfTheirBits() throws {
    #expect(HeartRateMeasurementWarnings().names == [])
    #expect(
      HeartRateMeasurementWarnings(rawValue: .max).names == [
        "oddRROctet", "rrFlagWithoutRR", "trailingOctets", "rrZero", "contactBitWithoutSupport", "reservedFlagBits",
        "heartRateZero", "energySaturated", "shortInterval", "unsteady",
      ])
    #expect(
      try HeartRateMeasurement([0xF2, 0, 0, 0, 1]).names == [
        "oddRROctet", "rrZero", "contactBitWithoutSupport", "reservedFlagBits", "heartRateZero",
      ])
    // The raw value is kept in the store: it must not move.
    #expect(HeartRateMeasurementWarnings.energySaturated.rawValue == 128)
    #expect(HeartRateMeasurementWarnings.oddRROctet.rawValue == 1)
  }
}

extension HeartRateMeasurement {
  fileprivate var names: [String] { warnings.names }
}

/// What decoding a payload gives.
enum Outcome: Equatable {
  case value(HeartRateMeasurement)
  case error(HeartRateMeasurementError)

  init(_ payload: [UInt8]) {
    do throws(HeartRateMeasurementError) {
      self = .value(try HeartRateMeasurement(payload))
    } catch {
      self = .error(error)
    }
  }
}

/// A second decoder, written another way: it eats the payload from the front.
private func reference(_ payload: [UInt8]) -> Outcome {
  var rest = payload[...]
  func error(_ reason: HeartRateMeasurementError.Reason) -> Outcome { .error(.init(reason, payload)) }
  func number(_ octets: Int) -> Int? {
    guard rest.count >= octets else { return nil }
    defer { rest = rest.dropFirst(octets) }
    return rest.prefix(octets).reversed().reduce(0) { $0 * 256 + Int($1) }
  }
  guard let flags = number(1) else { return error(.empty) }
  if rest.isEmpty { return error(.flagsOnly) }
  guard let rate = number(flags % 2 == 1 ? 2 : 1) else { return error(.heartRateCutShort) }
  var energy: Int?
  if flags / 8 % 2 == 1 {
    guard let read = number(2) else { return error(.energyCutShort) }
    energy = read
  }
  var intervals: [Int] = []
  if flags / 16 % 2 == 1 { while let interval = number(2) { intervals.append(interval) } }

  // A skeleton that decodes without any oddity, filled in field by field.
  guard case .value(var expected) = Outcome([0, 60]) else { return error(.empty) }
  expected.heartRate = UInt16(rate)
  expected.contact = [.unknown, .unknown, .notDetected, .detected][flags / 2 % 4]
  expected.energyKilojoules = energy.map { UInt16($0) }
  expected.rrIntervals = intervals.map { RRInterval(ticks1024: UInt16($0)) }
  expected.trailingOctets = rest.count
  let oddities: [(Bool, HeartRateMeasurementWarnings)] = [
    (flags / 16 % 2 == 1 && !rest.isEmpty, .oddRROctet), (flags / 16 % 2 == 1 && intervals.isEmpty, .rrFlagWithoutRR),
    (flags / 16 % 2 == 0 && !rest.isEmpty, .trailingOctets), (intervals.contains(0), .rrZero),
    (flags / 2 % 4 == 1, .contactBitWithoutSupport), (flags >= 32, .reservedFlagBits), (rate == 0, .heartRateZero),
    (energy == 65535, .energySaturated),
  ]
  expected.warnings = oddities.reduce(into: []) { if $1.0 { $0.insert($1.1) } }
  return .value(expected)
}
