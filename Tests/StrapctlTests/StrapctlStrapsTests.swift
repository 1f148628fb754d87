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
}
