import Bus
import Glibc
import SystemBus
import TestSupport
import Testing

@Suite struct DescriptorTests {
  private let daemon: PrivateBus
  private let service: BusClient
  private let client: BusClient

  init() throws {
    daemon = try PrivateBus()
    service = try BusClient(daemon.address)
    client = try BusClient(daemon.address)
  }

  @Test func aDescriptorInAReplyIsTheReceivers() throws {
    let pipe = try SocketPair()
    let serial = try client.start(service.name, "/", "a.b", "Open")
    let call = try nextCall()
    try service.bus.send(
      BusMessage(
        .reply(to: call.serial), destination: call.sender,
        body: [.structure([.unixFD(BusFileDescriptor(raw: pipe.ours)), .uint16(23)])]))
    let reply = try client.reply(to: serial)
    let descriptor = try #require(reply.fileDescriptors.first)
    #expect(reply.fileDescriptors.count == 1)
    #expect(descriptor.raw != pipe.ours)
    #expect(fcntl(descriptor.raw, F_GETFD) & FD_CLOEXEC != 0)
    #expect(write(descriptor.raw, "x", 1) == 1)
    pipe.closeOurs()
    #expect(pipe.reads() == "x")
    close(descriptor.raw)
    #expect(pipe.isClosedEverywhere())
  }

  /// Nobody asked for these, and nobody would close them.
  @Test func descriptorsInOtherMessagesAreClosedAndCounted() throws {
    let pipe = try SocketPair()
    let body: [BusValue] = [.string("x"), .unixFD(BusFileDescriptor(raw: pipe.ours))]
    try client.bus.send(
      BusMessage(.signal(path: "/", interface: "a.b", member: "C"), destination: service.name, body: body))
    let serial = try client.start(service.name, "/", "a.b", "Take", body)
    pipe.closeOurs()
    let answer = try client.wait(for: "the refusal", pumping: [service]) {
      if case .error(serial, _) = $0.kind { true } else { false }
    }
    #expect(
      answer.kind
        == .error(
          to: serial,
          BusError(
            name: "org.freedesktop.DBus.Error.InvalidArgs",
            text: "cannot read file descriptors where none are expected")))
    #expect(service.bus.undecodable == 2)
    #expect(service.inbox.allSatisfy { $0.sender == BusDaemon.name })
    #expect(pipe.isClosedEverywhere())
  }

  private func nextCall() throws -> BusMessage {
    try service.wait(for: "a call", pumping: [client]) { if case .call = $0.kind { true } else { false } }
  }
}

/// Two connected sockets, one of which a test gives away: end of file at the other shows that no copy is left anywhere.
private final class SocketPair {
  private(set) var ours: Int32
  private let theirs: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestSupportError("no socket pair") }
    (ours, theirs) = (ends[0], ends[1])
  }

  deinit {
    closeOurs()
    close(theirs)
  }

  func closeOurs() {
    if ours >= 0 { close(ours) }
    ours = -1
  }

  func reads() -> String {
    Deadline().wait(for: [(theirs, POLLIN)])
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = read(theirs, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }

  func isClosedEverywhere() -> Bool {
    Deadline().wait(for: [(theirs, POLLIN)])
    var byte: UInt8 = 0
    return recv(theirs, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }
}
