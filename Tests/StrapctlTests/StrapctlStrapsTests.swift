import Glibc
import TestSupport
import Testing

@testable import strapctl

/// The real program about straps, with the test as its daemon.
struct StrapctlStrapsTests {
  private static let known =
    #"{"address":"F0:F1:F2:F3:F4:F5","name":"Left","batteryPercent":87,"connected":false,"bonded":true,"link":"standing"}"#

  @Test func listsTheKnownStraps() throws {
    let call = #"{"method":"io.strapd.ListStraps","parameters":{}}"#
    let reply = #"{"parameters":{"straps":[\#(Self.known),{"address":"x"}]}}"#
    #expect(
      try StrapctlTests.converse("straps --json", expecting: call, answering: reply)
        == StrapctlTests.Result(status: 0, output: Self.known + "\n" + #"{"address":"x"}"# + "\n", errors: ""))
    let result = try StrapctlTests.converse("straps", expecting: call, answering: reply)
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix("name  address            model  firmware  battery  signal  bonded  athlete  last seen"))
    #expect(
      result.output.contains("\nLeft  F0:F1:F2:F3:F4:F5  -      -            87 %       -  yes     -        never"))
  }

  @Test func namesAndForgetsStraps() throws {
    #expect(
      try StrapctlTests.converse(
        "name left Left", expecting: #"{"method":"io.strapd.NameStrap","parameters":{"strap":"left","name":"Left"}}"#,
        answering: #"{"parameters":{"strap":\#(Self.known)}}"#)
        == StrapctlTests.Result(status: 0, output: "F0:F1:F2:F3:F4:F5 is called 'Left'\n", errors: ""))
    #expect(
      try StrapctlTests.converse(
        "name left Left --json",
        expecting: #"{"method":"io.strapd.NameStrap","parameters":{"strap":"left","name":"Left"}}"#,
        answering: #"{"parameters":{"strap":\#(Self.known)}}"#)
        == StrapctlTests.Result(status: 0, output: Self.known + "\n", errors: ""))
    #expect(
      try StrapctlTests.converse(
        "forget left", expecting: #"{"method":"io.strapd.ForgetStrap","parameters":{"strap":"left"}}"#,
        answering: #"{"parameters":{"strap":"F0:F1:F2:F3:F4:F5","bondRemoved":true}}"#)
        == StrapctlTests.Result(
          status: 0, output: "F0:F1:F2:F3:F4:F5 is forgotten, and bluetoothd's bond with it is removed\n", errors: ""))
  }

  // MARK: scan

  private static let strap = #"{"address":"F0:F1:F2:F3:F4:F5","rssi":-50,"name":"Demo HR","heartRate":true}"#

  private static func scan(_ words: String, expecting call: String) throws -> (ChildProcess, FakeConversation) {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start(words, daemon)
    let served = try daemon.accept()
    #expect(try served.call() == call)
    served.send(#"{"parameters":{"devices":[],"gone":[],"advice":"switch it on"},"continues":true}"#)
    served.send(#"{"parameters":{"devices":[\#(strap)],"gone":[]},"continues":true}"#)
    return (child, served)
  }

  @Test func printsALineForEachDeviceThatComesChangesOrGoes() throws {
    let (child, served) = try Self.scan("scan", expecting: #"{"method":"io.strapd.Scan","parameters":{},"more":true}"#)
    #expect(try child.line() == "F0:F1:F2:F3:F4:F5  -50 dBm  (Demo HR)")
    served.send(
      #"{"parameters":{"devices":[{"address":"F0:F1:F2:F3:F4:F5","rssi":-51,"name":"Demo HR","heartRate":true}],"gone":[]},"continues":true}"#
    )
    served.send(#"{"parameters":{"devices":[],"gone":["F0:F1:F2:F3:F4:F5"]},"continues":true}"#)
    #expect(try child.line() == "F0:F1:F2:F3:F4:F5  gone")
    child.signal(SIGINT)
    #expect(
      try StrapctlTests.result(child) == StrapctlTests.Result(status: 0, output: "", errors: "strapctl: switch it on\n")
    )
  }

  @Test func printsTheReportsThemselvesForPrograms() throws {
    let (child, served) = try Self.scan(
      "scan --all --json", expecting: #"{"method":"io.strapd.Scan","parameters":{"all":true},"more":true}"#)
    #expect(try child.line() == #"{"devices":[],"gone":[],"advice":"switch it on"}"#)
    #expect(try child.line() == #"{"devices":[\#(Self.strap)],"gone":[]}"#)
    served.send(#"{"error":"io.strapd.ShuttingDown","parameters":{}}"#)
    let result = try StrapctlTests.result(child)
    #expect(result.status == 1)
    #expect(result.errors == #"{"error":"io.strapd.ShuttingDown","parameters":{}}"# + "\n")
  }

  /// Nobody hangs up and no signal comes: the time is up.
  @Test func endsWhenTheTimeIsUp() throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("scan --seconds 0.2", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(#"{"parameters":{"devices":[],"gone":[]},"continues":true}"#)
    let result = try StrapctlTests.result(child)
    #expect(result.status == 0)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("strapctl: no strap was heard: wear it and wet the electrodes"))
    served.hangUp()
  }

  /// What it shows then is what bluetoothd knows from before.
  @Test(arguments: [
    (
      #"{"parameters":{"devices":[\#(Self.strap)],"gone":[],"advice":"switch it on","scanning":false},"continues":true}"#,
      "cannot scan: switch it on. What is shown is known from before, and may be anywhere"
    ),
    (
      #"{"parameters":{"devices":[],"gone":[],"advice":"switch it on","scanning":false},"continues":true}"#,
      "cannot scan: switch it on"
    ),
    (
      #"{"parameters":{"devices":[],"gone":[],"scanning":false},"continues":true}"#,
      "cannot scan: bluetoothd was asked to and has not begun within that time. 'strapctl doctor' tells more"
    ),
  ])
  func whatCouldNotScanIsNoSuccess(_ report: String, _ error: String) throws {
    for option in ["", " --json"] {
      let daemon = try FakeDaemon()
      let child = try StrapctlTests.start("scan --seconds 0.2" + option, daemon)
      let served = try daemon.accept()
      _ = try served.call()
      served.send(report)
      let result = try StrapctlTests.result(child)
      #expect(result.status == 1)
      #expect(result.errors.hasSuffix("strapctl: \(error)\n"), "\(result.errors)")
      served.hangUp()
    }
  }

  @Test func oneThatBeginsLateIsASuccess() throws {
    let daemon = try FakeDaemon()
    let child = try StrapctlTests.start("scan --seconds 0.3", daemon)
    let served = try daemon.accept()
    _ = try served.call()
    served.send(#"{"parameters":{"devices":[],"gone":[],"advice":"switch it on","scanning":false},"continues":true}"#)
    served.send(#"{"parameters":{"devices":[\#(Self.strap)],"gone":[],"scanning":true},"continues":true}"#)
    served.send(#"{"parameters":{"devices":[],"gone":[],"advice":"gone","scanning":false},"continues":true}"#)
    #expect(try StrapctlTests.result(child).status == 0)
    served.hangUp()
  }
}
