import Control
import Measurements
import Workout

/// Which events are to be printed, and how.
struct WatchWish: Equatable {
  /// All of them where there are none here; the straps by their addresses or names, which the daemon knows.
  var sessions: [SessionID] = []
  var straps: [String] = []
  var kinds: [EventKind] = []
  /// What came behind this sequence number is wanted too.
  var since: Int64?
  var rate: WatchRate?
  var isCSV = false

  /// What the call says of it.
  var parameters: JSON {
    .object([
      "sessions": Self.list(sessions.map(\.description)), "ofStraps": Self.list(straps),
      "kinds": Self.list(kinds.map(\.rawValue)), "since": since.map(JSON.integer),
      "rate": rate.map { .string($0.rawValue) },
    ])
  }

  private static func list(_ texts: [String]) -> JSON? {
    texts.isEmpty ? nil : .array(texts.map(JSON.string))
  }
}

/// The words of `strapctl watch`.
struct WatchWords {
  let values: [Option: String]
  let switches: Set<Option>
  let isJSON: Bool

  /// How the rates are typed.
  static let rates: [(word: String, rate: WatchRate)] = [
    ("every", .every), ("1s", .second), ("5s", .fiveSeconds), ("change", .change),
  ]

  /// - Parameter strap: reads a strap's address or name.
  func wish(_ strap: (String) throws(UsageError) -> String) throws(UsageError) -> WatchWish {
    var wish = WatchWish(isCSV: switches.contains(.csv))
    if wish.isCSV, isJSON { throw UsageError("either --csv or --json") }
    for text in try list(.session) {
      guard let id = SessionID(text) else {
        throw UsageError("'\(text)' is no id; one looks like 9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f")
      }
      wish.sessions.append(id)
    }
    for text in try list(.strap) { wish.straps.append(try strap(text)) }
    for text in try list(.kind) {
      guard let kind = EventKind(rawValue: text) else {
        let kinds = EventKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("'\(text)' is no kind of event; there are \(kinds)")
      }
      wish.kinds.append(kind)
    }
    if let text = values[.since] {
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let since = Int64(text) else {
        throw UsageError("'\(text)' is no sequence number; 'strapctl watch --json' shows each event's")
      }
      wish.since = since
    }
    if let text = values[.rate] {
      guard let rate = Self.rates.first(where: { $0.word == text }) else {
        let words = Self.rates.map(\.word).joined(separator: ", ")
        throw UsageError("'\(text)' is no rate; there are \(words)")
      }
      wish.rate = rate.rate
    }
    return wish
  }

  /// What stands behind an option, separated by commas.
  private func list(_ option: Option) throws(UsageError) -> [String] {
    guard let text = values[option] else { return [] }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if parts.contains("") { throw UsageError("--\(option.name) needs a value, or several with commas between") }
    return parts
  }
}
