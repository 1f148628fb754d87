import Foundation
import Testing

@testable import ActivityFiles

/// The order and number of elements as TrainingCenterDatabasev2.xsd has them, of those that are written.
@Suite struct TCXSchemaTests {
  /// Children in their order: "?" at most once, "*" any number, "+" once at least.
  static let sequences: [String: [String]] = [
    "TrainingCenterDatabase": ["Folders?", "Activities?", "Workouts?", "Courses?", "Author?", "Extensions?"],
    "Activities": ["Activity*", "MultiSportSession*"],
    "Activity": ["Id", "Lap+", "Notes?", "Training?", "Creator?", "Extensions?"],
    "Lap": [
      "TotalTimeSeconds", "DistanceMeters", "MaximumSpeed?", "Calories", "AverageHeartRateBpm?",
      "MaximumHeartRateBpm?", "Intensity", "Cadence?", "TriggerMethod", "Track*", "Notes?", "Extensions?",
    ],
    "Track": ["Trackpoint+"],
    "Trackpoint": [
      "Time", "Position?", "AltitudeMeters?", "DistanceMeters?", "HeartRateBpm?", "Cadence?", "SensorState?",
      "Extensions?",
    ],
    "HeartRateBpm": ["Value"], "AverageHeartRateBpm": ["Value"], "MaximumHeartRateBpm": ["Value"],
    "Creator": ["Name", "UnitId", "ProductID", "Version"],
    // Any of another namespace; this is ours.
    "Extensions": ["WorkoutId?"],
    "Version": ["VersionMajor", "VersionMinor", "BuildMajor?", "BuildMinor?"],
  ]

  /// What a list of children has against a sequence.
  static func complaint(_ children: [String], _ sequence: [String]) -> String? {
    var rest = children[...]
    for rule in sequence {
      let name = String(rule.prefix { !"?*+".contains($0) })
      let count = rest.prefix { $0 == name }.count
      rest = rest.dropFirst(count)
      switch rule.last {
      case "?": if count > 1 { return "\(count) \(name)" }
      case "*": break
      case "+": if count < 1 { return "no \(name)" }
      default: if count != 1 { return "\(count) \(name)" }
      }
    }
    return rest.first.map { "\($0) out of order" }
  }

  /// Every element's children, by the names of the elements.
  static func children(_ xml: String) -> [(String, [String])] {
    var open: [(String, [String])] = []
    var done: [(String, [String])] = []
    for part in xml.components(separatedBy: "<").dropFirst(2) {
      let tag = part.prefix { $0 != ">" }
      let name = String(tag.prefix { $0 != " " })
      if name.hasPrefix("/") {
        done.append(open.removeLast())
      } else {
        if !open.isEmpty { open[open.count - 1].1.append(name) }
        open.append((name, []))
      }
    }
    return done
  }

  @Test func theSchemaIsKept() {
    var count = 0
    for file in [TCXSamples.long(), TCXSamples.file(TCXSamples.assembly([], length: 0))] {
      for (name, children) in Self.children(String(decoding: file.tcx(), as: UTF8.self)) {
        let complaint = Self.complaint(children, Self.sequences[name] ?? [])
        #expect(complaint == nil, "\(name): \(complaint ?? "")")
        count += 1
      }
    }
    #expect(count > 3000)
  }

  @Test func theRulesFindWhatIsWrong() {
    #expect(
      Self.complaint(["Id", "Lap", "Creator", "Notes"], Self.sequences["Activity"] ?? []) == "Notes out of order")
    #expect(Self.complaint(["Id", "Notes"], Self.sequences["Activity"] ?? []) == "no Lap")
    #expect(Self.complaint([], Self.sequences["Track"] ?? []) == "no Trackpoint")
    #expect(Self.complaint(["Value", "Value"], ["Value"]) == "2 Value")
  }
}
