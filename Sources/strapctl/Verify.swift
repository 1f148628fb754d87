import Control
import Glibc

/// strapd's look through its whole store: what is wrong, a line a finding, and what there is.
struct Verify {
  let connection: Connection
  let output: Output
  let isJSON: Bool

  /// What to do where no strapd answers.
  static let withoutDaemon =
    "Without it, its user can check the store: 'sudo -u strapd strapd --verify', with $STATE_DIRECTORY where it is not "
    + "/var/lib/strapd"

  /// - Returns: whether nothing is wrong.
  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `OutputError`, `VerifyInterrupted`.
  func run() throws -> Bool {
    SignalPipe.redirect([SIGINT, SIGTERM])
    let call = Command.verifyCall
    try connection.send(call)
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        let report = reply.parameters
        try output.line(isJSON ? report.text : report.text("finding") ?? report.text("summary") ?? "")
        if !reply.continues { return report["sound"] == .bool(true) }
      }
      // However long it takes: strapd says when its program has ended.
      let ready = Poll.wait(for: [.readable(connection.descriptor), .readable(SignalPipe.descriptor)])
      if ready.contains(SignalPipe.descriptor) { throw VerifyInterrupted() }
      try connection.receive()
    }
  }
}

/// Somebody has given up.
struct VerifyInterrupted: Error, CustomStringConvertible {
  var description: String { "the check was given up, and says nothing" }
}
