import Control

/// Of everything that a Watch tells, what concerns the straps that it monitors.
struct MonitorFilter {
  /// Without it everything passes.
  let isOn: Bool
  private(set) var straps: Set<String> = []

  init(isOn: Bool) {
    self.isOn = isOn
  }

  /// Whether a message is to be shown; it remembers the straps that are named as monitored.
  mutating func takes(_ event: JSON) -> Bool {
    guard isOn else { return true }
    switch event.text("kind") {
    case "snapshot": return false
    case "monitoring":
      if let strap = event.text("strap") { straps.insert(strap) }
      return true
    default: return event.text("strap").map(straps.contains) ?? false
    }
  }
}
