/// The command line.
struct Options: Equatable {
  var script: String?
  var readsStandardInput = false
  /// Where to write what straps send, instead of to the log.
  var sentFile: String?
  /// An HCI log whose straps there are.
  var log: String?
  /// How much faster than it was the log is played.
  var speed = 1.0

  enum Outcome: Equatable {
    case run(Options)
    case help
    /// Wrong use, with what was wrong.
    case wrong(String)
  }

  static func parse(_ arguments: [String]) -> Outcome {
    var options = Options()
    var rest = arguments[...]
    var hasSpeed = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--script":
        guard let file = rest.popFirst() else { return .wrong("--script needs a file") }
        options.script = file
      case "--sent":
        guard let file = rest.popFirst() else { return .wrong("--sent needs a file") }
        options.sentFile = file
      case "--btsnoop":
        guard let file = rest.popFirst() else { return .wrong("--btsnoop needs a file") }
        options.log = file
      case "--speed":
        guard let word = rest.popFirst(), let speed = Double(word), (0.01...1000).contains(speed) else {
          return .wrong("--speed needs a number, 0.01 to 1000")
        }
        options.speed = speed
        hasSpeed = true
      case "--stdin": options.readsStandardInput = true
      case "--help", "-h": return .help
      default: return .wrong("unknown argument '\(argument)'")
      }
    }
    if hasSpeed, options.log == nil { return .wrong("--speed is for --btsnoop") }
    return .run(options)
  }

  static let usage = "usage: strap-sim [--btsnoop FILE [--speed N]] [--script FILE] [--stdin] [--sent FILE]"

  static let help = """
    \(usage)

    A simulated org.bluez with simulated straps, on the bus that DBUS_SYSTEM_BUS_ADDRESS names.
    Without a script there is one strap, A, F0:F1:F2:F3:F4:F5, beating once a second.

    With --btsnoop there are the straps that have sent heart rates in an HCI log (btsnoop, as btmon -w or Android write
    it), A, B and so on by the order of their first packets, beside those that a script declares. From its first
    subscription on each sends again what it sent, with the same spacing or N times as fast, and then nothing; where its
    link was lost it is silent. Its beat and mute end that.

    A script is made of lines; # begins a comment. --stdin reads the same lines live.
      \(DeclarationParser.allowed)
      at SECONDS COMMAND      does it so long after READY (live: after the line); a command without it is done at once
      TAG \(StrapCommandParser.usage.joined(separator: "\n  TAG "))
      adapter off|on|remove|add [hciN]|block|unblock
      bluetoothd start|stop
      malformed all|\(MalformedKind.allCases.map(\.rawValue).joined(separator: "|"))
      quit

    Standard output is the log: READY, SENT A HEX, CALL A METHOD, CONNECTED A, DISCONNECTED A, SUBSCRIBED A,
    UNSUBSCRIBED A, AGENT CAPABILITY|none, ASKS A METHOD, PAIRED A, PLAYED A, DISCOVERY on|off, MALFORMED KIND, DONE COMMAND,
    REFUSED LINE.
    With --sent the lines SENT A HEX go to FILE, which begins empty: a record to hold against what a client has got, and
    no log that has to be read all the time.

    """
}
