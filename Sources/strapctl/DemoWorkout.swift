import Control
import Workout

/// The demo's conversation with its strapd, as a person at strapctl would have it.
struct DemoWorkout {
  private let world: DemoWorld
  private let screen: DemoScreen
  private let control: Connection
  private let watch: Connection

  init(_ world: DemoWorld, _ screen: DemoScreen) throws(ConnectionError) {
    self.world = world
    self.screen = screen
    control = try Connection(to: world.socketPath)
    watch = try Connection(to: world.socketPath)
  }

  /// Records the workout.
  ///
  /// - Returns: the saved workout, as the protocol shows it.
  func record() throws -> JSON {
    try watch.send(Command.watchCall)
    let wish = Wish(activity: ActivityType.running.rawValue, location: .outdoor)
    try call(.prepare(session: nil, wish), "strapctl prepare --activity running --location outdoor")
    try show(until: "a heart rate", within: .seconds(30)) { event in
      event.text("kind") == "heartRate" && event.text("availability") == "available"
    }
    try call(.start(session: nil, .countdown(seconds: 3)), "strapctl start --countdown 3")
    try show(until: "the start", within: .seconds(10)) { $0.text("to") == WorkoutState.running.rawValue }
    try show(for: .seconds(10))
    try call(.pause(session: nil), "strapctl pause")
    try show(for: .seconds(3))
    try call(.resume(session: nil), "strapctl resume")
    try show(for: .seconds(10))
    let stopped = try call(.stop(session: nil, date: nil), "strapctl stop")
    try call(.end(session: nil), "strapctl end")
    let id = stopped.text("session") ?? ""
    try screen.say("> strapctl show \(id)")
    return try answer(Command.getWorkout(id))["workout"] ?? .null
  }

  @discardableResult
  private func call(_ command: Command, _ typed: String) throws -> JSON {
    guard let call = command.sessionCall else { return .null }
    try screen.say("> \(typed)")
    return try answer(call)
  }

  /// Calls, and shows the events that come before the reply.
  private func answer(_ call: VarlinkCall) throws -> JSON {
    try control.send(call)
    let limit = Duration.seconds(60)
    let deadline = Deadline(after: limit)
    while let happening = try next(until: deadline) {
      guard case .answered(let reply) = happening else { continue }
      if let refusal = Refusal(reply, to: call.method) { throw refusal }
      return reply.parameters
    }
    throw DemoError.late("the answer to \(call.method)", limit)
  }

  private func show(for duration: Duration) throws {
    let deadline = Deadline(after: duration)
    while try next(until: deadline) != nil {}
  }

  private func show(until what: String, within limit: Duration, _ isIt: (JSON) -> Bool) throws {
    let deadline = Deadline(after: limit)
    while let happening = try next(until: deadline) {
      if case .happened(let event) = happening, isIt(event) { return }
    }
    throw DemoError.late(what, limit)
  }

  private enum Happening {
    /// An event, which has been shown.
    case happened(JSON)
    case answered(VarlinkReply)
  }

  /// What comes next; nil when the time is up.
  ///
  /// - Throws: also where the demo is to end, or one of its programs has ended.
  private func next(until deadline: Deadline) throws -> Happening? {
    while true {
      if let event = try watch.nextReply() {
        if let refusal = Refusal(event, to: Command.watchCall.method) { throw refusal }
        try screen.show(event.parameters)
        return .happened(event.parameters)
      }
      if let reply = try control.nextReply() { return .answered(reply) }
      let ready = Poll.wait(
        for: [watch.descriptor, control.descriptor, SignalPipe.descriptor].map { .readable($0) }, until: deadline)
      if ready.isEmpty { return nil }
      if ready.contains(SignalPipe.descriptor) { try world.takeSignals() }
      if ready.contains(watch.descriptor) { try watch.receive() }
      if ready.contains(control.descriptor) { try control.receive() }
    }
  }
}
