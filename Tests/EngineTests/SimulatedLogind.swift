import Bus

/// A logind that grants locks, refuses them, or is not there, and knows which users' screens are locked.
struct SimulatedLogind {
  /// Each as "operation mode", by the descriptor that holds it.
  var held: [BusFileDescriptor: String] = [:]
  /// Every request, as "operation mode".
  var asked: [String] = []
  var isThere = true
  /// Requests that polkit does not allow.
  var refuses: Set<String> = []
  /// Whether the graphical session of a user is locked; nil for a user who has none.
  var screens: [UInt32: Bool] = [:]
  /// Whether it answers questions about screens.
  var answersScreens = true
  /// Every question about a screen, as it was answered.
  var questions: [String] = []
  private var lastDescriptor: Int32 = 100

  mutating func take(_ message: BusMessage) -> [BusMessage] {
    guard isThere else {
      let error = BusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "no such name")
      return [BusMessage(.error(to: message.serial, error), sender: "org.freedesktop.DBus")]
    }
    guard case .call(let call) = message.kind, call.member == "Inhibit" else { return screen(message) }
    let request = [message.body[0], message.body[3]].compactMap(\.asString).joined(separator: " ")
    asked.append(request)
    guard !refuses.contains(request) else {
      let error = BusError(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Permission denied")
      return [BusMessage(.error(to: message.serial, error), sender: ":1.2")]
    }
    lastDescriptor += 1
    let descriptor = BusFileDescriptor(raw: lastDescriptor)
    held[descriptor] = request
    return [BusMessage(.reply(to: message.serial), sender: ":1.2", body: [.unixFD(descriptor)])]
  }

  /// A user's object and session are named after the user's number.
  private mutating func screen(_ message: BusMessage) -> [BusMessage] {
    guard answersScreens, case .call(let call) = message.kind else { return [] }
    let reply = { (value: BusValue) in [BusMessage(.reply(to: message.serial), sender: ":1.2", body: [value])] }
    let last = UInt32(call.path.lastElement.drop { !$0.isNumber })
    switch (call.member, message.body.last) {
    case ("GetUser", .uint32(let user)?):
      questions.append("\(user)")
      guard screens[user] != nil || user == 0 else {
        let error = BusError(name: "org.freedesktop.login1.NoSuchUser", text: "User is not logged in")
        return [BusMessage(.error(to: message.serial, error), sender: ":1.2")]
      }
      return reply(.objectPath(ObjectPath("/org/freedesktop/login1/user/_\(user)") ?? "/"))
    case ("Get", .string("Display")?):
      guard let user = last, screens[user] != nil else {
        return reply(.variant(.structure([.string(""), .objectPath("/")])))
      }
      let session = ObjectPath("/org/freedesktop/login1/session/c\(user)") ?? "/"
      return reply(.variant(.structure([.string("c\(user)"), .objectPath(session)])))
    case ("Get", .string("LockedHint")?):
      return reply(.variant(.boolean(last.flatMap { screens[$0] } ?? false)))
    default: return []
    }
  }

  /// A user locks or unlocks the screen; what logind says of it.
  mutating func lock(_ user: UInt32, _ isLocked: Bool) -> [BusMessage] {
    screens[user] = isLocked
    let path = ObjectPath("/org/freedesktop/login1/session/c\(user)") ?? "/"
    return [
      BusMessage(
        .signal(path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"), sender: ":1.2",
        body: [
          .string("org.freedesktop.login1.Session"), .properties(["LockedHint": .boolean(isLocked)]), .strings([]),
        ])
    ]
  }
}
