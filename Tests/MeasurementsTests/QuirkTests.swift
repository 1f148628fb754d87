import Testing

@testable import Measurements

struct QuirkTests {
  private func information(_ manufacturer: String?, _ model: String?, _ firmware: String? = nil) -> DeviceInformation {
    var information = DeviceInformation()
    information.manufacturer = manufacturer
    information.model = model
    information.firmwareRevision = firmware
    return information
  }

  // MARK: The table

  @Test(
    arguments: [
      ("Garmin", "HRM-Dual", ["garmin-hrm-dual-short-interval"]),
      ("GARMIN LTD", "hrm-dual", ["garmin-hrm-dual-short-interval"]),
      ("Garmin", "HRM-Pro", []),
      ("Polar Electro Oy", "H7", ["polar-h7-connection-interval", "polar-off-skin-disconnect"]),
      ("Polar Electro Oy", "H10", ["polar-off-skin-disconnect", "polar-h10-changing-flags"]),
      ("Polar Electro Oy", "OH1", ["polar-optical-off-skin"]),
      ("Polar Electro Oy", "Polar Sense", ["polar-optical-off-skin"]),
      ("Polar Electro Oy", nil, []),
      ("Topeak", "PanoBike HRM", ["topeak-descriptor-read"]),
      ("Topeak", nil, ["topeak-descriptor-read"]),
      ("PINE64", "PineTime", ["infinitime-zero"]),
      ("WHOOP Inc.", "4.0", ["whoop-battery-constant"]),
      ("Simulated", "Simulated", []),
      (nil, "H7", []),
      (nil, nil, []),
    ] as [(String?, String?, [String])])
  func everyStrapHasItsQuirks(_ manufacturer: String?, _ model: String?, _ ids: [String]) {
    #expect(Quirk.all(of: information(manufacturer, model)).map(\.id) == ids)
  }

  @Test func everyEntrySaysWhatWasSeenAndWhere() {
    #expect(Set(Quirk.table.map(\.id)).count == Quirk.table.count)
    for quirk in Quirk.table {
      #expect(quirk.id.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }, "\(quirk.id)")
      #expect(!quirk.seen.isEmpty && !quirk.seen.hasSuffix("."), "\(quirk.id)")
      #expect(quirk.source.hasPrefix("https://") || quirk.source.hasPrefix("http://"), "\(quirk.id)")
    }
  }

  @Test func everyRemedyIsOfSomeUse() {
    #expect(Set(Quirk.table.map(\.remedy)) == Set(Quirk.Remedy.allCases))
  }

  // MARK: Patterns

  @Test(
    arguments: [
      (.exact("H7"), "H7", true), (.exact("H7"), "h7", true), (.exact("H7"), "H7 ", false), (.exact("H7"), "H", false),
      (.prefix("H7"), "H7 2", true), (.prefix("H7"), "XH7", false), (.prefix("H7"), nil, false),
      (.exact(""), nil, false), (.prefix(""), "", true),
    ] as [(Quirk.TextPattern, String?, Bool)])
  func textsAreExactOrBegin(_ pattern: Quirk.TextPattern, _ text: String?, _ matches: Bool) {
    #expect(pattern.matches(text) == matches)
  }

  @Test func firmwareMayBeARange() throws {
    let range = try #require(FirmwareVersion("1.2"))...(try #require(FirmwareVersion("2.0")))
    let pattern = Quirk.Pattern(.exact("A"), [.exact("B"), .exact("C")], firmware: range)
    let firmware: [(String?, Bool)] = [
      ("1.2", true), ("v1.10 build", true), ("2", true), ("2.0.0", true), ("1.1.9", false), ("2.0.1", false),
      ("none", false), (nil, false),
    ]
    for (text, matches) in firmware {
      #expect(pattern.matches(information("A", "C", text)) == matches, "\(text ?? "")")
    }
    #expect(!pattern.matches(information("A", "D", "1.5")))
    #expect(!pattern.matches(information("B", "B", "1.5")))
    #expect(Quirk.Pattern(.exact("A")).matches(information("A", nil)))
  }

  @Test(
    arguments: [
      ("1.4.0", "1.4"), ("V2.40", "2.40"), ("5.0.0 (build 7)", "5"), ("0", "0"), ("0.0.3", "0.0.3"), ("1..2", "1.2"),
      ("1.2.", "1.2"), ("rev 7b", "7"), ("", nil), ("none", nil), ("...", nil), ("99999999999999999999", nil),
      ("\u{0663}.1", "1"),
    ] as [(String, String?)])
  func firmwareVersionsAreRead(_ text: String, _ numbers: String?) {
    #expect(FirmwareVersion(text)?.description == numbers)
  }

  @Test func firmwareVersionsAreInTheOrderOfTheirNumbers() {
    let versions = ["0.9", "1", "1.0.1", "1.2", "1.10", "2.0", "10"].compactMap { FirmwareVersion($0) }
    #expect(versions.count == 7)
    #expect(versions == versions.sorted())
    #expect(FirmwareVersion("1.4") == FirmwareVersion("1.4.0"))
  }
}
