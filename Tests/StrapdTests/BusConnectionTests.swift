import Bus
import EventLoop
import Testing

@testable import strapd

struct BusConnectionTests {
  /// The bus may go while messages are being answered; wanting to drain it would then keep the loop from ever waiting.
  @Test func wantsNothingOfABusThatIsGone() throws {
    let bus = BusConnection(try EventLoop())
    try bus.send(BusDaemon.hello(serial: 1))
    #expect(!bus.needsDraining)
    #expect(bus.drain().isEmpty)
  }
}
