import Testing

/// The table says what the house says.
struct HouseTests {
  private func mayImport(_ room: String, _ module: String) throws -> Bool {
    House.refusal(of: module, in: try #require(House.room(room))) == nil
  }

  @Test func namesAreUniqueAndEveryListedRoomExists() {
    #expect(Set(House.rooms.map(\.name)).count == House.rooms.count)
    let system: Set = ["Glibc", "Synchronization", "Foundation", "FoundationEssentials"]
    for room in House.rooms {
      for module in room.imports.subtracting(system) { #expect(House.room(module) != nil, "\(room.name): \(module)") }
    }
  }

  @Test(arguments: [
    ("Bus", "Measurements"), ("BlueZ", "Bus"), ("BlueZ", "Measurements"), ("Logind", "Bus"), ("Workout", "Physiology"),
    ("Control", "Workout"), ("Control", "CJansson"), ("Engine", "Control"), ("Engine", "BlueZ"), ("Engine", "Bus"),
    ("ActivityFiles", "Workout"), ("ActivityFiles", "CExpat"), ("Physiology", "CMath"), ("Workout", "CMath"),
    ("SystemBus", "Bus"),
    ("SystemBus", "CDBus"), ("SystemBus", "Measurements"), ("Store", "Workout"), ("Store", "CSQLite"),
    ("EventLoop", "Measurements"), ("EventLoop", "CSystemd"), ("EventLoop", "Glibc"), ("Store", "Synchronization"),
    ("Controllers", "CBluetooth"), ("strapd", "Engine"), ("strapd", "EventLoop"), ("strapd", "Store"),
    ("strapctl", "Control"), ("strapctl", "Controllers"), ("strapctl", "CArgp"), ("strapctl", "SystemBus"),
    ("strapctl", "Bus"), ("strapctl", "CTimex"), ("strapctl", "FoundationEssentials"),
    ("strap-sim", "SystemBus"), ("strap-sim", "Measurements"),
  ])
  func downwardsIsAllowed(room: String, module: String) throws {
    #expect(try mayImport(room, module))
  }

  @Test(arguments: [
    // Upwards, and to the side.
    ("Measurements", "Bus"), ("Bus", "BlueZ"), ("BlueZ", "Workout"), ("Workout", "BlueZ"), ("Bus", "Physiology"),
    ("Logind", "BlueZ"), ("Control", "Engine"), ("Engine", "ActivityFiles"), ("Workout", "Control"),
    ("Bus", "Bus"), ("Engine", "strapd"), ("strapd", "strapctl"),
    // Pure rooms have no system, no annex and no C library of another's.
    ("Measurements", "Foundation"), ("Measurements", "Glibc"), ("Bus", "FoundationEssentials"), ("Engine", "Dispatch"),
    ("Engine", "Synchronization"), ("Engine", "EventLoop"), ("Engine", "SystemBus"), ("Engine", "CJansson"),
    ("Control", "CMath"), ("Bus", "CDBus"), ("Engine", "Observation"),
    // The annex has exactly what the table gives it.
    ("SystemBus", "BlueZ"), ("SystemBus", "EventLoop"), ("SystemBus", "CSystemd"), ("Store", "Engine"),
    ("Store", "Control"), ("Store", "Bus"), ("EventLoop", "Bus"), ("EventLoop", "CBluetooth"),
    ("EventLoop", "Dispatch"),
    ("Controllers", "EventLoop"), ("Store", "Foundation"), ("EventLoop", "strapd"),
    // Programs: no Foundation and no AF_BLUETOOTH in the daemon.
    ("strapd", "Foundation"), ("strapd", "Controllers"), ("strapd", "CDBus"), ("strap-sim", "Store"),
    ("strap-sim", "Foundation"), ("strapctl", "EventLoop"), ("strapctl", "Dispatch"), ("strapctl", "Store"),
    ("CMath", "Glibc"),
  ])
  func theRestIsRefused(room: String, module: String) throws {
    #expect(try !mayImport(room, module))
  }

  @Test func aRefusalSaysWhy() throws {
    let bus = try #require(House.room("Bus"))
    #expect(House.refusal(of: "BlueZ", in: bus) == "Bus of floor 2 imports BlueZ of floor 3: only downwards")
    #expect(House.refusal(of: "Physiology", in: bus) == "Bus imports Physiology, a room of its own floor 2")
    #expect(House.refusal(of: "Glibc", in: bus) == "Bus is pure and imports Glibc, which is no room of the house")
    #expect(House.refusal(of: "EventLoop", in: bus) == "Bus is pure and imports EventLoop of the annex")
  }
}
