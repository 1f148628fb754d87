/// The house's table: which target may import what. A target that is not in it may not exist.
struct Room: Equatable {
  enum Kind: Equatable {
    /// A room of floors 1 to 5: it may import every pure room below it and never reads a clock, a file or a socket.
    case pure(floor: Int)
    /// A room with I/O: it imports exactly what is listed, and the system.
    case annex
    /// Floor 6: it may import every pure room, and of the annex what is listed.
    case program
    /// A C library.
    case cellar
  }

  var name: String
  var kind: Kind
  /// What it may import beside what its floor allows.
  var imports: Set<String> = []
}

enum House {
  static let rooms: [Room] = [
    Room(
      name: "strapd", kind: .program,
      imports: ["SystemBus", "Store", "EventLoop", "CArgp", "Glibc", "Synchronization"]),
    Room(
      name: "strapctl", kind: .program,
      imports: [
        "SystemBus", "Controllers", "CArgp", "CTimex", "Glibc", "Synchronization", "Foundation", "FoundationEssentials",
      ]),
    Room(name: "strap-sim", kind: .program, imports: ["SystemBus", "EventLoop", "Glibc", "Synchronization"]),

    Room(name: "Engine", kind: .pure(floor: 5)),
    Room(name: "ActivityFiles", kind: .pure(floor: 5), imports: ["CExpat"]),
    Room(name: "Control", kind: .pure(floor: 4), imports: ["CJansson"]),
    Room(name: "BlueZ", kind: .pure(floor: 3)),
    Room(name: "Logind", kind: .pure(floor: 3)),
    Room(name: "Workout", kind: .pure(floor: 3), imports: ["CMath"]),
    Room(name: "Bus", kind: .pure(floor: 2)),
    Room(name: "Physiology", kind: .pure(floor: 2), imports: ["CMath"]),
    Room(name: "Measurements", kind: .pure(floor: 1)),

    Room(name: "SystemBus", kind: .annex, imports: ["Bus", "Measurements", "CDBus", "Glibc", "Synchronization"]),
    Room(
      name: "Store", kind: .annex, imports: ["Workout", "Measurements", "CSQLite", "CZstd", "Glibc", "Synchronization"]),
    Room(name: "EventLoop", kind: .annex, imports: ["Measurements", "CSystemd", "CTimex", "Glibc", "Synchronization"]),
    Room(name: "Controllers", kind: .annex, imports: ["Measurements", "CBluetooth", "Glibc", "Synchronization"]),

    Room(name: "CArgp", kind: .cellar),
    Room(name: "CBluetooth", kind: .cellar),
    Room(name: "CDBus", kind: .cellar),
    Room(name: "CExpat", kind: .cellar),
    Room(name: "CJansson", kind: .cellar),
    Room(name: "CMath", kind: .cellar),
    Room(name: "CSQLite", kind: .cellar),
    Room(name: "CSystemd", kind: .cellar),
    Room(name: "CTimex", kind: .cellar),
    Room(name: "CZstd", kind: .cellar),
  ]

  static func room(_ name: String) -> Room? {
    rooms.first { $0.name == name }
  }

  /// Why a room may not import a module; nil where it may.
  static func refusal(of module: String, in room: Room) -> String? {
    if room.imports.contains(module) { return nil }
    let other = Self.room(module)
    switch (room.kind, other?.kind) {
    case (.program, .pure): return nil
    case (.pure(let floor), .pure(let otherFloor)):
      if otherFloor < floor { return nil }
      if otherFloor == floor { return "\(room.name) imports \(module), a room of its own floor \(floor)" }
      return "\(room.name) of floor \(floor) imports \(module) of floor \(otherFloor): only downwards"
    case (.pure, .annex): return "\(room.name) is pure and imports \(module) of the annex"
    case (.pure, .program), (.annex, .program): return "\(room.name) imports the program \(module)"
    case (.program, .program): return "\(room.name) imports \(module), another program"
    case (.pure, .cellar): return "\(room.name) is pure and imports the C library \(module)"
    case (.pure, nil): return "\(room.name) is pure and imports \(module), which is no room of the house"
    case (.annex, _): return "\(room.name) of the annex imports \(module), which the table does not give it"
    case (.program, _): return "\(room.name) imports \(module), which the table does not give it"
    case (.cellar, _): return "\(room.name) is a C library and imports \(module)"
    }
  }
}
