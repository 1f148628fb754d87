import Control
import Glibc

/// Which strap to pair, where none was named: those that are near are shown, and the person says which, or yes to the only
/// one. Where nobody can be asked they are listed in the error.
struct PairChoice {
  private let connection: Connection
  /// Where the person types; nil where nobody is asked.
  private let keyboard: Keyboard?

  /// How long to look around, and how long for a first strap.
  static let looking = Duration.seconds(4)
  static let longest = Duration.seconds(30)

  /// - Parameter connection: one that ends when the strap is chosen, and the scan with it.
  init(_ connection: Connection, noInput: Bool) {
    self.connection = connection
    keyboard = noInput ? nil : Keyboard()
  }

  /// The address of the chosen strap.
  ///
  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `PairChoiceError` where there is none to choose or nobody
  ///   to choose one, `PairingCancelled`.
  func run() throws -> String {
    defer { keyboard?.endPrompt() }
    SignalPipe.redirect([SIGINT, SIGTERM])
    keyboard?.tell("looking for straps: wear yours, and wet its electrodes")
    let straps = try look()
    guard let keyboard else { throw PairChoiceError.nobodyToAsk(straps.map(ScanText.line)) }
    return try ask(keyboard, straps)
  }

  /// The straps in sight, the strongest first.
  private func look() throws -> [JSON] {
    let call = Command.scanCall(all: false, adapter: nil)
    try connection.send(call)
    var list = ScanList()
    let (enough, end) = (Deadline(after: Self.looking), Deadline(after: Self.longest))
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        _ = list.take(reply.parameters)
      }
      let isOver = list.devices.isEmpty ? end.isOver : enough.isOver
      // What keeps Bluetooth from working is not mended by waiting.
      if isOver || (enough.isOver && list.advice != nil) { break }
      let ready = Poll.wait(
        for: [.readable(connection.descriptor), .readable(SignalPipe.descriptor)],
        until: list.devices.isEmpty && list.advice == nil && enough.isOver ? end : enough)
      if ready.contains(SignalPipe.descriptor) { throw PairingCancelled() }
      if ready.contains(connection.descriptor) { try connection.receive() }
    }
    // What is in sight without a scan may be anywhere.
    if !list.hasScanned, let advice = list.advice { throw PairChoiceError.nothing(advice) }
    guard !list.devices.isEmpty else { throw PairChoiceError.nothing(list.advice) }
    return list.sorted
  }

  private func ask(_ keyboard: Keyboard, _ straps: [JSON]) throws -> String {
    let question = PairChoiceQuestion(straps)
    for line in question.list { keyboard.tell(line) }
    keyboard.ask(question.prompt)
    while true {
      let ready = Poll.wait(for: [
        .readable(Keyboard.descriptor), .readable(SignalPipe.descriptor), .readable(connection.descriptor),
      ])
      if ready.contains(SignalPipe.descriptor) { throw PairingCancelled() }
      // Further reports are of no interest; that strapd ends is.
      if ready.contains(connection.descriptor) {
        try connection.receive()
        while try connection.nextReply() != nil {}
      }
      guard ready.contains(Keyboard.descriptor) else { continue }
      for line in keyboard.lines() {
        switch line.map(question.answer) ?? .none {
        case .strap(let address): return address
        case .none: throw PairingCancelled()
        case .unclear: keyboard.ask("\(question.allowed)\n\(question.prompt)")
        }
      }
    }
  }
}

/// The question which strap it is.
struct PairChoiceQuestion {
  private let straps: [JSON]

  enum Answer: Equatable {
    case strap(String)
    case none
    case unclear
  }

  init(_ straps: [JSON]) {
    self.straps = straps
  }

  /// Several, each with its number.
  var list: [String] {
    straps.count == 1 ? [] : zip(1..., straps).map { number, strap in "\(number)  \(ScanText.line(strap))" }
  }

  var prompt: String {
    if let only = straps.first, straps.count == 1 { return "pair \(ScanText.line(only))? [y/N] " }
    return "number of the strap to pair: "
  }

  /// What could have been typed.
  var allowed: String {
    straps.count == 1 ? "y for yes, n for no" : "a number from 1 to \(straps.count); nothing gives up"
  }

  func answer(to line: String) -> Answer {
    let typed = line.filter { !$0.isWhitespace }.lowercased()
    if typed.isEmpty { return .none }
    if straps.count == 1 {
      switch typed {
      case "y", "yes": return straps[0].text("address").map(Answer.strap) ?? .none
      case "n", "no": return .none
      default: return .unclear
      }
    }
    guard let number = Int(typed), straps.indices.contains(number - 1) else { return .unclear }
    return straps[number - 1].text("address").map(Answer.strap) ?? .none
  }
}

/// Why no strap was chosen.
enum PairChoiceError: Error, Equatable, CustomStringConvertible {
  /// These are in sight, and there is no terminal.
  case nobodyToAsk([String])
  /// None is in sight; the advice says what keeps straps from being heard, if something does.
  case nothing(String?)

  var description: String {
    switch self {
    case .nobodyToAsk(let straps):
      "cannot pair: no strap was named, and without a terminal nobody can be asked which it is. In sight:\n"
        + straps.map { "  \($0)\n" }.joined() + "Name one with 'strapctl pair ADDRESS'"
    case .nothing(let advice?): "cannot pair: \(advice)"
    case .nothing(nil): "cannot pair: \(ScanText.nothing(all: false))"
    }
  }
}
