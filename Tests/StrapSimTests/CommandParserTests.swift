import Bus
import Measurements
import Testing

@testable import strap_sim

@Suite struct CommandParserTests {
  static let goodLines: [(String, Command)] = [
    ("A beat 120", .to(tag: "A", .beat(.steady(120), hertz: nil))),
    ("A beat 0 4", .to(tag: "A", .beat(.steady(0), hertz: 4))),
    ("A beat auto 0.5", .to(tag: "A", .beat(.auto, hertz: 0.5))),
    ("A mute", .to(tag: "A", .mute)),
    ("A raw 1648", .to(tag: "A", .raw([0x16, 0x48]))),
    ("A raw \"\"", .to(tag: "A", .raw([]))),
    ("A burst 1648 16 \"\"", .to(tag: "A", .burst([[0x16, 0x48], [0x16], []]))),
    ("A loss", .to(tag: "A", .loss)),
    ("A return", .to(tag: "A", .comeBack)),
    ("A drop", .to(tag: "A", .drop)),
    (
      "A connect-error Failed le-connection-timeout",
      .to(tag: "A", .connectError(BusError(name: "org.bluez.Error.Failed", text: "le-connection-timeout")))
    ),
    (
      "A connect-error Failed Software caused connection abort",
      .to(tag: "A", .connectError(BusError(name: "org.bluez.Error.Failed", text: "Software caused connection abort")))
    ),
    ("A connect-error none", .to(tag: "A", .connectError(nil))),
    (
      "A notify-error org.example.Own",
      .to(tag: "A", .notifyError(BusError(name: "org.example.Own", text: "")))
    ),
    ("A connect-hang on", .to(tag: "A", .connectHang(true))),
    ("A resolve-hang off", .to(tag: "A", .resolveHang(false))),
    ("A no-heart-rate on", .to(tag: "A", .noHeartRate(true))),
    ("A notify-silent on", .to(tag: "A", .notifySilent(true))),
    ("A bond-needed on", .to(tag: "A", .bondNeeded(true))),
    ("A bond made", .to(tag: "A", .bond(.made))),
    ("A bond lost", .to(tag: "A", .bond(.lost))),
    ("A bond none", .to(tag: "A", .bond(.none))),
    ("A asks none", .to(tag: "A", .asks(nil))),
    ("A asks passkey 4711", .to(tag: "A", .asks(.passkey(4711)))),
    ("A asks confirm 0", .to(tag: "A", .asks(.confirm(0)))),
    ("A asks pin 0000", .to(tag: "A", .asks(.pin("0000")))),
    ("A asks show 999999", .to(tag: "A", .asks(.show(999_999)))),
    ("A asks show-pin 1234567890123456", .to(tag: "A", .asks(.showPin("1234567890123456")))),
    (
      "A pair-error AuthenticationRejected Authentication Rejected",
      .to(
        tag: "A",
        .pairError(BusError(name: "org.bluez.Error.AuthenticationRejected", text: "Authentication Rejected")))
    ),
    ("A pair-error none", .to(tag: "A", .pairError(nil))),
    ("A pair-hang on", .to(tag: "A", .pairHang(true))),
    ("A copies 3", .to(tag: "A", .copies(3))),
    ("A battery 42", .to(tag: "A", .battery(42))),
    ("A contact on", .to(tag: "A", .contact(.detected))),
    ("A contact off", .to(tag: "A", .contact(.notDetected))),
    ("A contact unsupported", .to(tag: "A", .contact(.unknown))),
    ("A energy 65535", .to(tag: "A", .energy(65535))),
    ("A energy none", .to(tag: "A", .energy(nil))),
    ("A rssi -90", .to(tag: "A", .rssi(-90))),
    ("adapter off", .adapter(.off)),
    ("adapter on", .adapter(.on)),
    ("adapter remove", .adapter(.remove)),
    ("adapter add", .adapter(.add("hci0"))),
    ("adapter add hci12", .adapter(.add("hci12"))),
    ("adapter block", .adapter(.block)),
    ("adapter unblock", .adapter(.unblock)),
    ("bluetoothd stop", .bluetoothd(.stop)),
    ("bluetoothd start", .bluetoothd(.start)),
    ("malformed value-type", .malformed([.valueType])),
    ("malformed all", .malformed(MalformedKind.allCases)),
    ("quit", .quit),
  ]

  @Test(arguments: goodLines)
  func good(line: String, command: Command) throws {
    var reader = ScriptReader(file: "x", tags: ["A"])
    #expect(try reader.read(line)?.command == command)
  }

  static let badLines: [(line: String, says: String)] = [
    ("B loss", "there is no command and no strap 'B'"), ("loss", "there is no command and no strap 'loss'"),
    ("A", "what happens to the strap is missing"), ("A explode", "'explode' does not happen to a strap"),
    ("A loss now", "'now' is one word too many"), ("A beat", "the heart rate is missing"),
    ("A beat fast", "'fast' is not a heart rate"), ("A beat 301", "'301' is not a heart rate"),
    ("A beat -1", "'-1' is not a heart rate"), ("A beat 60 0", "'0' is no frequency"),
    ("A beat 60 51", "'51' is no frequency"), ("A beat 60 1 1", "'1' is one word too many"),
    ("A raw", "the payload is missing"), ("A raw 1", "'1' is no payload"), ("A raw xy", "'xy' is no payload"),
    ("A raw 16 48", "'48' is one word too many"), ("A burst", "a payload is missing"),
    ("A burst 16 4", "'4' is no payload"), ("A copies 0", "'0' is not a number"),
    ("A battery 101", "'101' is not a percentage"), ("A contact maybe", "'maybe' is no contact"),
    ("A energy 65536", "'65536' is not a number of kilojoules"), ("A rssi loud", "'loud' is not an rssi in dBm"),
    ("A bond-needed maybe", "'maybe' is neither on nor off"), ("A bond", "the bond is missing"),
    ("A bond open", "'open' is no bond"), ("A asks", "what the strap asks is missing"),
    ("A asks politely", "'politely' is nothing that a strap asks"), ("A asks passkey", "the passkey is missing"),
    ("A asks passkey 1000000", "'1000000' is not a passkey"), ("A asks confirm -1", "'-1' is not a passkey"),
    ("A asks show many", "'many' is not a passkey"), ("A asks pin", "the PIN is missing"),
    ("A asks pin \"\"", "'' is no PIN"), ("A asks show-pin 12345678901234567", "'12345678901234567' is no PIN"),
    ("A asks none at all", "'at' is one word too many"), ("A pair-error 1bad", "'1bad' is no error's name"),
    ("A connect-hang", "on or off is missing"), ("A connect-hang yes", "'yes' is neither on nor off"),
    ("A connect-error", "the error's name is missing"), ("A connect-error 1bad", "'1bad' is no error's name"),
    ("adapter", "what happens to the adapter is missing"), ("adapter explode", "'explode' does not happen"),
    ("adapter add usb0", "'usb0' is no adapter"), ("adapter add hci01", "'hci01' is no adapter"),
    ("adapter add hci", "'hci' is no adapter"), ("bluetoothd", "what bluetoothd does is missing"),
    ("bluetoothd kill", "'kill' is nothing that bluetoothd does"), ("malformed", "the kind is missing"),
    ("malformed much", "'much' is no kind"), ("quit now", "'now' is one word too many"),
  ]

  @Test(arguments: badLines)
  func bad(line: String, says: String) {
    var reader = ScriptReader(file: "x", tags: ["A"])
    var text = "nothing was thrown"
    do throws(ScriptError) {
      _ = try reader.read(line)
    } catch {
      text = error.text
    }
    #expect(text.hasPrefix(says), "\(text)")
  }

  @Test func aDeclarationWithEverything() throws {
    var reader = ScriptReader(file: "x")
    let line = try reader.read(
      """
      strap C2 aa:bb:cc:dd:ee:ff name="My Strap" heart-rate=no rssi=-71 battery=5 location=9 manufacturer="A B" model=M serial=7 \
      hardware=h firmware=f software=s connect-ms=10 resolve-ms=0
      """)
    var expected = StrapDeclaration(tag: "C2", address: try #require(StrapAddress("AA:BB:CC:DD:EE:FF")))
    expected.name = "My Strap"
    expected.hasHeartRate = false
    expected.rssi = -71
    expected.battery = 5
    expected.location = 9
    expected.information.manufacturer = "A B"
    expected.information.model = "M"
    expected.information.serial = "7"
    expected.information.hardwareRevision = "h"
    expected.information.firmwareRevision = "f"
    expected.information.softwareRevision = "s"
    expected.connecting = .milliseconds(10)
    expected.resolving = .zero
    #expect(line?.command == .strap(expected))
    #expect(reader.tags == ["C2"])
  }

  @Test func whatADeclarationLeavesOut() throws {
    var reader = ScriptReader(file: "x")
    guard case .strap(let strap)? = try reader.read("strap A F0:F1:F2:F3:F4:F5 location=none")?.command else {
      Issue.record("no strap")
      return
    }
    #expect(strap.name == "Demo A")
    #expect(strap.hasHeartRate)
    #expect(strap.rssi == -50)
    #expect(strap.battery == 87)
    #expect(strap.location == nil)
    #expect(strap.connecting == .milliseconds(300))
    #expect(strap.resolving == .milliseconds(300))
  }

  static let badDeclarations: [(line: String, says: String)] = [
    ("strap", "the strap's tag is missing"), ("strap A", "the strap's address is missing"),
    ("strap A F0:F1", "'F0:F1' is no address"), ("strap at F0:F1:F2:F3:F4:F5", "'at' is no tag"),
    ("strap quit F0:F1:F2:F3:F4:F5", "'quit' is no tag"), ("strap A-B F0:F1:F2:F3:F4:F5", "'A-B' is no tag"),
    ("strap D F0:F1:F2:F3:F4:F5", "there is a strap 'D' already"),
    ("strap A F0:F1:F2:F3:F4:F5 name", "'name' has no value"),
    ("strap A F0:F1:F2:F3:F4:F5 colour=red", "a strap has no 'colour'"),
    ("strap A F0:F1:F2:F3:F4:F5 heart-rate=maybe", "'maybe' is neither yes nor no"),
    ("strap A F0:F1:F2:F3:F4:F5 rssi=loud", "'loud' is not an rssi in dBm"),
    ("strap A F0:F1:F2:F3:F4:F5 battery=101", "'101' is not a percentage"),
    ("strap A F0:F1:F2:F3:F4:F5 location=256", "'256' is not a body sensor location"),
    ("strap A F0:F1:F2:F3:F4:F5 connect-ms=-1", "'-1' is not a number of milliseconds"),
  ]

  @Test(arguments: badDeclarations)
  func badDeclaration(line: String, says: String) {
    var reader = ScriptReader(file: "x", tags: ["D"])
    var text = "nothing was thrown"
    do throws(ScriptError) {
      _ = try reader.read(line)
    } catch {
      text = error.text
    }
    #expect(text.hasPrefix(says), "\(text)")
  }
}
