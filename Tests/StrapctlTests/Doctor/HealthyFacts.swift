import BlueZ
import Control
import Measurements

@testable import Controllers
@testable import strapctl

extension Facts {
  /// A Raspberry Pi on which everything is as it should be, asked by an ordinary user.
  static func healthy() throws -> Facts {
    Facts(
      kernel: .found(.present([.test("hci0")])), switches: .found([RadioSwitch(name: "hci0")]),
      bus: .found(
        BusFacts(
          bluetoothd: .present([.test("hci0")]),
          systemd: .units([
            Unit(name: "strapd.service", load: "loaded", active: "active", sub: "running", file: "enabled"),
            Unit(name: "strapd.socket", load: "loaded", active: "active", sub: "running", file: "enabled"),
            Unit(name: "bluetooth.service", load: "loaded", active: "active", sub: "running", file: "enabled"),
          ]))),
      installed: .found(InstalledBluetoothd(path: "/usr/libexec/bluetooth/bluetoothd", version: "5.82")),
      account: .found(Account(name: "ada", isMember: true, isListed: true, daemonUser: 990)),
      socket: .found(SocketFile(path: "/run/strapd/control.sock", mode: 0o660, owner: "root", group: "strapd")),
      daemon: .status(try status(), known: []),
      state: .found(StateFolder(path: "/var/lib/strapd", mode: 0o700, owner: "strapd", ownerNumber: 990)),
      disk: .found(Disk(path: "/var/lib/strapd", freeOctets: 3 << 30)),
      clock: Clock(isSynchronised: true, now: WallTime(rfc3339: "2026-11-30T09:00:00Z") ?? WallTime(nanoseconds: 0)))
  }

  /// GetStatus's reply, with members of its own.
  static func status(_ members: String = "") throws -> JSON {
    let own = try json("{\(members)}")
    let usual = try json(
      #"{"version":"\#(Interface.version)","protocolVersion":\#(Interface.protocolVersion),"bluetooth":"ready","#
        + #""straps":[{"address":"F0:F1:F2:F3:F4:F5","name":"Demo HR","link":"streaming","batteryPercent":87}],"#
        + #""sessions":[],"oddSignals":0}"#)
    guard case .object(let changed) = own, case .object(let rest) = usual else { return own }
    return .object(changed + rest.filter { member in !changed.contains { $0.name == member.name } })
  }

  /// The findings on these facts after a change.
  static func findings(_ change: (inout Facts) throws -> Void) throws -> [Finding] {
    var facts = try healthy()
    try change(&facts)
    return Diagnosis(facts, .test()).findings
  }

  mutating func setBus(_ change: (inout BusFacts) -> Void) {
    guard case .found(var found) = bus else { return }
    change(&found)
    bus = .found(found)
  }

  /// Changes one of the units.
  mutating func setUnit(_ name: String, _ change: (inout Unit) -> Void) {
    setBus { bus in
      guard case .units(var units) = bus.systemd, let index = units.firstIndex(where: { $0.name == name }) else {
        return
      }
      change(&units[index])
      bus.systemd = .units(units)
    }
  }
}

extension Controller {
  static func test(_ name: String, isUp: Bool = true, hci: UInt8? = 9) -> Controller {
    Controller(
      name: name, address: StrapAddress("DC:A6:32:01:02:03"), isUp: isUp, bus: "UART",
      version: isUp ? hci.map { Version(manufacturer: 305, hci: $0) } : nil)
  }
}

extension BusAdapter {
  static func test(_ name: String, isPowered: Bool = true, isBlocked: Bool = false, version: String? = "5.82")
    -> BusAdapter
  {
    BusAdapter(
      name: name, address: StrapAddress("DC:A6:32:01:02:03"), isPowered: isPowered, isBlocked: isBlocked,
      version: version)
  }
}
