import Control
import Glibc

/// Everything as it happens, until ^C, or until nobody reads any more.
struct Watch {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  private let text: EventText

  init(_ connection: Connection, _ output: Output, _ text: EventText, isJSON: Bool) {
    self.connection = connection
    self.output = output
    self.isJSON = isJSON
    self.text = text
  }

  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `OutputError`.
  func run(_ call: VarlinkCall, _ filter: MonitorFilter) throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    try connection.send(call)
    var text = text
    var filter = filter
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        let event = reply.parameters
        if filter.takes(event) { try output.line(isJSON ? event.text : text.line(event)) }
        if !reply.continues { return }
      }
      let ready = Poll.wait(for: [
        .readable(connection.descriptor), .readable(SignalPipe.descriptor), .abandoned(output.descriptor),
      ])
      if ready.contains(SignalPipe.descriptor) || ready.contains(output.descriptor) { return }
      try connection.receive()
    }
  }
}
