import Control
import Glibc

/// Pairs a strap: tells how far it has come, and asks the person what the strap insists on.
///
/// Whatever is waited for, the end of strapd and a question that is withdrawn are noticed at once. strapd gives the
/// pairing up when the connection ends, so that ^C needs nothing else.
struct Pairing {
  private let connection: Connection
  private let output: Output
  private let isJSON: Bool
  /// Where the person types; nil where nobody is asked.
  private let keyboard: Keyboard?
  private let call: VarlinkCall

  /// What the person is being asked.
  private var question: PairingQuestion?
  private var strap = ""
  /// The connection on which an answer is under way.
  private var answering: Connection?
  private var isFirstReply = true
  private var wasAsked = false

  init(_ connection: Connection, _ output: Output, isJSON: Bool, strap: String?, again: Bool, noInput: Bool) {
    self.connection = connection
    self.output = output
    self.isJSON = isJSON
    keyboard = noInput ? nil : Keyboard()
    call = Command.pair(strap, again: again, interactive: keyboard != nil)
  }

  /// - Throws: `ConnectionError` when strapd ends, `Refusal` where the strap cannot be paired, `PairingCancelled`,
  ///   `OutputError`.
  mutating func run() throws {
    defer { keyboard?.endPrompt() }
    SignalPipe.redirect([SIGINT, SIGTERM])
    try connection.send(call)
    while true {
      while let reply = try connection.nextReply() {
        keyboard?.endPrompt()
        if var refusal = Refusal(reply, to: call.method) {
          refusal.wasAsked = wasAsked
          throw refusal
        }
        try take(reply)
        if !reply.continues { return }
      }
      let ready = Poll.wait(for: files)
      if ready.contains(SignalPipe.descriptor) { throw PairingCancelled() }
      if ready.contains(output.descriptor) { throw OutputError(code: EPIPE) }
      if ready.contains(connection.descriptor) {
        try connection.receive()
      } else if let answering, ready.contains(answering.descriptor) {
        try answering.receive()
        try takeAnswered(answering)
      } else if let keyboard, ready.contains(Keyboard.descriptor) {
        for line in keyboard.lines() { try answer(line) }
      }
    }
  }

  private var files: [Poll.File] {
    var files: [Poll.File] = [
      .readable(connection.descriptor), .readable(SignalPipe.descriptor), .abandoned(output.descriptor),
    ]
    if let answering { files.append(.readable(answering.descriptor)) }
    // What is typed unasked stays where it is.
    if question != nil { files.append(.readable(Keyboard.descriptor)) }
    return files
  }

  private mutating func take(_ reply: VarlinkReply) throws {
    let report = reply.parameters
    strap = report["strap"]?.asString ?? strap
    question = PairingQuestion(report)
    if isJSON {
      try output.line(report.text)
    } else if question == nil {
      try output.line(PairingText.line(report, isFirst: isFirstReply))
    }
    isFirstReply = false
    guard let question else { return }
    wasAsked = true
    keyboard?.ask(question.prompt)
  }

  /// - Parameter line: nil where the person has ended the input, which is no.
  private mutating func answer(_ line: String?) throws {
    guard let question else { return }
    guard let answer = line.map(question.answer) ?? .no else {
      keyboard?.ask("\(question.allowed)\n\(question.prompt)")
      return
    }
    self.question = nil
    // strapd answers one call of a connection at a time, and this one's is still Pair.
    let second = try Connection(to: connection.place)
    try second.send(Command.answerPairing(strap, answer))
    answering = second
  }

  private mutating func takeAnswered(_ second: Connection) throws {
    guard let reply = try second.nextReply() else { return }
    answering = nil
    guard let refusal = Refusal(reply, to: "\(Interface.name).AnswerPairing") else { return }
    guard refusal.error == "\(Interface.name).NothingAsked" else { throw refusal }
    keyboard?.tell("too late: the strap does not ask this any more")
  }
}

/// ^C or a signal.
struct PairingCancelled: Error, CustomStringConvertible {
  var description: String { "cancelled: the pairing was given up. 'strapctl pair' begins it anew" }
}

/// How far a pairing has come, for people.
enum PairingText {
  /// - Parameter isFirst: whether nothing was told before.
  static func line(_ report: JSON, isFirst: Bool) -> String {
    let strap = report.text("strap") ?? "?"
    switch report.text("progress") {
    case "searching":
      return "looking for the strap \(strap): \(report.text("advice") ?? "wear it, and wet its electrodes")"
    case "connecting": return "connecting to the strap \(strap)" + (report.text("advice").map { ": \($0)" } ?? "")
    case "pairing": return "pairing"
    case "showPasskey": return "type \(report.text("passkey") ?? "?") on the strap"
    case "showPinCode": return "type \(report.text("pinCode") ?? "?") on the strap"
    case "paired" where isFirst:
      return "the strap \(strap) is paired already. If it ends every connection, it has lost the pairing: "
        + "'strapctl pair --again' makes a new one"
    case "paired": return "the strap \(strap) is paired"
    // What a later strapd tells is shown as it comes.
    default: return report.text.printable
    }
  }
}
