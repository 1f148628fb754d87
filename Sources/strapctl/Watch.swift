import Control
import Glibc

/// Everything as it happens, until ^C, or until nobody reads any more.
struct Watch {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  private let style: TextStyle

  init(_ connection: Connection, _ output: Output, _ style: TextStyle, isJSON: Bool) {
    self.connection = connection
    self.output = output
    self.isJSON = isJSON
    self.style = style
  }

  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `OutputError`.
  func run() throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    try connection.send(Command.watchCall)
    var text = EventText(style)
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: Command.watchCall.method) { throw refusal }
        try output.line(isJSON ? reply.parameters.text : text.line(reply.parameters))
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
