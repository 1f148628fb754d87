import Control

/// Known straps for people.
enum KnownStrapText {
  /// A table, in the order of the list, those with names first.
  static func table(_ straps: [JSON], _ style: TextStyle) -> [String] {
    if straps.isEmpty { return ["no strap is known yet: 'strapctl scan' shows those that are near"] }
    var table = Table([
      ("name", .left), ("address", .left), ("model", .left), ("firmware", .left), ("battery", .right),
      ("signal", .right), ("bonded", .left), ("athlete", .left), ("last seen", .left), ("used by", .left),
    ])
    for strap in straps.filter({ $0.text("name") != nil }) + straps.filter({ $0.text("name") == nil }) {
      table.add([
        // In brackets what nobody has given.
        strap.text("name") ?? strap.text("deviceName").map { "(\($0))" } ?? "-", strap.text("address") ?? "?",
        model(strap) ?? "-", strap.text("firmwareRevision") ?? "-",
        battery(strap) ?? "-", strap.integer("rssi").map { "\($0) dBm" } ?? "-",
        strap["bonded"]?.asBool.map { $0 ? "yes" : "no" } ?? "?", strap.text("athlete") ?? "-",
        lastSeen(strap, style), user(strap),
      ])
    }
    return table.lines
  }

  /// What has become of a strap's name.
  static func named(_ strap: JSON) -> String {
    let address = strap.text("address") ?? "?"
    let name = strap.text("name").map { "\(address) is called '\($0)'" } ?? "\(address) has no name"
    return name + (strap.text("athlete").map { ", and is worn by \($0)" } ?? "")
  }

  static func forgotten(_ reply: JSON) -> String {
    var text = "\(reply.text("strap") ?? "?") is forgotten"
    switch reply["bondRemoved"]?.asBool {
    case true?: text += ", and bluetoothd's bond with it is removed"
    case nil:
      text += "; bluetoothd does not answer: if it has a bond with the strap, forget it once more when bluetoothd runs"
    case false?: break
    }
    if let file = reply.text("configurationFile") { text += "; a section in \(file) still speaks of it" }
    return text
  }

  private static func model(_ strap: JSON) -> String? {
    guard let model = strap.text("model") else { return strap.text("manufacturer") }
    guard let maker = strap.text("manufacturer"), !model.hasPrefix(maker) else { return model }
    return "\(maker) \(model)"
  }

  /// With a question mark where such straps are known to send a wrong level.
  private static func battery(_ strap: JSON) -> String? {
    strap.integer("batteryPercent").map { "\($0) %" + (strap["batteryUnreliable"]?.asBool == true ? "?" : "") }
  }

  private static func lastSeen(_ strap: JSON, _ style: TextStyle) -> String {
    if strap["connected"]?.asBool == true { return "connected" }
    return style.dateAndMinute(strap.text("lastSeenDate")) ?? "never"
  }

  private static func user(_ strap: JSON) -> String {
    if let session = strap.text("session") { return session }
    switch strap.integer("clients") {
    case nil, 0: return UnattendedText.user(strap) ?? "-"
    case 1: return "1 client"
    case .some(let count): return "\(count) clients"
    }
  }
}
