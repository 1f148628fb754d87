import BlueZ

/// What a link machine's states are called in the table of what was reached; `connecting` and `cancelling` are one
/// status and two states.
enum RandomState: Int, CaseIterable {
  case standing, waitingForBluetoothd, waitingForAdapter, searching, connecting, cancelling, resolving, pairing
  case subscribing
  case streaming, backingOff, releasing

  init(_ status: LinkStatus, isCancelled: Bool) {
    self =
      switch status {
      case .standing: .standing
      case .waitingForBluetoothd: .waitingForBluetoothd
      case .waitingForAdapter: .waitingForAdapter
      case .searching: .searching
      case .connecting: isCancelled ? .cancelling : .connecting
      case .resolving: .resolving
      case .pairing: .pairing
      case .subscribing: .subscribing
      case .streaming: .streaming
      case .backingOff: .backingOff
      case .releasing: .releasing
      }
  }
}

/// What can happen to a link machine. A change of the world is named after the first of its parts that differs.
enum RandomInput: Int, CaseIterable {
  case wanted, released
  case daemonGone, daemonBack, hostUnfit, hostFit
  case deviceCame, deviceWent, linkUp, linkDown, resolved, measurementMoved, notifying, heard
  case bonded, pairWanted, pairAbandoned, pairDone, pairFailed
  case ownPayload, strayPayload, connectDone, connectFailed, disconnectDone, notifyDone, notifyFailed, deadline
  /// The strap is to be reached by another adapter.
  case turned
  /// From here on the world is well.
  case well

  init(from old: LinkWorld, to new: LinkWorld) {
    if old.host != new.host {
      if new.host == .bluetoothdAbsent {
        self = .daemonGone
      } else if old.host == .bluetoothdAbsent {
        self = .daemonBack
      } else {
        self = new.host == .ready ? .hostFit : .hostUnfit
      }
    } else if let a = old.device, let b = new.device {
      if a.isConnected != b.isConnected {
        self = b.isConnected ? .linkUp : .linkDown
      } else if a.isResolved != b.isResolved {
        self = .resolved
      } else if a.measurement != b.measurement {
        self = .measurementMoved
      } else {
        self = a.isBonded != b.isBonded ? .bonded : a.isNotifying != b.isNotifying ? .notifying : .heard
      }
    } else {
      self = old.device == nil ? .deviceCame : .deviceWent
    }
  }
}

/// How often each state met each input, over many players.
struct RandomReach {
  private var counts = [Int](repeating: 0, count: RandomState.allCases.count * RandomInput.allCases.count)

  subscript(state: RandomState, input: RandomInput) -> Int {
    get { counts[state.rawValue * RandomInput.allCases.count + input.rawValue] }
    set { counts[state.rawValue * RandomInput.allCases.count + input.rawValue] = newValue }
  }

  mutating func merge(_ other: RandomReach) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// Of what was met, what was met least.
  func rarest(_ count: Int) -> [String] {
    let cells = RandomState.allCases.flatMap { state in
      RandomInput.allCases.map { (count: self[state, $0], name: "\(state) × \($0)") }
    }
    return cells.filter { $0.count > 0 }.sorted { $0.count < $1.count }.prefix(count).map { "\($0.name) \($0.count)" }
  }

  /// A line an input and a column a state.
  var table: String {
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    let head = RandomState.allCases.map { padded("\($0)", max(9, "\($0)".count + 1)) }
    var lines = [padded("", 16) + head.joined()]
    for input in RandomInput.allCases {
      let cells = RandomState.allCases.map { state in
        let count = self[state, input]
        return padded(count == 0 ? "-" : "\(count)", max(9, "\(state)".count + 1))
      }
      lines.append(padded("\(input)", 16) + cells.joined())
    }
    return lines.joined(separator: "\n")
  }
}
