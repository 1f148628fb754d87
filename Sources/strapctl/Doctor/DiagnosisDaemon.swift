import Control
import Glibc

// strapd: its service, its answers, and what it says.
extension Diagnosis {
  private var answers: Bool {
    switch facts.daemon {
    case .status, .refused: true
    case .failed, .asleep: false
    }
  }

  /// Whether systemd runs it.
  var service: [Finding] {
    switch facts.bus.value?.systemd {
    case nil: return []
    case .absent: return [Finding("service", .note, "there is no systemd on the bus: something else has to run strapd")]
    case .failed(let why): return [Self.unknown("service", "whether systemd runs strapd", why)]
    case .units: break
    }
    guard let service = unit("strapd.service"), service.load != "not-found" else {
      return [
        Finding(
          "service", answers ? .note : .problem, "strapd is not a service of this machine",
          advice: "install strapd.service and strapd.socket (README: Run it on a board), then "
            + "'sudo systemctl daemon-reload && sudo systemctl enable --now strapd.socket strapd.service'")
      ]
    }
    let isListening = unit("strapd.socket")?.active == "active"
    switch (service.load, service.active) {
    case ("masked", _):
      return [
        Finding(
          "service", answers ? .warning : .problem, "strapd.service is masked: nothing can start it",
          advice: "sudo systemctl unmask strapd.service && sudo systemctl start strapd.service")
      ]
    case (_, "failed"):
      return [
        Finding(
          "service", answers ? .warning : .problem, "strapd.service has failed",
          advice: "'journalctl -u strapd -e' says why; then 'sudo systemctl restart strapd'")
      ]
    case (_, "inactive") where isListening:
      return [Finding("service", .ok, "strapd.service does not run; strapd.socket starts it with its first client")]
    case (_, "inactive"):
      return [
        Finding(
          "service", answers ? .note : .problem, "strapd.service does not run",
          advice: "sudo systemctl start strapd.socket strapd.service")
      ]
    case ("loaded", "active"): return [Finding("service", .ok, "strapd.service is \(service.active) (\(service.sub))")]
    case (let load, let active):
      return [
        Finding(
          "service", .note, "strapd.service is \(active) (\(load), \(service.sub))",
          advice: "'systemctl status strapd' tells more")
      ]
    }
  }

  /// Whether it is started at boot.
  var atBoot: [Finding] {
    guard let service = unit("strapd.service"), service.load == "loaded" else { return [] }
    let files = [service, unit("strapd.socket")].compactMap { $0 }
    let enabled = files.filter { $0.file?.hasPrefix("enabled") == true }.map(\.name)
    guard enabled.isEmpty else {
      return [
        Finding("boot", .ok, "\(enabled.joined(separator: " and ")) \(enabled.count == 1 ? "is" : "are") enabled")
      ]
    }
    return [
      Finding(
        "boot", .warning, "nothing starts strapd at boot: neither strapd.service nor strapd.socket is enabled",
        advice: "sudo systemctl enable strapd.socket strapd.service")
    ]
  }

  /// Whether it answers.
  var strapd: Finding {
    switch facts.daemon {
    case .status(let status, _): Finding("strapd", .ok, "strapd \(status.text("version") ?? "?") answers at \(socket)")
    case .asleep: Finding("strapd", .note, "strapd was not asked: it does not run now, and asking would start it")
    case .refused(let why):
      Finding(
        "strapd", .problem, "what answers at \(socket) does not know GetStatus: \(why)",
        advice: "is it strapd's socket? See --socket and $STRAPD_SOCKET")
    case .failed(let error): finding(on: error)
    }
  }

  private func finding(on error: ConnectionError) -> Finding {
    let start =
      error.path == Place.defaultPath
      ? "sudo systemctl start strapd.socket strapd.service"
      : "start it, or name its socket with --socket or $STRAPD_SOCKET (without them: \(Place.defaultPath))"
    let restart =
      "'journalctl -u strapd -e' tells more; 'sudo systemctl restart strapd' loses nothing that was recorded"
    switch error.cause {
    case .system(EACCES), .system(EPERM):
      return Finding("strapd", .problem, "you may not connect to \(error.path)", advice: "see 'group'")
    case .system(let code) where error.operation == .connect:
      let text = "no strapd answers at \(error.path) (\(String(cString: strerror(code))))"
      return Finding("strapd", .problem, text, advice: start)
    case .longPath:
      return Finding(
        "strapd", .problem, "\(error.path) is too long for a socket's path",
        advice: "name a path of at most 107 octets")
    case .timedOut(let limit):
      return Finding(
        "strapd", .problem, "strapd at \(error.path) does not answer within \(limit.inWords)", advice: restart)
    case .closed, .system, .noShell, .shellEnded:
      return Finding("strapd", .problem, "strapd at \(error.path) closed the connection", advice: restart)
    case .nonsense:
      return Finding(
        "strapd", .problem, "what answers at \(error.path) does not speak varlink",
        advice: "is it strapd's socket? See --socket and $STRAPD_SOCKET")
    }
  }

  /// The daemon's version against this program's.
  var version: [Finding] {
    guard let status, let version = status.text("version") else { return [] }
    guard version == Interface.version, status.integer("protocolVersion") == Interface.protocolVersion else {
      return [
        Finding(
          "version", .warning, "strapd is \(version), and strapctl \(Interface.version)",
          advice: "install both from one build; 'sudo systemctl restart strapd' takes the new one, when no workout runs"
        )
      ]
    }
    return []
  }

  /// Whether it can use Bluetooth, as it says itself.
  var ability: [Finding] {
    guard let status, let bluetooth = status.text("bluetooth") else { return [] }
    guard bluetooth != "ready" else { return [Finding("bluetooth", .ok, "strapd can use Bluetooth")] }
    // It switches an adapter on when a strap is wanted.
    let isHarmless = bluetooth == "adapterOff" && status.list("sessions").isEmpty
    return [
      Finding(
        "bluetooth", isHarmless ? .note : .problem, "strapd cannot use Bluetooth now (\(bluetooth))",
        advice: status.text("advice"))
    ]
  }

  /// Whether its store can be written.
  var store: [Finding] {
    guard let held = status?.text("held") else { return [] }
    return [
      Finding(
        "store", .problem, "strapd's store cannot be written: \(held)",
        advice: "make room on its disk; what comes meanwhile is kept in memory, so do not stop strapd before")
    ]
  }

  /// What bluetoothd has said and nobody has understood.
  var signals: [Finding] {
    guard let count = status?.integer("oddSignals"), count > 0 else { return [] }
    return [
      Finding(
        "signals", .note, "strapd has not understood \(count) \(count == 1 ? "signal" : "signals") of bluetoothd",
        advice: "no harm while heart rate comes; else report it, with bluetoothd's version and 'journalctl -u strapd'")
    ]
  }
}
