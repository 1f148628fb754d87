import Control
import Glibc

/// Everything as it happens, until ^C, or until nobody reads any more.
struct Watch {
  let connection: Connection
  let output: Output
  let format: Format
  private let text: EventText

  enum Format { case text, json, csv }

  init(_ connection: Connection, _ output: Output, _ text: EventText, _ format: Format) {
    self.connection = connection
    self.output = output
    self.format = format
    self.text = text
  }

  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `OutputError`.
  func run(_ call: VarlinkCall, _ filter: MonitorFilter) throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    try connection.send(call)
    var text = text
    var filter = filter
    var isHeaded = format != .csv
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        let event = reply.parameters
        if !isHeaded { try output.line(EventRow.heading) }
        isHeaded = true
        if filter.takes(event) { try output.line(line(event, &text)) }
        if !reply.continues { return }
      }
      let ready = Poll.wait(for: [
        .readable(connection.descriptor), .readable(SignalPipe.descriptor), .abandoned(output.descriptor),
      ])
      if ready.contains(SignalPipe.descriptor) || ready.contains(output.descriptor) { return }
      try connection.receive()
    }
  }

  private func line(_ event: JSON, _ text: inout EventText) -> String {
    switch format {
    case .text: text.line(event)
    case .json: event.text
    case .csv: EventRow.text(event, text.words(event))
    }
  }
}
