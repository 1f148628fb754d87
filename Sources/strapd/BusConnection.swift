import Bus
import Engine
import EventLoop
import Glibc
import SystemBus

/// The connection to the system bus, while there is one.
final class BusConnection {
  private let loop: EventLoop
  private var bus: SystemBus?
  private var watch: FileWatch?
  private var messages: [BusMessage] = []
  /// Something may wait inside libdbus: the socket was ready, or we have sent, which may read as well.
  private(set) var needsDraining = false

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Connects anew; the input says whether that worked.
  func open() -> Input {
    close()
    do {
      let bus = try SystemBus()
      self.bus = bus
      watch = try loop.watch(bus.fileDescriptor, for: .readable) { [unowned self] _ in needsDraining = true }
      needsDraining = true
      return .busConnected
    } catch {
      close()
      return .busLost("\(error)")
    }
  }

  /// Without a connection the message is dropped: what it answers came with the last octets of a bus that is gone, and
  /// the engine has been told. Wanting to drain then would never end.
  func send(_ message: BusMessage) throws(SystemBusError) {
    guard let bus else { return }
    needsDraining = true
    try bus.send(message)
  }

  /// Closes a descriptor that came with a message.
  func close(_ descriptor: BusFileDescriptor) {
    _ = Glibc.close(descriptor.raw)
  }

  /// Everything that has arrived, as inputs; the loss of the connection comes last.
  func drain() -> [Input] {
    guard needsDraining, let bus else { return [] }
    needsDraining = false
    let isConnected = bus.drain(into: &messages)
    var inputs = messages.map(Input.busMessageArrived)
    messages.removeAll(keepingCapacity: true)
    if isConnected {
      watch?.change(to: bus.wantsToWrite ? [.readable, .writable] : .readable)
    } else {
      close()
      inputs.append(.busLost("the connection broke"))
    }
    return inputs
  }

  private func close() {
    watch?.cancel()
    watch = nil
    bus?.close()
    bus = nil
    needsDraining = false
  }
}
