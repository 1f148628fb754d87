/// What straps of one kind do otherwise than a reader of the specification expects, and what is done about it.
///
/// It lives beside the codecs because all that is known of a kind of strap is its Device Information, and because the
/// link machine, the engine and the codec ask for it alike.
public struct Quirk: Hashable, Sendable {
  /// Its name, which stays: it goes on the wire.
  public var id: String
  /// The straps that have it.
  public var straps: Pattern
  /// What was seen, in one sentence for people.
  public var seen: String
  /// Where: the address of a public report.
  public var source: String
  public var remedy: Remedy

  /// What is done about it.
  public enum Remedy: String, Hashable, Sendable, CaseIterable {
    /// An interval that is no heart beat's goes into no count and no timeline; the octets keep it.
    case leavesOutShortIntervals
    /// The battery level is shown as one not to be relied on.
    case distrustsBattery
    /// The descriptor of the notifications is read before it is written, with the first try already.
    case readsDescriptorFirst
    /// A connection that ends about 30 s after it was made, again and again, is told with its reason.
    case explainsDropsByInterval
    /// A connection that ends while the skin is not touched is told with its reason.
    case explainsDropsByContact
    /// Values that jump as no heart does make the series unavailable.
    case distrustsJumps
    /// Nothing of its own: what is done for every strap is right for this one.
    case nothing
  }

  /// Which straps are meant, by their Device Information.
  public struct Pattern: Hashable, Sendable {
    public var manufacturer: TextPattern
    /// One of these; any model where there is none.
    public var models: [TextPattern]
    /// Any firmware where it is nil.
    public var firmware: ClosedRange<FirmwareVersion>?

    public init(
      _ manufacturer: TextPattern, _ models: [TextPattern] = [], firmware: ClosedRange<FirmwareVersion>? = nil
    ) {
      self.manufacturer = manufacturer
      self.models = models
      self.firmware = firmware
    }

    /// A strap that does not tell what is asked for is not meant.
    public func matches(_ information: DeviceInformation) -> Bool {
      guard manufacturer.matches(information.manufacturer) else { return false }
      guard models.isEmpty || models.contains(where: { $0.matches(information.model) }) else { return false }
      guard let firmware else { return true }
      return information.firmwareRevision.flatMap { FirmwareVersion($0) }.map(firmware.contains) ?? false
    }
  }

  /// A text to look for, in whichever case it is written.
  public enum TextPattern: Hashable, Sendable {
    case exact(String)
    case prefix(String)

    public func matches(_ text: String?) -> Bool {
      guard let text = text?.lowercased() else { return false }
      return switch self {
      case .exact(let wanted): text == wanted.lowercased()
      case .prefix(let wanted): text.hasPrefix(wanted.lowercased())
      }
    }
  }

  public init(_ id: String, _ straps: Pattern, _ remedy: Remedy, seen: String, source: String) {
    self.id = id
    self.straps = straps
    self.seen = seen
    self.source = source
    self.remedy = remedy
  }

  /// The quirks that a strap has, in the table's order; none while it has not told what it is.
  public static func all(of information: DeviceInformation) -> [Quirk] {
    table.filter { $0.straps.matches(information) }
  }
}

/// The numbers of a Firmware Revision such as "1.4.0", "V2.40" or "5.0.0 (build 7)", for ranges.
public struct FirmwareVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let numbers: [Int]

  /// Reads the first run of numbers with points between them; nil where there is none.
  public init?(_ text: String) {
    let run = text.drop { !Self.isDigit($0) }.prefix { Self.isDigit($0) || $0 == "." }
    var numbers: [Int] = []
    for part in run.split(separator: ".") {
      // Longer than any version: a date, a serial number.
      guard let number = Int(part) else { return nil }
      numbers.append(number)
    }
    guard !numbers.isEmpty else { return nil }
    // 1.4 and 1.4.0 are the same.
    while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  public var description: String { numbers.map(String.init).joined(separator: ".") }

  public static func < (a: FirmwareVersion, b: FirmwareVersion) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }

  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }
}
