import Bus
import Logind

/// Asks timedated whether the wall clock is right, for a daemon whose sandbox does not let it see for itself.
struct TimeServer: Hashable, Sendable {
  /// A question is to be put as soon as there is a bus.
  private var isDue = false
  private var isConnected = false
  /// The question that waits for its answer; one that was put before the clock was set is not waited for any more.
  private var asked: UInt32?
  private var serials = Serials(behind: TimeServer.firstSerial)

  /// Numbers of its own, far from those of the other calls on the same connection.
  private static let firstSerial: UInt32 = 0xB000_0000

  mutating func ask() {
    isDue = true
    asked = nil
  }

  mutating func busConnected() { isConnected = true }

  mutating func busLost() {
    isConnected = false
    if asked != nil { ask() }
  }

  /// The question, if one is to be put now.
  mutating func takeQuestion() -> BusMessage? {
    guard isDue, isConnected else { return nil }
    isDue = false
    let serial = serials.next()
    asked = serial
    return TimedateCall.isSynchronised(serial: serial)
  }

  /// Takes a reply that is its own; nil where it is not. An error says as little as "no" does.
  mutating func take(_ message: BusMessage) -> Bool? {
    switch message.kind {
    case .reply(let serial), .error(let serial, _):
      guard serial > Self.firstSerial, serial - Self.firstSerial < 1 << 28 else { return nil }
      guard serial == asked else { return false }
      asked = nil
      return TimedateCall.isSynchronised(message) ?? false
    case .call, .signal: return nil
    }
  }
}
