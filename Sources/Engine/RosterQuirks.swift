import BlueZ
import Control
import Measurements
import Workout

// What is known of straps of some kinds, and done about it.
extension Roster {
  /// Looks up what is known of the strap's kind, by what it has told now or in an earlier life of the daemon: then the
  /// first measurement is taken aright already.
  mutating func learnQuirks(of strap: StrapAddress) {
    guard let link = links[strap] else { return }
    var record = known.records[strap] ?? StrapRecord(strap)
    record.take(link.information)
    let quirks = Quirk.all(of: record.information)
    guard quirks != link.quirks else { return }
    links[strap]?.quirks = quirks
    if needs(.readsDescriptorFirst, strap) { links[strap]?.machine.readsDescriptorFirst = true }
    for quirk in quirks where !link.quirks.contains(quirk) && quirk.remedy != .nothing {
      let text = "\(name(of: strap)) is of a kind that \(quirk.seen) (\(quirk.id), \(quirk.source))"
      effects.append(.log(LogEntry(.info, text, strap: strap)))
    }
  }

  func needs(_ remedy: Quirk.Remedy, _ strap: StrapAddress) -> Bool {
    links[strap]?.quirks.contains { $0.remedy == remedy } ?? false
  }

  /// A measurement as it is to be taken from a strap of this kind.
  mutating func corrected(_ strap: StrapAddress, _ measurement: HeartRateMeasurement, isRepeat: Bool, at now: Moment)
    -> HeartRateMeasurement
  {
    var corrected = measurement
    if needs(.leavesOutShortIntervals, strap) { corrected.leaveOutShortIntervals() }
    // Where the strap knows whether it touches skin, it says so itself.
    guard needs(.distrustsJumps, strap), measurement.contact == .unknown, measurement.heartRate > 0 else {
      return corrected
    }
    if !isRepeat { links[strap]?.steadiness.take(measurement.heartRate, at: now.tick) }
    if links[strap]?.steadiness.isSteady == false { corrected.warnings.insert(.unsteady) }
    return corrected
  }

  /// What a measurement makes of its series.
  func availability(by measurement: HeartRateMeasurement) -> Availability {
    if measurement.contact == .notDetected { return .noContact }
    let hasValue = measurement.heartRate > 0 && !measurement.warnings.contains(.unsteady)
    return hasValue ? .available : .unavailable
  }

  /// The strap's connection came or went.
  mutating func noteConnection(of strap: StrapAddress, before: LinkWorld.Device?, at now: Moment) {
    let wasConnected = before?.isConnected ?? false
    let isConnected = links[strap]?.world.device?.isConnected ?? false
    guard wasConnected != isConnected else { return }
    // One that streams is remembered by that.
    let isNew = isConnected ? known.records[strap]?.lastSeen == nil : links[strap]?.machine.status != .streaming
    let isStrap = objects(of: strap).contains { mirror.tree.devices[$0]?.services.contains(.heartRateService) == true }
    if isNew, isStrap, links[strap]?.claims.isEmpty == false { remember(strap, seen: now.wall) }
    if isConnected {
      links[strap]?.drops.connected(at: now.tick)
    } else {
      let last = links[strap]?.last
      let isOffSkin = last.map { $0.measurement.contact == .notDetected && now.tick - $0.tick < .seconds(60) } ?? false
      links[strap]?.drops.disconnected(isOffSkin: isOffSkin, at: now.tick)
    }
  }

  /// Keeps what is wrong with the strap for those who ask later.
  mutating func noteTrouble(of strap: StrapAddress, at now: Moment) {
    let host = isHostUnknown ? nil : hostAdvice(of: strap)
    let text = links[strap]?.machine.isWanted == true ? host ?? trouble(of: strap) : nil
    // While it lasts, it has the date on which it was found.
    guard text != links[strap]?.currentTrouble else { return }
    links[strap]?.currentTrouble = text
    if let text { links[strap]?.lastTrouble = (text, now.wall) }
  }

  /// What keeps the strap from streaming; of one that nobody wants, only what stays until somebody does something.
  func troubleKind(of strap: StrapAddress) -> TroubleKind? {
    guard let link = links[strap] else { return nil }
    if !link.claims.isEmpty { return hostTrouble(of: strap) ?? whatIsWrong(with: link)?.kind }
    if let kind = whatIsWrong(with: link)?.kind, isTried(link) { return kind }
    guard let kind = link.machine.trouble?.kind, kind.isLasting else { return nil }
    guard mirror.presence == .ready else { return kind }
    // What others have done about the bond since.
    let isBonded = link.world.device?.isBonded == true
    if kind == .bondLost, !isBonded { return nil }
    if kind == .bondNeeded, isBonded { return nil }
    return kind
  }

  private func whatIsWrong(with link: StrapLink) -> LinkTrouble? {
    let own = link.machine.suspicion ?? link.machine.trouble
    return own ?? (isTried(link) && link.machine.status != .streaming ? link.trialTrouble : nil)
  }

  /// Whether it has been tried for somebody who takes any strap and still has none.
  func isTried(_ link: StrapLink) -> Bool { link.trialTrouble != nil && !choices.isEmpty }

  /// Why the strap does not stream and what helps, with what is known of its kind.
  func trouble(of strap: StrapAddress) -> String? {
    guard let link = links[strap], let trouble = whatIsWrong(with: link) else { return nil }
    guard trouble == .linkLost else { return trouble.description }
    if needs(.explainsDropsByContact, strap), link.drops.wasOffSkin {
      return "the strap ends the connection when it touches no skin for half a minute: wear it and wet the electrodes"
    }
    if needs(.explainsDropsByInterval, strap), link.drops.isRecurring {
      let adapter = link.world.device.flatMap { mirror.tree.adapter(ofDevice: $0.path) }?.lastElement ?? "hci0"
      return
        "the strap hangs up half a minute after it was connected, again and again: it asks for a connection interval "
        + "of 312.5 to 500 ms, which this host refuses; allow it as root before it connects: "
        + "echo 400 > /sys/kernel/debug/bluetooth/\(adapter)/conn_max_interval"
    }
    return trouble.description
  }
}
