import Control
import Measurements
import Workout

// What is told while a session runs: zones, goals and alerts.
extension Sessions {
  /// A sample has counted, or has said that nothing counts.
  mutating func watch(_ sample: HeartRateSample, _ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    if sample.measurement.contact == .notDetected {
      live[id]?.monitor.cut()
    } else if sample.hasHeartRate {
      let zones = live[id]?.settings.zones
      live[id]?.monitor.take(sample.measurement.heartRate, zones, at: sample.tick)
      publishZone(id, &ledger, now)
    }
    watchAlerts(id, &ledger, now)
  }

  /// Tells of the zone where it is another one than was told last.
  mutating func publishZone(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard live[id]?.settings.zones != nil, let session = live[id], session.rebuild?.isFirst != true,
      let zone = session.builder.heartRate.zone, zone != session.zone
    else { return }
    live[id]?.zone = zone
    ledger.passing(.zone(zone, previous: session.zone), session: id, strap: session.strap, at: now)
  }

  /// Tells of the goals and alerts that are due, and asks to be called when the next is.
  mutating func watchAlerts(_ id: SessionID, _ ledger: inout Ledger, _ now: Moment) {
    guard live[id]?.watchesAnything == true, let session = live[id] else { return }
    guard session.rebuild?.isFirst != true else { return }  // the running time is not known yet
    let running = session.builder.runningTime
    let due =
      live[id]?.monitor.takeDue(running, energyKilojoules: session.builder.energy.kilojoules, at: now.tick) ?? []
    for due in due {
      switch due {
      case .alert(let alert, let isOn):
        ledger.happened(
          .alert(alert, isOn: isOn), .alert(alert, isOn: isOn), session: id, strap: session.strap, at: now)
      case .goal(let goal): ledger.happened(.goal(goal), .goal(goal), session: id, strap: session.strap, at: now)
      }
    }
    effects.append(.deadline(.alerts(id), live[id]?.monitor.next(running)))
  }
}
