import Testing

@testable import strapctl

struct DiagnosisTests {
  @Test func nothingIsWrong() throws {
    let findings = try Facts.findings { _ in }
    #expect(!findings.preventRecording)
    #expect(
      Doctor.lines(findings).joined(separator: "\n") == """
        ok       hci0 DC:A6:32:01:02:03 up, UART, Bluetooth 5.0, Cypress Semiconductor
        ok       rfkill blocks no Bluetooth
        ok       the system bus answers
        ok       bluetoothd 5.82 runs
        ok       the D-Bus policy lets this user speak to bluetoothd
        ok       bluetoothd has hci0 DC:A6:32:01:02:03, on
        ok       strapd.service is active (running)
        ok       strapd.service and strapd.socket are enabled
        ok       strapd 0.1.0 answers at /run/strapd/control.sock
        ok       strapd can use Bluetooth
        ok       /run/strapd/control.sock is for root:strapd, mode 0660
        ok       ada may control strapd
        ok       /var/lib/strapd is open to strapd alone (mode 0700)
        ok       3.0 GiB free on the disk of /var/lib/strapd
        ok       the clock is synchronised
        ok       Demo HR (F0:F1:F2:F3:F4:F5): streaming, battery 87 %

        Nothing prevents recording.
        """)
  }

  @Test func aFindingHasAnIdOfItsOwn() throws {
    let findings = try Facts.findings { facts in
      facts.kernel = .found(.present([.test("hci0"), .test("hci1")]))
      facts.switches = .found(["hci0", "hci1"].map { RadioSwitch(name: $0, isBlockedBySoftware: true) })
    }
    #expect(Set(findings.map(\.id)).count == findings.count)
  }

  @Test func adviceStandsBelowItsFindingAndTheProblemsAreCounted() {
    let lines = Doctor.lines([
      Finding("a", .ok, "all is well"), Finding("b", .problem, "this is broken", advice: "mend it"),
      Finding("c", .note, "by the way"),
    ])
    #expect(
      lines.joined(separator: "\n") == """
        ok       all is well
        problem  this is broken
                 what to do: mend it
        note     by the way

        1 problem prevents recording.
        """)
    #expect(
      Doctor.lines([Finding("b", .problem, "x"), Finding("c", .problem, "y")]).last
        == "2 problems prevent recording.")
  }

  /// What no probe could find out is no proof that anything is wrong.
  @Test func whatCannotBeToldPreventsNothing() throws {
    for change: (inout Facts) -> Void in [
      { $0.kernel = .failed("why") }, { $0.kernel = .timedOut(.seconds(5)) }, { $0.switches = .failed("why") },
      { $0.switches = .timedOut(.seconds(3)) }, { $0.account = .failed("why") },
      { $0.account = .timedOut(.seconds(3)) }, { $0.socket = .failed("why") }, { $0.socket = .timedOut(.seconds(3)) },
      { $0.state = .failed("why") }, { $0.state = .timedOut(.seconds(3)) }, { $0.disk = .failed("why") },
      { $0.disk = .timedOut(.seconds(3)) }, { $0.installed = .failed("why") },
      { $0.installed = .timedOut(.seconds(2)) }, { $0.clock.isSynchronised = nil },
      { $0.setBus { $0.systemd = .failed("why") } },
    ] {
      let findings = try Facts.findings(change)
      #expect(!findings.preventRecording, "\(findings)")
      #expect(findings.allSatisfy { [.ok, .warning].contains($0.severity) })
      #expect(findings.allSatisfy { $0.severity == .ok || $0.advice != nil })
    }
  }

  @Test func saysWhatCouldNotBeTold() throws {
    let failed = try Facts.findings { $0.disk = .failed("/var: Permission denied") }.first { $0.id == "disk" }
    #expect(
      failed
        == Finding(
          "disk", .warning, "the room for workouts cannot be told: /var: Permission denied",
          advice: "try again as root: 'sudo strapctl doctor'"))
    let late = try Facts.findings { $0.disk = .timedOut(.seconds(3)) }.first { $0.id == "disk" }
    #expect(
      late
        == Finding(
          "disk", .warning, "the room for workouts cannot be told: no answer within 3 s",
          advice: "see 'dmesg' for what the machine hangs at"))
  }
}

struct FindingTests {
  @Test func isOneObjectForPrograms() {
    #expect(
      Finding("bus", .problem, "no bus", advice: "start it").json.text
        == #"{"id":"bus","severity":"problem","text":"no bus","advice":"start it"}"#)
    #expect(Finding("bus", .ok, "a bus").json.text == #"{"id":"bus","severity":"ok","text":"a bus"}"#)
  }

  @Test func isOneLineWhateverOthersWrite() {
    let finding = Finding("a", .note, "two\nlines\u{1B}[31m", advice: "one\r\ntwo")
    #expect(finding.text == "two lines\u{FFFD}[31m")
    #expect(finding.advice == "one two")
  }
}
