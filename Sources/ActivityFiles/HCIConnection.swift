import Measurements

/// One connection of a log.
struct HCIConnection: Sendable {
  var address: StrapAddress?
  /// nil until the peer has said something by ATT.
  var strap: Int?
  /// BR/EDR, where ATT has no fixed channel.
  var isClassic = false
  private var client = AttributeClient()
  private var sent = L2CAPReassembly()
  private var received = L2CAPReassembly()
  private var dropsSeen: Int

  init(address: StrapAddress? = nil, strap: Int? = nil, isClassic: Bool = false, drops: LogDrops) {
    self.address = address
    self.strap = strap
    self.isClassic = isClassic
    dropsSeen = drops.count
  }

  /// What an ACL packet's data tells.
  ///
  /// - Parameter data: nil where the packet is not whole.
  mutating func findings(
    _ data: LittleEndianOctets?, isStart: Bool, isReceived: Bool, drops: LogDrops
  ) -> [AttributeClient.Finding] {
    if isClassic { return [] }
    if dropsSeen != drops.count {
      dropsSeen = drops.count
      sent.interrupt()
      received.interrupt()
    }
    guard let data else {
      if isReceived { received.interrupt() } else { sent.interrupt() }
      return []
    }
    let pdu = isReceived ? received.take(data, isStart: isStart) : sent.take(data, isStart: isStart)
    return pdu.map { client.take($0, isReceived: isReceived) } ?? []
  }
}
