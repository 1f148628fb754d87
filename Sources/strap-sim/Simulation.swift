import Bus
import EventLoop
import Glibc
import Measurements
import SystemBus

/// The world on its bus: carries messages, lines and the time to it, and does what it wants done.
final class Simulation {
  private let loop: EventLoop
  private var world = World()
  /// The script's timed lines, until READY puts them on the clock.
  private var timedLines: [ScriptLine]
  private var bus: SystemBus?
  private var busWatch: FileWatch?
  private var timer: DeadlineTimer?
  private var input: StandardInput?
  private var reader: ScriptReader
  /// Where what straps send is recorded.
  private let sent: Int32
  /// Until the bus has given the name. Afterwards libdbus gives the same serials to answers, and whoever has left before
  /// the answer makes the bus complain of it.
  private var isEntering = false

  /// The serials of bluetoothd's first calls; what it answers and signals has none of ours.
  private enum Serial {
    static let hello: UInt32 = 1
    static let addMatch: UInt32 = 2
    static let requestName: UInt32 = 3
  }

  /// - Throws: `EventLoopError` and `SystemBusError`.
  init(
    _ lines: [ScriptLine], recorded: [RecordedStrap] = [], readsStandardInput: Bool, sent: Int32 = STDOUT_FILENO
  ) throws {
    self.sent = sent
    loop = try EventLoop()
    timedLines = lines.filter { $0.delay != nil }
    let now = loop.now.tick
    for strap in recorded { world.straps.append(Strap(strap, at: now)) }
    if recorded.isEmpty, !lines.contains(where: { if case .strap = $0.command { true } else { false } }) {
      world.straps.append(Strap(.standard, at: now))
    }
    for line in lines where line.delay == nil { world.run(line, at: now) }
    let declared = lines.compactMap { if case .strap(let strap) = $0.command { strap.tag } else { nil } }
    reader = ScriptReader(file: "stdin", tags: Set(declared + world.straps.map(\.tag)))
    try loop.onSignals([.terminate, .interrupt]) { [loop] _ in loop.stop(0) }
    timer = try loop.timer {}
    if readsStandardInput { input = try StandardInput(loop) { [unowned self] in take(line: $0) } }
    loop.beforeWaiting { [unowned self] in turn() }
    try openBus()
  }

  /// Runs until `quit`, a signal or the end of the bus; returns the exit status.
  func run() throws -> Int32 {
    try loop.run()
  }

  private func turn() {
    let now = loop.now.tick
    var messages: [BusMessage] = []
    var effects: [World.Effect] = []
    repeat {
      messages = []
      if let bus, !bus.drain(into: &messages) { return fail("the bus is gone") }
      for message in messages { take(message, at: now) }
      world.wake(at: now)
      effects = world.takeEffects()
      for effect in effects { perform(effect) }
    } while !messages.isEmpty || !effects.isEmpty
    if let bus { busWatch?.change(to: bus.wantsToWrite ? [.readable, .writable] : .readable) }
    timer?.arm(at: world.nextDeadline)
  }

  private func take(_ message: BusMessage, at now: Tick) {
    switch message.kind {
    case .reply(Serial.requestName) where isEntering:
      // 1 is DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER.
      guard message.body == [.uint32(1)] else { return fail("org.bluez has an owner on this bus already") }
      isEntering = false
      world.log("READY")
      world.schedule(timedLines, from: now)
      timedLines = []
    case .error(1...Serial.requestName, let error) where isEntering && message.sender == BusDaemon.name:
      fail("the bus answers \(error)")
    case .reply, .error, .call, .signal: world.take(message, at: now)
    }
  }

  private func take(line: String) {
    do throws(ScriptError) {
      guard let read = try reader.read(line) else { return }
      if read.delay == nil {
        world.run(read, at: loop.now.tick)
      } else {
        world.schedule([read], from: loop.now.tick)
      }
    } catch {
      Files.write(line: "strap-sim: \(error)", to: STDERR_FILENO)
      Files.write(line: "REFUSED \(line)", to: STDOUT_FILENO)
    }
  }

  private func perform(_ effect: World.Effect) {
    switch effect {
    case .log(let line): Files.write(line: line, to: line.hasPrefix("SENT ") ? sent : STDOUT_FILENO)
    case .send(let message): send(message)
    case .quit: loop.stop(0)
    case .stopBluetoothd: closeBus()
    case .startBluetoothd:
      do {
        try openBus()
      } catch {
        fail("\(error)")
      }
    }
  }

  private func send(_ message: BusMessage) {
    do {
      try bus?.send(message)
    } catch {
      // What clients send can make an answer that cannot be sent, such as an echo that grew too large.
      Files.write(line: "strap-sim: \(error)", to: STDERR_FILENO)
    }
  }

  private func openBus() throws {
    let bus = try SystemBus()
    self.bus = bus
    isEntering = true
    busWatch = try loop.watch(bus.fileDescriptor, for: .readable) { _ in }
    send(BusDaemon.hello(serial: Serial.hello))
    send(
      BusDaemon.addMatch(
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'", serial: Serial.addMatch))
    send(BusDaemon.requestName("org.bluez", serial: Serial.requestName))
  }

  private func closeBus() {
    busWatch?.cancel()
    busWatch = nil
    bus?.close()
    bus = nil
  }

  private func fail(_ text: String) {
    Files.write(line: "strap-sim: \(text)", to: STDERR_FILENO)
    closeBus()
    loop.stop(1)
  }
}

extension StrapDeclaration {
  /// The one strap of a world without a script.
  static var standard: StrapDeclaration {
    guard let address = StrapAddress("F0:F1:F2:F3:F4:F5") else { preconditionFailure("a good address is none") }
    var declaration = StrapDeclaration(tag: "A", address: address)
    declaration.name = "Demo HR"
    return declaration
  }
}
