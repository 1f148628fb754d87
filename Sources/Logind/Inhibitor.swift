import Bus
import Measurements

/// One lock of logind's: asked for while it is wanted, and given back by closing its descriptor.
///
/// A lock on sleep that may not block asks for a delay instead: a service user may always have that, while blocking takes
/// a polkit rule.
public struct Inhibitor: Equatable, Sendable {
  public let operation: InhibitedOperation
  public private(set) var isWanted = false
  private var state = State.none

  private enum State: Equatable, Sendable {
    /// Leaves to: asked.
    case none
    /// Inhibit is sent. The first one can take 20 s, since polkitd is started for it. Leaves to: asked (with a weaker
    /// mode), held, refused, none.
    case asked(serial: UInt32, InhibitorMode, until: Tick)
    /// The descriptor is the lock. Leaves to: none.
    case held(BusFileDescriptor, InhibitorMode)
    /// Asked again then. Leaves to: asked, none.
    case refused(InhibitorTrouble, again: Tick)
  }

  /// What is to be done for it.
  public enum Action: Hashable, Sendable {
    case send(BusMessage)
    case close(BusFileDescriptor)
  }

  /// How long logind may take to answer: longer than D-Bus's own 25 s, since polkitd may have to start first.
  static let answerLimit = Duration.seconds(90)
  /// When a refused lock is asked for again: somebody may have installed polkitd or its rule meanwhile.
  static let refusalInterval = Duration.seconds(300)
  /// When logind is looked for again.
  static let absenceInterval = Duration.seconds(30)

  public init(_ operation: InhibitedOperation) {
    self.operation = operation
  }

  // MARK: What it shows

  /// In which mode it is held; nil while it is not.
  public var mode: InhibitorMode? {
    switch state {
    case .held(_, let mode): mode
    case .none, .asked, .refused: nil
    }
  }

  /// Why it is not held although it is wanted.
  public var trouble: InhibitorTrouble? {
    switch state {
    case .refused(let trouble, _): trouble
    case .none, .asked, .held: nil
    }
  }

  /// When `deadlinePassed` is due.
  public var deadline: Tick? {
    switch state {
    case .asked(_, _, let until), .refused(_, let until): isWanted ? until : nil
    case .none, .held: nil
    }
  }

  // MARK: What happens to it

  /// The lock is wanted, or is not any more.
  public mutating func want(_ wanted: Bool, _ serials: inout Serials, at now: Moment) -> [Action] {
    guard wanted != isWanted else { return [] }
    isWanted = wanted
    if wanted { return ask(.block, &serials, now) }
    defer { if !isAsked { state = .none } }
    guard case .held(let descriptor, _) = state else { return [] }
    return [.close(descriptor)]
  }

  /// Takes a reply or an error of the bus.
  ///
  /// - Returns: nil where it answers nothing of this lock's.
  public mutating func take(_ message: BusMessage, _ serials: inout Serials, at now: Moment) -> [Action]? {
    guard case .asked(let serial, let mode, _) = state else { return nil }
    switch message.kind {
    case .reply(let answered) where answered == serial:
      guard case .unixFD(let descriptor)? = message.body.first else {
        return refused(.failed("the answer holds no lock"), mode, &serials, now)
      }
      guard isWanted else {
        state = .none
        return [.close(descriptor)]
      }
      state = .held(descriptor, mode)
      return []
    case .error(let answered, let error) where answered == serial:
      return refused(InhibitorTrouble(error), mode, &serials, now)
    case .reply, .error, .call, .signal: return nil
    }
  }

  /// The bus is connected, perhaps once more. A lock that is held outlives the connection.
  public mutating func busConnected(_ serials: inout Serials, at now: Moment) -> [Action] {
    switch state {
    case .none, .asked, .refused: isWanted ? ask(.block, &serials, now) : []
    case .held: []
    }
  }

  /// What was asked is not answered any more.
  public mutating func busLost(at now: Moment) {
    guard isAsked else { return }
    state = isWanted ? .refused(.noLogind, again: now.tick + Self.absenceInterval) : .none
  }

  /// The deadline may have passed.
  public mutating func deadlinePassed(_ serials: inout Serials, at now: Moment) -> [Action] {
    guard let deadline, deadline <= now.tick else { return [] }
    switch state {
    case .asked(_, let mode, _): return refused(.noAnswer, mode, &serials, now)
    case .refused: return ask(.block, &serials, now)
    case .none, .held: return []
    }
  }

  private var isAsked: Bool {
    if case .asked = state { true } else { false }
  }

  private mutating func ask(_ mode: InhibitorMode, _ serials: inout Serials, _ now: Moment) -> [Action] {
    let serial = serials.next()
    state = .asked(serial: serial, mode, until: now.tick + Self.answerLimit)
    return [.send(LogindCall.inhibit(operation, mode, why: "A workout is being recorded", serial: serial))]
  }

  private mutating func refused(
    _ trouble: InhibitorTrouble, _ mode: InhibitorMode, _ serials: inout Serials, _ now: Moment
  ) -> [Action] {
    guard isWanted else {
      state = .none
      return []
    }
    switch trouble {
    case .refused:
      if operation == .sleep, mode == .block { return ask(.delay, &serials, now) }
      state = .refused(trouble, again: now.tick + Self.refusalInterval)
    case .noLogind, .noAnswer, .failed:
      state = .refused(trouble, again: now.tick + Self.absenceInterval)
    }
    return []
  }
}

/// Why a lock is not held.
public enum InhibitorTrouble: Hashable, Sendable {
  /// logind does not run.
  case noLogind
  /// It did not answer in time.
  case noAnswer
  /// polkit did not allow it, or is not there to be asked.
  case refused
  case failed(String)

  init(_ error: BusError) {
    switch error.name.description {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
      self = .noLogind
    // The second is systemd 257's word for what 252 calls the first.
    case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
      self = .refused
    case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut": self = .noAnswer
    default: self = .failed(error.description)
    }
  }
}

extension InhibitorTrouble: CustomStringConvertible {
  /// What it means and what helps, for people.
  public var description: String {
    switch self {
    case .noLogind: "systemd-logind does not run"
    case .noAnswer: "systemd-logind does not answer"
    case .refused: "refused: install polkitd, and strapd's rule in /usr/share/polkit-1/rules.d"
    case .failed(let text): text
    }
  }
}
