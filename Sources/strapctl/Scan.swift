import Control
import Glibc
import Measurements

/// What advertises near here, until ^C, until the time is up, or until nobody reads any more: on a terminal a list that is
/// drawn again and again, elsewhere a line for each device when it comes and when it changes.
struct Scan {
  let connection: Connection
  let output: Output
  let isJSON: Bool
  /// nil: without end.
  let seconds: Double?
  let includesAll: Bool
  let adapter: StrapAddress?

  /// - Throws: `ConnectionError` when strapd ends, `Refusal`, `OutputError`, `ScanError` where nothing has scanned.
  func run() throws {
    SignalPipe.redirect([SIGINT, SIGTERM])
    let call = Command.scanCall(all: includesAll, adapter: adapter)
    try connection.send(call)
    let deadline = seconds.map { Deadline(after: .nanoseconds(Int64($0 * 1e9))) }
    var list = ScanList()
    var screen = output.isTerminal && !isJSON ? ScanScreen(output) : nil
    while true {
      while let reply = try connection.nextReply() {
        if let refusal = Refusal(reply, to: call.method) { throw refusal }
        let news = list.take(reply.parameters)
        if isJSON {
          try output.line(reply.parameters.text)
        } else if screen == nil {
          try tell(news)
        }
        if !reply.continues { return }
      }
      try screen?.draw(ScanText.table(list))
      let ready = Poll.wait(
        for: [.readable(connection.descriptor), .readable(SignalPipe.descriptor), .abandoned(output.descriptor)],
        until: deadline)
      if ready.contains(SignalPipe.descriptor) || ready.contains(output.descriptor) { break }
      // Where devices keep coming the time is up all the same.
      if ready.isEmpty || deadline?.isOver == true { break }
      try connection.receive()
    }
    guard list.hasScanned else { throw ScanError(advice: list.advice, hasShown: list.hasSeenAny) }
    if !isJSON, !list.hasSeenAny, list.advice == nil { try complain(ScanText.nothing(all: includesAll)) }
  }

  private func tell(_ news: [ScanList.News]) throws(OutputError) {
    for news in news {
      switch news {
      case .device(let device): try output.line(ScanText.line(device))
      case .gone(let address): try output.line("\(address)  gone")
      case .advice(let advice): try complain(advice)
      }
    }
  }

  /// What is not about a device, for whoever reads along; programs read the devices.
  private func complain(_ text: String) throws(OutputError) {
    try Output(STDERR_FILENO).line("strapctl: \(text)")
  }
}

/// No adapter has scanned, from the beginning to the end.
struct ScanError: Error, Equatable, CustomStringConvertible {
  /// What has kept it from that, and what to do.
  var advice: String?
  /// Whether devices were shown all the same.
  var hasShown: Bool

  var description: String {
    let why = advice ?? "bluetoothd was asked to and has not begun within that time. 'strapctl doctor' tells more"
    return "cannot scan: \(why)" + (hasShown ? ". What is shown is known from before, and may be anywhere" : "")
  }
}

/// Lines on a terminal that are drawn in the same place each time.
struct ScanScreen {
  private let output: Output
  /// How many lines the terminal has.
  private let height: Int
  private var drawn: [String] = []

  init(_ output: Output) {
    self.init(output, height: Self.height(of: output))
  }

  init(_ output: Output, height: Int) {
    self.output = output
    self.height = height
  }

  mutating func draw(_ lines: [String]) throws(OutputError) {
    // What does not fit would scroll, and could not be drawn over again. The cursor stands below the last line.
    let lines = lines.count < height ? lines : Array(lines.prefix(height - 2)) + ["..."]
    guard lines != drawn else { return }
    // Up to the first line, each line cut at the edge and cleared behind its end, and what is left below erased.
    let up = drawn.isEmpty ? "" : "\u{1B}[\(drawn.count)A"
    try output.write("\u{1B}[?7l\(up)" + lines.map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J\u{1B}[?7h")
    drawn = lines
  }

  private static func height(of output: Output) -> Int {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 2 else { return 24 }
    return Int(size.ws_row)
  }
}
