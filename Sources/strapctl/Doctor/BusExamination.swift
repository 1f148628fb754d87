import BlueZ
import Bus
import Glibc
import Measurements
import SystemBus

/// A short conversation on the system bus: who is there, and what they say. Nobody is started by it.
final class BusExamination {
  private let bus: SystemBus
  private var serials = Serials()
  /// The answers that have come, by the call's number.
  private var answers: [UInt32: Result<[BusValue], BusError>] = [:]

  enum Failure: Error, CustomStringConvertible {
    case unreachable(SystemBusError)
    case noAnswer(String, Duration)
    case gone
    case refused(String, BusError)

    var description: String {
      switch self {
      case .unreachable(let error): "the system bus cannot be reached at \(error.subject): \(error.text)"
      case .noAnswer(let who, let limit): "\(who) does not answer within \(limit.inWords)"
      case .gone: "the system bus closed the connection"
      case .refused(let what, let error): "\(what): \(error)"
      }
    }
  }

  /// - Parameter address: nil for the usual one.
  init(address: String?) throws(Failure) {
    do throws(SystemBusError) {
      if let address { bus = try SystemBus(address: address) } else { bus = try SystemBus() }
    } catch {
      throw .unreachable(error)
    }
  }

  /// Asks bluetoothd and systemd, both at once.
  ///
  /// - Parameter limit: how long the answers are waited for, once the bus itself has answered.
  func facts(_ limit: Duration) throws -> BusFacts {
    let hello = serials.next()
    try bus.send(BusDaemon.hello(serial: hello))
    guard let greeting = try answer(to: hello, until: Deadline(after: limit)) else {
      throw Failure.noAnswer("the system bus", limit)
    }
    if case .failure(let error) = greeting { throw Failure.refused("the system bus does not let this user in", error) }
    let owner = try send { BusDaemon.getNameOwner("org.bluez", serial: $0) }
    let tree = try send { BlueZCall.getManagedObjects(serial: $0) }
    let units = try send { SystemdCall.listUnits(SystemdCall.units, serial: $0) }
    let files = try SystemdCall.units.map { unit in try send { SystemdCall.getUnitFileState(unit, serial: $0) } }
    let deadline = Deadline(after: limit)
    let bluetoothd = try bluetoothd(
      owner: answer(to: owner, until: deadline), tree: answer(to: tree, until: deadline), limit)
    let listed = try answer(to: units, until: deadline)
    let states = try files.map { try answer(to: $0, until: deadline) }
    return BusFacts(bluetoothd: bluetoothd, systemd: Self.systemd(listed, states, limit))
  }

  private func send(_ message: (UInt32) -> BusMessage) throws(SystemBusError) -> UInt32 {
    let serial = serials.next()
    try bus.send(message(serial))
    return serial
  }

  /// - Returns: nil where none has come in time.
  private func answer(to serial: UInt32, until deadline: Deadline) throws(Failure) -> Result<[BusValue], BusError>? {
    while true {
      var messages: [BusMessage] = []
      let isConnected = bus.drain(into: &messages)
      for message in messages { take(message) }
      if let answer = answers[serial] { return answer }
      guard isConnected else { throw .gone }
      let file = Poll.File(
        descriptor: bus.fileDescriptor, events: bus.wantsToWrite ? POLLIN | POLLOUT : POLLIN)
      if Poll.wait(for: [file], until: deadline).isEmpty { return nil }
    }
  }

  private func take(_ message: BusMessage) {
    for descriptor in message.fileDescriptors { close(descriptor.raw) }
    switch message.kind {
    case .reply(let serial): answers[serial] = .success(message.body)
    case .error(let serial, let error): answers[serial] = .failure(error)
    case .call, .signal: break
    }
  }

  // MARK: What the answers mean

  private func bluetoothd(
    owner: Result<[BusValue], BusError>?, tree: Result<[BusValue], BusError>?, _ limit: Duration
  ) throws(Failure) -> BusFacts.Bluetoothd {
    switch owner {
    case nil: throw .noAnswer("the system bus", limit)
    case .failure?: return .absent
    case .success?: break
    }
    switch tree {
    case nil: return .silent(limit)
    case .failure(let error)?:
      let meaning = BlueZError(error)
      return meaning == .bluetoothdAbsent ? .silent(limit) : .refused(meaning)
    case .success(let body)?: return .present(body.first.map(BusAdapter.all) ?? [])
    }
  }

  private static func systemd(
    _ listed: Result<[BusValue], BusError>?, _ files: [Result<[BusValue], BusError>?], _ limit: Duration
  ) -> BusFacts.Systemd {
    switch listed {
    case nil: return .failed("systemd does not answer within \(limit.inWords)")
    case .failure(let error)?: return BlueZError(error) == .bluetoothdAbsent ? .absent : .failed("\(error)")
    case .success(let body)?:
      guard let units = body.first.flatMap(Unit.all) else { return .failed("its list of units is not understood") }
      return .units(
        units.map { unit in
          var unit = unit
          for (name, answer) in zip(SystemdCall.units, files) where name == unit.name {
            guard case .success(let body)? = answer else { continue }
            unit.file = body.first?.asString.flatMap { $0.isEmpty ? nil : $0 }
          }
          return unit
        })
    }
  }
}

/// systemd's methods (org.freedesktop.systemd1(5)), for every user to call.
enum SystemdCall {
  static let units = ["strapd.service", "strapd.socket", "bluetooth.service"]

  static func listUnits(_ names: [String], serial: UInt32) -> BusMessage {
    call("ListUnitsByNames", [.strings(names)], serial)
  }

  static func getUnitFileState(_ name: String, serial: UInt32) -> BusMessage {
    call("GetUnitFileState", [.string(name)], serial)
  }

  private static func call(_ member: MemberName, _ body: [BusValue], _ serial: UInt32) -> BusMessage {
    let call = BusCall(
      "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", member, withoutActivation: true)
    return BusMessage(.call(call), serial: serial, destination: "org.freedesktop.systemd1", body: body)
  }
}

extension Unit {
  /// The units of ListUnitsByNames, "a(ssssssouso)"; nil for anything else.
  static func all(_ value: BusValue) -> [Unit]? {
    guard case .array(_, let elements) = value else { return nil }
    var units: [Unit] = []
    for element in elements {
      guard case .structure(let fields) = element, fields.count >= 5, let name = fields[0].asString,
        let load = fields[2].asString, let active = fields[3].asString, let sub = fields[4].asString
      else { return nil }
      units.append(Unit(name: name, load: load, active: active, sub: sub))
    }
    return units
  }
}

extension BusAdapter {
  /// The adapters of GetManagedObjects, "a{oa{sa{sv}}}", by their paths.
  static func all(_ tree: BusValue) -> [BusAdapter] {
    guard case .dictionary(_, _, let entries) = tree else { return [] }
    let adapters = entries.compactMap { entry -> BusAdapter? in
      guard let path = entry.key.asObjectPath, let interfaces = entry.value.asProperties,
        let properties = interfaces["org.bluez.Adapter1"]?.asProperties
      else { return nil }
      return BusAdapter(
        name: String(path.lastElement), address: properties["Address"]?.asString.flatMap { StrapAddress($0) },
        isPowered: properties["Powered"]?.asBool ?? false,
        isBlocked: properties["PowerState"]?.asString == "off-blocked",
        version: properties["Modalias"]?.asString.flatMap(version))
    }
    return adapters.sorted { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }
  }

  /// BlueZ's version out of the device id that it announces unless main.conf sets another: "usb:v1D6Bp0246d0552" is the
  /// Linux Foundation's product BlueZ in version 5.82, each half of the last number in hexadecimal digits (src/main.c).
  static func version(ofModalias text: String) -> String? {
    let prefix = "usb:v1D6Bp0246d"
    let digits = text.dropFirst(prefix.count)
    guard text.hasPrefix(prefix), digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let number = UInt16(digits, radix: 16), number > 0
    else { return nil }
    let (major, minor) = (number >> 8, number & 0xFF)
    return "\(major).\(minor < 10 ? "0" : "")\(minor)"
  }
}
