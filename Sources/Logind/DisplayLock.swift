import Bus
import Measurements

/// Whether the graphical session of one user is locked, as logind knows it (org.freedesktop.login1(5), "LockedHint").
///
/// Three questions, each with the answer to the one before: the user's object, the session that it shows (Display), and
/// whether that is locked. No such user, no graphical session and no logind all mean: not locked.
public struct DisplayLock: Equatable, Sendable {
  /// What is known of it.
  public enum Answer: Hashable, Sendable {
    /// Nothing yet.
    case unknown
    case locked
    case notLocked
  }

  public let user: UInt32
  /// The last answer stays until the next one.
  public private(set) var answer = Answer.unknown
  private var state = State.resting
  /// Something has changed while it was being asked.
  private var isStale = false

  private enum State: Equatable, Sendable {
    /// Leaves to: askedUser.
    case resting
    /// GetUser is sent. Leaves to: askedDisplay, resting.
    case askedUser(serial: UInt32, until: Tick)
    /// Leaves to: askedLock, resting.
    case askedDisplay(serial: UInt32, until: Tick)
    /// Leaves to: resting.
    case askedLock(serial: UInt32, until: Tick)
  }

  /// How long logind may take. Nobody may read meanwhile, so it is short; a client that waited longer is told that the
  /// screen is locked.
  static let answerLimit = Duration.seconds(2)

  public init(user: UInt32) {
    self.user = user
  }

  /// When `deadlinePassed` is due.
  public var deadline: Tick? {
    switch state {
    case .resting: nil
    case .askedUser(_, let until), .askedDisplay(_, let until), .askedLock(_, let until): until
    }
  }

  /// Asks from the beginning: at first, and whenever something may have changed.
  public mutating func ask(_ serials: inout Serials, at now: Moment) -> [BusMessage] {
    guard state == .resting else {
      isStale = true
      return []
    }
    isStale = false
    let serial = serials.next()
    state = .askedUser(serial: serial, until: now.tick + Self.answerLimit)
    return [LogindCall.getUser(user, serial: serial)]
  }

  /// Takes a reply or an error of the bus.
  ///
  /// - Returns: nil where it answers nothing that was asked here.
  public mutating func take(_ message: BusMessage, _ serials: inout Serials, at now: Moment) -> [BusMessage]? {
    let asked: UInt32
    switch state {
    case .resting: return nil
    case .askedUser(let serial, _), .askedDisplay(let serial, _), .askedLock(let serial, _): asked = serial
    }
    switch message.kind {
    case .reply(asked): return next(message.body.first, &serials, now)
    case .error(asked, let error):
      // Without logind there is no lock; an answer that says nothing of the lock is none.
      switch InhibitorTrouble(error) {
      case .noLogind: return found(.notLocked, &serials, now)
      case .noAnswer: return found(.locked, &serials, now)
      case .refused: return found(.locked, &serials, now)
      case .failed: return found(Self.meansNobody(error) ? .notLocked : .locked, &serials, now)
      }
    case .reply, .error, .call, .signal: return nil
    }
  }

  /// The bus is gone, and with it what was asked: what cannot be known counts as locked.
  public mutating func busLost() {
    state = .resting
    isStale = false
    answer = .locked
  }

  /// The deadline may have passed.
  public mutating func deadlinePassed(_ serials: inout Serials, at now: Moment) -> [BusMessage] {
    guard let deadline, deadline <= now.tick else { return [] }
    return found(.locked, &serials, now)
  }

  private mutating func next(_ value: BusValue?, _ serials: inout Serials, _ now: Moment) -> [BusMessage] {
    let serial: UInt32
    switch (state, value) {
    case (.askedUser, .objectPath(let path)?):
      serial = serials.next()
      state = .askedDisplay(serial: serial, until: now.tick + Self.answerLimit)
      return [LogindCall.getDisplay(of: path, serial: serial)]
    case (.askedDisplay, .variant(.structure(let fields))?) where fields.count == 2:
      guard case .string(let id) = fields[0], case .objectPath(let path) = fields[1] else { break }
      // Without a graphical session the id is empty and the path is "/".
      if id.isEmpty { return found(.notLocked, &serials, now) }
      serial = serials.next()
      state = .askedLock(serial: serial, until: now.tick + Self.answerLimit)
      return [LogindCall.getLockedHint(of: path, serial: serial)]
    case (.askedLock, .variant(.boolean(let isLocked))?):
      return found(isLocked ? .locked : .notLocked, &serials, now)
    case (.askedUser, _), (.askedDisplay, _), (.askedLock, _), (.resting, _): break
    }
    return found(.locked, &serials, now)
  }

  private mutating func found(_ answer: Answer, _ serials: inout Serials, _ now: Moment) -> [BusMessage] {
    self.answer = answer
    state = .resting
    return isStale ? ask(&serials, at: now) : []
  }

  /// The user, or the session that it had, is not there (any more).
  private static func meansNobody(_ error: BusError) -> Bool {
    [
      "org.freedesktop.login1.NoSuchUser", "org.freedesktop.login1.NoSuchSession",
      "org.freedesktop.DBus.Error.UnknownObject",
    ].contains(error.name.description)
  }
}
