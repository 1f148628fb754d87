import Bus
import Measurements

/// What a script does to the world.
extension World {
  mutating func run(_ line: ScriptLine, at now: Tick) {
    switch line.command {
    case .strap(let declaration):
      straps.append(Strap(declaration, at: now))
      lookAround(at: now)
    case .to(let tag, let command):
      if let index = straps.firstIndex(where: { $0.tag == tag }) { run(command, index, at: now) }
    case .adapter(let command): run(command, at: now)
    case .bluetoothd(.stop): endBluetoothd()
    case .bluetoothd(.start): startBluetoothd()
    case .malformed(let kinds): for kind in kinds { sendMalformed(kind) }
    case .quit: quit()
    }
    log("DONE \(line.text)")
  }

  private mutating func run(_ command: StrapCommand, _ index: Int, at now: Tick) {
    switch command {
    case .beat(let pace, let hertz): straps[index].beat(pace, hertz: hertz, at: now)
    case .mute: straps[index].mute()
    case .raw(let payload): notify(index, .heartRateMeasurement, payload)
    case .burst(let payloads): for payload in payloads { notify(index, .heartRateMeasurement, payload) }
    case .loss:
      straps[index].isPresent = false
      sightings[index] = nil
      delayConnect(index)
      lose(index, at: now)
    case .comeBack:
      straps[index].isPresent = true
      advertise(index, at: now)
    case .drop:
      lose(index, at: now)
      advertise(index, at: now)
    case .connectError(let error): straps[index].faults.connectError = error
    case .connectHang(let isOn):
      straps[index].faults.connectHangs = isOn
      answerConnect(index, at: now)
    case .resolveHang(let isOn):
      straps[index].faults.resolveHangs = isOn
      if !isOn, case .up(nil)? = straps[index].device?.link {
        let resolving = straps[index].declaration.resolving
        straps[index].device?.link = .up(resolvedAt: now + resolving)
      }
    case .noHeartRate(let isOn): straps[index].faults.lacksHeartRate = isOn
    case .notifyError(let error): straps[index].faults.notifyError = error
    case .notifySilent(let isOn): straps[index].faults.isSilent = isOn
    case .bondNeeded(let isOn): straps[index].needsBond = isOn
    case .bond(let bond): setBond(bond, index, at: now)
    case .asks(let question): straps[index].asks = question
    case .pairError(let error): straps[index].faults.pairError = error
    case .pairHang(let isOn):
      straps[index].faults.pairHangs = isOn
      if !isOn, case .beginning(at: nil)? = straps[index].device?.pairing?.step {
        straps[index].device?.pairing?.step = .beginning(at: now)
      }
    case .copies(let count): straps[index].faults.copies = count
    case .battery(let percent):
      straps[index].battery = percent
      if straps[index].device?.isResolved == true {
        changed(.device(index), .battery, ["Percentage": .byte(percent)])
      }
      notify(index, .batteryLevel, [percent])
    case .contact(let contact): straps[index].contact = contact
    case .energy(let energy): straps[index].energyKilojoules = energy
    case .rssi(let rssi):
      straps[index].rssi = rssi
      if straps[index].device?.isInScan == true { changed(.device(index), .device, ["RSSI": .int16(rssi)]) }
    }
  }

  /// The strap went while its Connect was under way: the call stays pending until it is back.
  private mutating func delayConnect(_ index: Int) {
    guard case .connecting(let caller, _?, let failure)? = straps[index].device?.link else { return }
    straps[index].device?.link = .connecting(caller, at: nil, failure: failure)
  }

  // MARK: - Adapter and bluetoothd

  private mutating func run(_ command: AdapterCommand, at now: Tick) {
    switch command {
    case .off: setPower(false, at: now)
    case .on: if adapter?.isBlocked == false { setPower(true, at: now) }
    case .block:
      guard let adapter, !adapter.isBlocked else { return }
      self.adapter?.isBlocked = true
      self.adapter?.wasPoweredBeforeBlocking = adapter.isPowered
      setPower(false, at: now)
    case .unblock:
      guard let adapter, adapter.isBlocked else { return }
      self.adapter?.isBlocked = false
      setPower(adapter.wasPoweredBeforeBlocking, at: now)
    case .remove:
      guard let adapter else { return }
      dropLinks(at: now)
      for node in nodes.reversed() where node != .root && node != .bluez { removed(node) }
      forgetDevices()
      if adapter.isDiscovering { log("DISCOVERY off") }
      self.adapter = nil
    case .add(let name):
      guard adapter == nil else { return }
      let new = Adapter(name: name)
      adapter = new
      added(.adapter(new))
    }
  }

  /// Power, and the PowerState that goes with it.
  mutating func setPower(_ isOn: Bool, at now: Tick) {
    if !isOn {
      dropLinks(at: now)
      endScan(at: now)
    }
    adapter?.isPowered = isOn
    guard let adapter else { return }
    changed(
      .adapter(adapter), .adapter, ["Powered": .boolean(isOn), "PowerState": .string(adapter.powerState)])
  }

  private mutating func endScan(at now: Tick) {
    guard adapter?.isDiscovering == true else { return }
    adapter?.discoverers = []
    scanEnded(at: now)
  }

  private mutating func dropLinks(at now: Tick) {
    for index in straps.indices {
      lose(index, at: now)
      endPairing(index, .authenticationCanceled)
      guard case .connecting(let caller, _, _)? = straps[index].device?.link else { continue }
      straps[index].device?.link = .down
      reply(to: caller, .error(.failed("le-connection-abort-by-local")))
    }
  }

  /// The process ends: nothing more is said, and nothing is remembered but bonds.
  private mutating func endBluetoothd() {
    if adapter?.isDiscovering == true { log("DISCOVERY off") }
    for strap in straps where strap.device?.isConnected == true { log("DISCONNECTED \(strap.tag)") }
    stopBluetoothd()
    forgetDevices()
    (agents, defaultAgents) = ([], [])
    adapter?.discoverers = []
    adapter?.filters = [:]
  }

  private mutating func forgetDevices() {
    sightings = [:]
    for index in straps.indices {
      guard let device = straps[index].device, device.isPaired else {
        straps[index].device = nil
        continue
      }
      var kept = Device(at: device.lastSeen)
      kept.isPaired = true
      kept.isInScan = false
      kept.isTrusted = device.isTrusted
      straps[index].device = kept
    }
  }
}
