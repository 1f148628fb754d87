import Control

/// Lines of a name and a value, the values below each other.
struct Fields {
  private var rows: [(name: String, value: String)] = []

  /// A value that is not there leaves its line out.
  mutating func add(_ name: String, _ value: String?) {
    if let value { rows.append((name, value)) }
  }

  var lines: [String] {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { name, value in
      (name.padded(to: width) + "  " + value)
    }
  }
}

/// Lines of columns, the last one as long as it likes.
struct Table {
  /// One alignment for each column.
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var rows: [[String]]

  init(_ header: [(String, Alignment)]) {
    alignments = header.map(\.1)
    rows = [header.map(\.0)]
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        switch alignments[column] {
        case .left: column == row.count - 1 ? row[column] : row[column].padded(to: widths[column])
        case .right: String(repeating: " ", count: widths[column] - row[column].count) + row[column]
        }
      }.joined(separator: "  ")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

// MARK: - Values of the protocol, for people

extension JSON {
  /// A text that may be shown on a terminal.
  func text(_ name: String) -> String? { self[name]?.asString?.printable }

  func integer(_ name: String) -> Int64? { self[name]?.asInteger }

  func real(_ name: String) -> Double? { self[name]?.asReal }

  func list(_ name: String) -> [JSON] { self[name]?.asArray ?? [] }

  /// "0:31:04", whole seconds rounded down.
  func hours(_ name: String) -> String? { real(name).map(hoursText) }

  /// "71.4 bpm".
  func average(_ name: String) -> String? { real(name).map { "\(tenths($0)) bpm" } }
}

/// Seconds as h:mm:ss, rounded down; a day has 24:00:00.
func hoursText(_ seconds: Double) -> String {
  let whole = Int(exactly: max(0, seconds).rounded(.down)) ?? 0
  return "\(whole / 3600):\(padded(whole / 60 % 60, 2)):\(padded(whole % 60, 2))"
}

/// A number with one decimal, rounded.
func tenths(_ number: Double) -> String {
  guard let whole = Int64(exactly: (number * 10).rounded()) else { return "\(number)" }
  return "\(whole < 0 ? "-" : "")\(whole.magnitude / 10).\(whole.magnitude % 10)"
}
