import Control

/// How it stands with a strap whose workouts begin by themselves, for people.
enum UnattendedText {
  static func words(_ unattended: JSON, _ style: TextStyle) -> String {
    let isDryRun = unattended["dryRun"]?.asBool == true
    return (isDryRun ? "unattended (dry run): " : "unattended: ") + phase(unattended, style)
  }

  /// As who uses a strap that nobody else does.
  static func user(_ strap: JSON) -> String? {
    strap["unattended"].map { $0["dryRun"]?.asBool == true ? "unattended, dry run" : "unattended" }
  }

  private static func phase(_ unattended: JSON, _ style: TextStyle) -> String {
    let start = seconds(unattended, "startSeconds")
    switch unattended.text("phase") {
    case "off": return "a workout begins when it has been worn for \(start)"
    case "worn": return "worn, and a workout begins when that has lasted for \(start)"
    case "busy": return "a session uses it"
    case "done":
      return
        "its session was ended, and a workout begins when the strap was taken off and has been worn for \(start)"
    case "wouldRun": return "a workout would run since \(style.dateAndTime(unattended.text("sinceDate")) ?? "?")"
    default: return unattended.text.printable
    }
  }

  private static func seconds(_ unattended: JSON, _ name: String) -> String {
    unattended.real(name).map { "\($0 == $0.rounded() ? String(tenths($0).dropLast(2)) : tenths($0)) s" } ?? "?"
  }
}
