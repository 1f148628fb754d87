import Control
import Glibc

/// Looks at everything that recording needs, and says what is wrong and what to do.
struct Doctor {
  let examination: Examination
  let output: Output
  let isJSON: Bool
  private let style: TextStyle

  /// - Parameter socket: strapd's.
  init(socket: String, _ output: Output, _ style: TextStyle, isJSON: Bool) {
    var examination = Examination(socket: socket)
    if let folder = getenv("STATE_DIRECTORY").map({ String(cString: $0) }), !folder.isEmpty {
      examination.stateFolder = folder
    }
    self.examination = examination
    self.output = output
    self.isJSON = isJSON
    self.style = style
  }

  /// - Returns: whether nothing prevents recording.
  func run() throws(OutputError) -> Bool {
    let findings = Diagnosis(examination.facts(), socket: examination.socket, style).findings
    if isJSON {
      for finding in findings { try output.line(finding.json.text) }
    } else {
      try output.line(Self.lines(findings).joined(separator: "\n"))
    }
    return !findings.preventRecording
  }

  /// The findings for people.
  static func lines(_ findings: [Finding]) -> [String] {
    let width = Finding.Severity.allCases.map(\.rawValue.count).max() ?? 0
    let lines = findings.flatMap { finding -> [String] in
      let name = finding.severity.rawValue
      let padding = String(repeating: " ", count: width - name.count + 2)
      let advice = finding.advice.map { [String(repeating: " ", count: width + 2) + "what to do: \($0)"] }
      return ["\(name)\(padding)\(finding.text)"] + (advice ?? [])
    }
    let count = findings.count { $0.severity == .problem }
    let verdict =
      switch count {
      case 0: "Nothing prevents recording."
      case 1: "1 problem prevents recording."
      default: "\(count) problems prevent recording."
      }
    return lines + ["", verdict]
  }
}
