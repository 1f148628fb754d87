import Control
import Glibc
import Testing

@testable import strapctl

struct DiagnosisDaemonTests {
  private func finding(_ id: String, _ change: (inout Facts) throws -> Void) throws -> Finding? {
    try Facts.findings(change).first { $0.id == id }
  }

  private static let refusal = ConnectionError(.connect, "/run/strapd/control.sock", .system(ENOENT))

  /// The finding on the service, with strapd.service so and nobody answering.
  private func service(
    _ load: String = "loaded", _ active: String, _ sub: String = "dead", socket: String = "inactive",
    answers: Bool = false
  ) throws -> Finding? {
    try finding("service") { facts in
      facts.setUnit("strapd.service") { ($0.load, $0.active, $0.sub) = (load, active, sub) }
      facts.setUnit("strapd.socket") { $0.active = socket }
      if !answers { facts.daemon = .failed(Self.refusal) }
    }
  }

  // MARK: The service

  @Test func theServiceIsNotInstalled() throws {
    let found = try service("not-found", "inactive")
    #expect(
      found
        == Finding(
          "service", .problem, "strapd is not a service of this machine",
          advice: "install strapd.service and strapd.socket (README: Run it on a board), then "
            + "'sudo systemctl daemon-reload && sudo systemctl enable --now strapd.socket strapd.service'"))
    #expect(try service("not-found", "inactive", answers: true)?.severity == .note)
  }

  @Test func theServiceDoesNotRun() throws {
    #expect(
      try service("loaded", "inactive")
        == Finding(
          "service", .problem, "strapd.service does not run",
          advice: "sudo systemctl start strapd.socket strapd.service"))
    #expect(try service("loaded", "inactive", answers: true)?.severity == .note)
    #expect(
      try service("loaded", "inactive", socket: "active")
        == Finding("service", .ok, "strapd.service does not run; strapd.socket starts it with its first client"))
    #expect(
      try service("loaded", "failed", "failed", socket: "active")
        == Finding(
          "service", .problem, "strapd.service has failed",
          advice: "'journalctl -u strapd -e' says why; then 'sudo systemctl restart strapd'"))
    #expect(try service("loaded", "failed", answers: true)?.severity == .warning)
    #expect(
      try service("masked", "inactive")
        == Finding(
          "service", .problem, "strapd.service is masked: nothing can start it",
          advice: "sudo systemctl unmask strapd.service && sudo systemctl start strapd.service"))
    #expect(try service("masked", "active", answers: true)?.severity == .warning)
    #expect(
      try service("loaded", "activating", "auto-restart")
        == Finding(
          "service", .note, "strapd.service is activating (loaded, auto-restart)",
          advice: "'systemctl status strapd' tells more"))
  }

  @Test func systemdIsAbsent() throws {
    let findings = try Facts.findings { $0.setBus { $0.systemd = .absent } }
    #expect(
      findings.first { $0.id == "service" }
        == Finding("service", .note, "there is no systemd on the bus: something else has to run strapd"))
    #expect(!findings.contains { $0.id == "boot" })
    #expect(
      try finding("service") { $0.setBus { $0.systemd = .failed("systemd does not answer within 5 s") } }
        == Finding(
          "service", .warning, "whether systemd runs strapd cannot be told: systemd does not answer within 5 s",
          advice: "try again as root: 'sudo strapctl doctor'"))
  }

  @Test func nothingStartsItAtBoot() throws {
    let found = try finding("boot") { facts in
      facts.setUnit("strapd.service") { $0.file = "disabled" }
      facts.setUnit("strapd.socket") { $0.file = nil }
    }
    #expect(
      found
        == Finding(
          "boot", .warning, "nothing starts strapd at boot: neither strapd.service nor strapd.socket is enabled",
          advice: "sudo systemctl enable strapd.socket strapd.service"))
    #expect(
      try finding("boot") { $0.setUnit("strapd.service") { $0.file = "disabled" } }
        == Finding("boot", .ok, "strapd.socket is enabled"))
    #expect(
      try finding("boot") { $0.setUnit("strapd.socket") { $0.file = "enabled-runtime" } }
        == Finding("boot", .ok, "strapd.service and strapd.socket are enabled"))
  }

  // MARK: The daemon

  private static let restart =
    "'journalctl -u strapd -e' tells more; 'sudo systemctl restart strapd' loses nothing that was recorded"
  private static let isItOurs = "is it strapd's socket? See --socket and $STRAPD_SOCKET"

  private static let failures: [(ConnectionError, String, String)] = [
    (
      ConnectionError(.connect, "/run/strapd/control.sock", .system(ENOENT)),
      "no strapd answers at /run/strapd/control.sock (No such file or directory)",
      "sudo systemctl start strapd.socket strapd.service"
    ),
    (
      ConnectionError(.connect, "/s", .system(ECONNREFUSED)), "no strapd answers at /s (Connection refused)",
      "start it, or name its socket with --socket or $STRAPD_SOCKET (without them: /run/strapd/control.sock)"
    ),
    (ConnectionError(.connect, "/s", .system(EACCES)), "you may not connect to /s", "see 'group'"),
    (
      ConnectionError(.connect, "/s", .longPath), "/s is too long for a socket's path",
      "name a path of at most 107 octets"
    ),
    (
      ConnectionError(.connect, "/s", .timedOut(.seconds(3))), "strapd at /s does not answer within 3 s", restart
    ),
    (ConnectionError(.receive, "/s", .closed), "strapd at /s closed the connection", restart),
    (ConnectionError(.receive, "/s", .system(EIO)), "strapd at /s closed the connection", restart),
    (ConnectionError(.receive, "/s", .nonsense), "what answers at /s does not speak varlink", isItOurs),
  ]

  @Test(arguments: failures)
  func strapdDoesNotAnswer(_ error: ConnectionError, _ text: String, _ advice: String) throws {
    #expect(
      try finding("strapd") { $0.daemon = .failed(error) } == Finding("strapd", .problem, text, advice: advice))
  }

  @Test func strapdWasNotAsked() throws {
    let findings = try Facts.findings { $0.daemon = .asleep }
    #expect(
      findings.first { $0.id == "strapd" }
        == Finding("strapd", .note, "strapd was not asked: it does not run now, and asking would start it"))
    #expect(!findings.contains { ["bluetooth", "version", "store", "straps"].contains($0.id) })
    #expect(!findings.preventRecording)
  }

  @Test func somethingElseAnswers() throws {
    #expect(
      try finding("strapd") { $0.daemon = .refused("no such method") }
        == Finding(
          "strapd", .problem, "what answers at /run/strapd/control.sock does not know GetStatus: no such method",
          advice: Self.isItOurs))
  }

  @Test func theVersionsDiffer() throws {
    let advice =
      "install both from one build; 'sudo systemctl restart strapd' takes the new one, when no workout runs"
    #expect(
      try finding("version") { $0.daemon = .status(try Facts.status(#""version":"0.0.9""#), known: []) }
        == Finding("version", .warning, "strapd is 0.0.9, and strapctl 0.1.0", advice: advice))
    #expect(
      try finding("version") { $0.daemon = .status(try Facts.status(#""protocolVersion":0"#), known: []) }?.severity
        == .warning)
    #expect(try finding("version") { _ in } == nil)
  }

  @Test func strapdCannotUseBluetooth() throws {
    func said(_ members: String) throws -> Finding? {
      try finding("bluetooth") { $0.daemon = .status(try Facts.status(members), known: []) }
    }
    #expect(
      try said(#""bluetooth":"noAdapter","advice":"is one plugged in?""#)
        == Finding(
          "bluetooth", .problem, "strapd cannot use Bluetooth now (noAdapter)", advice: "is one plugged in?"))
    #expect(try said(#""bluetooth":"adapterOff""#)?.severity == .note)
    #expect(try said(#""bluetooth":"adapterOff","sessions":[{"id":"i"}]"#)?.severity == .problem)
  }

  @Test func theStoreIsHeld() throws {
    #expect(
      try finding("store") { $0.daemon = .status(try Facts.status(#""held":"disk full (13)""#), known: []) }
        == Finding(
          "store", .problem, "strapd's store cannot be written: disk full (13)",
          advice: "make room on its disk; what comes meanwhile is kept in memory, so do not stop strapd before"))
    #expect(try finding("store") { _ in } == nil)
  }

  @Test func signalsWereNotUnderstood() throws {
    let advice =
      "no harm while heart rate comes; else report it, with bluetoothd's version and 'journalctl -u strapd'"
    #expect(
      try finding("signals") { $0.daemon = .status(try Facts.status(#""oddSignals":3"#), known: []) }
        == Finding("signals", .note, "strapd has not understood 3 signals of bluetoothd", advice: advice))
    #expect(
      try finding("signals") { $0.daemon = .status(try Facts.status(#""oddSignals":1"#), known: []) }?.text
        == "strapd has not understood 1 signal of bluetoothd")
  }
}
