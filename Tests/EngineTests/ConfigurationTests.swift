import Foundation
import Measurements
import Testing

@testable import Engine

struct ConfigurationTests {
  @Test func nothingMeansTheDefaults() throws {
    var defaults = Configuration()
    defaults.file = "f"
    #expect(try Configuration(parsing: "", file: "f") == defaults)
    #expect(try Configuration(parsing: "# a\n ; b\n\n\t\n", file: "f") == defaults)
  }

  @Test func everyKeyIsRead() throws {
    let text = """
      strap=f0:f1:F2:F3:F4:F5
      adapter = 00:aa:01:00:00:42
        power_adapter =  no\t
      sync_interval = 0.25
      stopped_limit = 90
      absence_limit = 0
      prepare_limit = 61
      pause_limit = 604800
      recovery_limit = 1.5
      unattended = dry-run
      unattended_start = 2.5
      unattended_absence = 86400
      unattended_activity = cycling
      unattended_location = indoor
      zones = 120, 140 160
      post_exercise = 30
      """
    let configuration = try Configuration(parsing: text, file: "f")
    #expect(configuration.strap == StrapAddress("F0:F1:F2:F3:F4:F5"))
    #expect(configuration.adapter == StrapAddress("00:AA:01:00:00:42"))
    #expect(configuration.powersAdapter == false)
    #expect(configuration.syncInterval == .milliseconds(250))
    #expect(configuration.limits.stopped == .seconds(90))
    #expect(configuration.limits.absence == nil)
    #expect(configuration.limits.prepare == .seconds(61))
    #expect(configuration.limits.pause == .seconds(604_800))
    #expect(configuration.limits.recovery == .milliseconds(1500))
    #expect(configuration.unattended.mode == .dryRun)
    #expect(configuration.unattended.start == .milliseconds(2500))
    #expect(configuration.unattended.absence == .seconds(86_400))
    #expect(configuration.unattended.activity == .cycling)
    #expect(configuration.unattended.location == .indoor)
    #expect(configuration.postExerciseLength == .seconds(30))
    #expect(configuration.zones?.bounds == [120, 140, 160])
    #expect(try Configuration(parsing: text.replacing("\n", with: "\r\n"), file: "f") == configuration)
  }

  /// Each key's default text means what the key is without being set.
  @Test func theDefaultsAreAllowedAndMeanTheSame() throws {
    let defaults = try Configuration(parsing: "", file: "f")
    #expect(defaults.changes(since: Configuration()) == [])
    for key in Configuration.keys {
      #expect(try Configuration(parsing: "\(key.name) = \(key.defaultText)", file: "f") == defaults)
    }
  }

  @Test(arguments: [
    ("colour = red", 1, "colour"), ("\n\nstrap = F0:F1", 3, "strap"), ("strap", 1, "strap"), ("= 3", 1, ""),
    ("adapter = hci0", 1, "adapter"), ("power_adapter = Yes", 1, "power_adapter"),
    ("power_adapter =", 1, "power_adapter"), ("compact = never", 1, "compact"),
    ("sync_interval = 0.09", 1, "sync_interval"), ("sync_interval = 3601", 1, "sync_interval"),
    ("sync_interval = nan", 1, "sync_interval"), ("sync_interval = 1e3", 1, "sync_interval"),
    ("sync_interval = -1", 1, "sync_interval"), ("stopped_limit = 0", 1, "stopped_limit"),
    ("hold_limit = 999", 1, "hold_limit"), ("hold_limit = 200001", 1, "hold_limit"),
    ("hold_limit = 1e4", 1, "hold_limit"),
    ("stopped_limit = 1.2.3", 1, "stopped_limit"), ("strap =\nstrap =", 2, "strap"),
    ("unattended = Yes", 1, "unattended"), ("unattended =", 1, "unattended"),
    ("unattended_start = 0", 1, "unattended_start"), ("unattended_start = 601", 1, "unattended_start"),
    ("unattended_absence = never", 1, "unattended_absence"), ("unattended_activity = jog", 1, "unattended_activity"),
    ("unattended_location = gym", 1, "unattended_location"),
    ("absence_limit = -1", 1, "absence_limit"), ("absence_limit = never", 1, "absence_limit"),
    ("absence_limit = 86401", 1, "absence_limit"), ("prepare_limit = 0", 1, "prepare_limit"),
    ("pause_limit = 0.5", 1, "pause_limit"), ("recovery_limit = 604801", 1, "recovery_limit"),
    ("post_exercise = 121", 1, "post_exercise"), ("zones = 120", 1, "zones"), ("zones = 140 120", 1, "zones"),
  ])
  func whatIsWrongIsNamed(text: String, line: Int, key: String) {
    do {
      _ = try Configuration(parsing: text, file: "strapd.conf")
      Issue.record("\(text) is taken")
    } catch {
      #expect(error.file == "strapd.conf")
      #expect(error.line == line)
      #expect(error.key == key)
      #expect(error.description.hasPrefix("strapd.conf, line \(line): \(key): "))
      if let known = Configuration.keys.first(where: { $0.name == key }), !error.problem.hasPrefix("already"),
        !error.problem.hasPrefix("expected")
      {
        #expect(error.problem.hasSuffix("allowed is \(known.allowed)"))
      }
    }
  }

  /// The file that is installed says nothing, and shows each key once with its default, in the order of `keys`.
  @Test func theInstalledFileListsEveryKeyWithItsDefault() throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let text = try String(contentsOfFile: "\(root)/config/strapd.conf", encoding: .utf8)
    #expect(try Configuration(parsing: text, file: "f") == Configuration(parsing: "", file: "f"))
    let lines = text.split(separator: "\n").map(String.init)
    let shown = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") && $0 != "#" }
    let expected = [Configuration.keys, StrapSection.keys].map { keys in
      keys.map { key in key.defaultText.isEmpty ? "#\(key.name) =" : "#\(key.name) = \(key.defaultText)" }
    }
    #expect(shown == expected[0] + ["#\(ConfigurationReader.header)"] + expected[1])
  }

  /// Those of the strap's own section, of a section of who wears it, of all.
  @Test func zonesOfAnAthlete() throws {
    let text = """
      zones = 100 150
      [strap F0:F1:F2:F3:F4:F5]
      athlete = Anna
      zones = 120 140 160
      [strap F0:F1:F2:F3:F4:F6]
      zones = 110 130
      """
    let configuration = try Configuration(parsing: text, file: "f")
    let straps = ["F0:F1:F2:F3:F4:F5", "F0:F1:F2:F3:F4:F6", "F0:F1:F2:F3:F4:F7"].compactMap { StrapAddress($0) }
    let anna = AthleteName("Anna")
    #expect(configuration.zones(ofSections: straps[0], anna)?.bounds == [120, 140, 160])
    #expect(configuration.zones(ofSections: straps[1], anna)?.bounds == [110, 130])
    #expect(configuration.zones(ofSections: straps[2], anna)?.bounds == [120, 140, 160], "with every strap")
    #expect(configuration.zones(ofSections: straps[2], AthleteName("Bert")) == nil)
    #expect(configuration.zones(ofSections: straps[2], nil) == nil)
    #expect(configuration.zones(ofSections: nil, nil) == nil)
    #expect(throws: ConfigurationError.self) {
      try Configuration(parsing: "[strap F0:F1:F2:F3:F4:F5]\nzones = 120 110", file: "f")
    }
  }
}
