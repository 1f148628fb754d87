/// Makers of heart-rate straps by the profile's numbers (type manufacturer), and by what their straps call themselves.
enum FITManufacturers {
  /// What anybody uses who has no number.
  static let development: UInt64 = 255

  /// The number of a maker by the name that a strap gives; nil where the profile has none.
  static func number(of name: String) -> UInt64? {
    let plain = plain(name)
    return known.first { plain.starts(with: Self.plain($0.beginning)) }?.number
  }

  /// A maker's name; nil for a number that is not listed here.
  static func name(of number: UInt64) -> String? {
    known.first { $0.number == number }?.name
  }

  private struct Maker {
    var number: UInt64
    var name: String
    var beginning: String

    init(_ number: UInt64, _ name: String, _ beginning: String? = nil) {
      self.number = number
      self.name = name
      self.beginning = beginning ?? name
    }
  }

  private static let known: [Maker] = [
    Maker(1, "Garmin"), Maker(3, "Zephyr"), Maker(15, "Dynastream"), Maker(16, "Timex"), Maker(19, "Beurer"),
    Maker(20, "CardioSport"), Maker(23, "Suunto"), Maker(32, "Wahoo Fitness", "Wahoo"),
    Maker(51, "4iiii Innovations", "4iiii"), Maker(58, "Alatech Technology", "Alatech"),
    Maker(59, "Mio Technology", "Mio"), Maker(61, "Geonaute"), Maker(68, "CatEye"),
    Maker(69, "Stages Cycling", "Stages"),
    Maker(70, "SIGMA SPORT", "Sigma"), Maker(71, "TomTom"), Maker(81, "Bontrager"), Maker(83, "Scosche"),
    Maker(107, "Magene"), Maker(115, "iGPSPORT"), Maker(123, "Polar Electro Oy", "Polar"), Maker(131, "Chileaf"),
    Maker(132, "CYCPLUS"), Maker(135, "CooSpo"), Maker(138, "KYTO"), Maker(147, "Meilan"), Maker(148, "EZON"),
    Maker(150, "MYZONE"), Maker(258, "Lezyne"), Maker(267, "Bryton"), Maker(289, "Hammerhead"), Maker(294, "COROS"),
    Maker(305, "WHOOP"), Maker(310, "Decathlon"), Maker(348, "Huawei"),
  ]

  /// Letters and digits, the letters small: makers write their own names in several ways.
  private static func plain(_ name: String) -> [UInt8] {
    name.utf8.compactMap { octet in
      switch octet {
      case 0x41...0x5A: octet + 0x20
      case 0x30...0x39, 0x61...0x7A: octet
      default: nil
      }
    }
  }
}
