import Control
import Measurements
import Testing

@testable import Controllers
@testable import strapctl

struct StatusTextTests {
  private static let whole = #"""
    {"version":"0.1.0","protocolVersion":1,"sequence":41,"durableThrough":40,"date":"2026-11-30T11:03:04Z",
    "bluetooth":"ready","adapters":[
      {"name":"hci0","address":"DC:A6:32:01:02:03","powered":true,"discovering":true},
      {"name":"hci1","powered":false,"discovering":false}],
    "straps":[
      {"address":"F0:F1:F2:F3:F4:F5","name":"Demo strap","link":"streaming","availability":"available","heartRate":72,
       "contact":"detected","ageSeconds":0.4,"batteryPercent":90,"periodSeconds":1.0,"jitterSeconds":0.04,"lostBeats":3,"reconnects":0,"refusedPackets":0,"repeats":0,"monitors":2,
       "adapter":"DC:A6:32:01:02:03",
       "unattended":{"dryRun":true,"phase":"wouldRun","sinceDate":"2026-11-30T11:00:00Z","startSeconds":30.0,"absenceSeconds":300.0}},
      {"address":"F0:F1:F2:F3:F4:F6","name":"Demo strap","givenName":"Left","athlete":"Anna","link":"backingOff","availability":"acquiring",
       "trouble":"the strap sends nothing: wear it and wet the electrodes","reconnects":2,"refusedPackets":0,"repeats":0},
      {"address":"F0:F1:F2:F3:F4:F7","link":"streaming","availability":"noContact","contact":"notDetected",
       "batteryPercent":100,"batteryUnreliable":true}],
    "sessions":[
      {"id":"9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f","state":"running","sequence":41,"activity":"running",
       "location":"outdoor","strap":"F0:F1:F2:F3:F4:F5","createdDate":"2026-11-30T11:00:00Z","elapsedSeconds":602.9,
       "wallSeconds":640.0,"availability":"available","heartRate":72,
       "statistics":{"heartRate":{"count":590,"minimum":60,"maximum":90,"average":71.4321,"mostRecent":72,
       "coveredSeconds":600.0},"rrCount":700}},
      {"id":"0d9f0a1e-0000-4000-8000-000000000001","state":"prepared","sequence":41,"activity":"rowing",
       "location":"unknown","elapsedSeconds":0.0,"wallSeconds":0.0,"availability":"acquiring","countdownSeconds":2.5,
       "statistics":{"rrCount":0}}],
    "limits":{"prepareSeconds":1800.0,"pauseSeconds":43200.0,"stoppedSeconds":60.0,"recoverySeconds":3600.0,"heldRecords":20000},
    "watchers":2,"oddSignals":0}
    """#

  @Test func showsEverything() throws {
    let text = StatusText(status: try json(Self.whole), style: .test())
    #expect(
      text.lines.joined(separator: "\n") == """
        strapd     0.1.0, 2 watchers
        Bluetooth  ready
        adapter    hci0 (DC:A6:32:01:02:03), on, scanning
        adapter    hci1, off
        strap      Demo strap (F0:F1:F2:F3:F4:F5), streaming, heart rate ♥ 72 bpm, battery 90 %, by DC:A6:32:01:02:03, monitored by 2
                   last measurement 0.4 s ago, every 1.0 s ± 0.0 s, 3 beats lost
                   unattended (dry run): a workout would run since 2026-11-30 12:00:00
        strap      Left (F0:F1:F2:F3:F4:F6), waits before it tries again, heart rate awaited, worn by Anna
                   trouble: the strap sends nothing: wear it and wet the electrodes
        strap      (F0:F1:F2:F3:F4:F7), streaming, heart rate none (no skin contact), battery 100 % (not to be relied on)
        session    9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f running, outdoor
                   running, elapsed 0:10:02, heart rate ♥ 72 bpm, average 71.4 bpm
        session    0d9f0a1e-0000-4000-8000-000000000001 rowing
                   prepared, starts in 2.5 s, elapsed 0:00:00, heart rate awaited
        limits     without heart rate never, prepared 0:30:00, paused 12:00:00, stopped 0:01:00, strapd away 1:00:00, held in memory 20000 records
        """)
    #expect(!StatusText.wantsKernel(text.status))
  }

  private static let bare = #"""
    {"version":"0.1.0","bluetooth":"noAdapter","advice":"bluetoothd knows no Bluetooth adapter: is one plugged in?",
    "adapters":[],"straps":[],"sessions":[],"watchers":1,"oddSignals":0,"held":"commit failed (13): database is full"}
    """#

  @Test func showsWhatIsMissing() throws {
    let text = StatusText(status: try json(Self.bare), style: .test())
    #expect(
      text.lines.joined(separator: "\n") == """
        strapd     0.1.0, 1 watcher
        store      cannot be written, what comes is kept in memory: commit failed (13): database is full
        Bluetooth  bluetoothd knows no Bluetooth adapter: is one plugged in?
        strap      none is wanted
        session    none
        """)
    #expect(StatusText.wantsKernel(text.status))
  }

  @Test func saysThatAnyStrapIsAwaited() throws {
    let status = try json(#"{"straps":[],"sessions":[{"id":"i","activity":"rowing","availability":"acquiring"}]}"#)
    #expect(StatusText(status: status, style: .test()).lines.contains("strap    none yet, any one will do"))
  }

  @Test func showsTheKernelsControllers() throws {
    func kernel(_ answer: Result<KernelBluetooth, ControllersError>) throws -> [String] {
      StatusText(status: try json(Self.bare), kernel: answer, style: .test()).lines
        .filter { $0.hasPrefix("kernel") }
    }
    #expect(
      try kernel(.success(.absent))
        == ["kernel     has no Bluetooth: it is not built in, its module is not loaded, or a sandbox shuts it"])
    #expect(try kernel(.success(.present([]))) == ["kernel     has no Bluetooth controller: plug one in"])
    let controllers = [
      Controller(name: "hci0", address: StrapAddress("DC:A6:32:01:02:03"), isUp: false, bus: "UART", version: nil),
      Controller(name: "hci1", address: nil, isUp: true, bus: "USB", version: nil),
    ]
    #expect(
      try kernel(.success(.present(controllers))) == [
        "kernel     has hci0 DC:A6:32:01:02:03 down, UART: 'rfkill list' tells whether it is blocked",
        "kernel     has hci1 (no address yet) up, USB: "
          + "'systemctl status bluetooth' tells why bluetoothd does not show it",
      ])
    let error = ControllersError(operation: .list, object: "the controllers", code: 5)
    #expect(
      try kernel(.failure(error)) == ["kernel     cannot list the controllers: Input/output error (errno 5)"])
  }

  @Test func saysWhatKeepsTheMachineAwake() throws {
    let status = try json(
      #"{"locks":[{"what":"idle","held":true,"mode":"block"},{"what":"sleep","held":false,"trouble":"refused"},"#
        + #"{"what":"later","held":false}]}"#)
    let lines = StatusText(status: status, style: .test()).lines.filter { $0.hasPrefix("lock") }
    #expect(lines == ["lock     idle, block", "lock     not on sleep: refused"])
  }

  @Test func survivesAReplyOfAnotherVersion() throws {
    let text = StatusText(status: try json(#"{"straps":[{}],"sessions":[{}],"adapters":[{}]}"#), style: .test())
    #expect(
      text.lines.joined(separator: "\n") == """
        strapd   ?
        adapter  \("")
        strap    , ?, heart rate unknown
        session  ? ?
                 ?, elapsed ?, heart rate unknown
        """)
  }

  @Test(
    arguments: [
      ("standing", "not connected"), ("waitingForBluetoothd", "waits for bluetoothd"),
      ("waitingForAdapter", "waits for the adapter"), ("searching", "searching"), ("connecting", "connecting"),
      ("streaming", "streaming"), ("backingOff", "waits before it tries again"), ("later", "later"),
    ] as [(String, String)])
  func saysWhereALinkStands(_ link: String, _ words: String) {
    #expect(LinkText.words(link) == words)
  }
}
