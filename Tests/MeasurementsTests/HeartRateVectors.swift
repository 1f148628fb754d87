import Foundation
import Measurements
import Testing

/// One line of heart-rate-measurement.jsonl: a payload and what is to be read from it.
struct HeartRateVector: Decodable, Sendable, CustomTestStringConvertible {
  var hex: String
  var hr: UInt16?
  var hrFormat: Int
  var contactSupported: Bool
  var contact: Bool?
  var energyKj: UInt16?
  var rr1024: [UInt16]
  var valid: Bool
  var errors: [String]
  var warnings: [String]

  static let all: [HeartRateVector] = {
    guard let file = Bundle.module.url(forResource: "heart-rate-measurement", withExtension: "jsonl"),
      let data = try? Data(contentsOf: file)
    else { return [] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { path in
      let words = (path.last?.stringValue ?? "").split(separator: "_")
      return Key(stringValue: words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized })
    }
    // A line that cannot be read is missing from the count, which a test holds at 65.
    return data.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(Self.self, from: Data($0)) }
  }()

  var payload: [UInt8] { Hex.bytes(hex) ?? [] }

  var expectedContact: SensorContact {
    contactSupported ? (contact == true ? .detected : .notDetected) : .unknown
  }

  var expectedWarnings: HeartRateMeasurementWarnings {
    var all: HeartRateMeasurementWarnings = []
    for warning in warnings {
      switch warning {
      case "odd_rr_byte": all.insert(.oddRROctet)
      case "rr_flag_but_no_rr": all.insert(.rrFlagWithoutRR)
      case "rr_zero": all.insert(.rrZero)
      case "contact_bit_without_support": all.insert(.contactBitWithoutSupport)
      case "reserved_flag_bits": all.insert(.reservedFlagBits)
      case "hr_zero": all.insert(.heartRateZero)
      case "energy_saturated": all.insert(.energySaturated)
      case let warning where warning.hasPrefix("trailing_octets:"): all.insert(.trailingOctets)
      default: fatalError("the vectors have a warning of a new kind: \(warning)")
      }
    }
    return all
  }

  var expectedTrailingOctets: Int {
    if warnings.contains("odd_rr_byte") { return 1 }
    return warnings.lazy.compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }.first ?? 0
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var testDescription: String { hex }
}
