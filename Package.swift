// swift-tools-version:6.0
import PackageDescription

// The floors: a target may depend only on targets of lower floors (Tests/ArchitectureTests holds the same table
// against every `import`). Libraries in C come from Debian through system-library targets.

func cLibrary(_ name: String, pkgConfig: String?, package: String?) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

let cellar: [Target] = [
  cLibrary("CArgp", pkgConfig: nil, package: "libc6-dev"),
  cLibrary("CBluetooth", pkgConfig: "bluez", package: "libbluetooth-dev"),
  cLibrary("CDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
  cLibrary("CExpat", pkgConfig: "expat", package: "libexpat1-dev"),
  cLibrary("CJansson", pkgConfig: "jansson", package: "libjansson-dev"),
  cLibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
  cLibrary("CSystemd", pkgConfig: "libsystemd", package: "libsystemd-dev"),
  cLibrary("CTimex", pkgConfig: nil, package: "libc6-dev"),
  cLibrary("CZstd", pkgConfig: "libzstd", package: "libzstd-dev"),
]

let pure: [Target] = [
  .target(name: "Measurements"),
  .target(name: "Bus", dependencies: ["Measurements"]),
  .target(name: "BlueZ", dependencies: ["Bus", "Measurements"]),
  .target(name: "Logind", dependencies: ["Bus", "Measurements"]),
  .target(name: "Workout", dependencies: ["Measurements"]),
  .target(name: "Control", dependencies: ["Workout", "Measurements", "CJansson"]),
  .target(name: "ActivityFiles", dependencies: ["Control", "Workout", "Measurements", "CExpat"]),
  .target(name: "Engine", dependencies: ["Control", "BlueZ", "Logind", "Workout", "Bus", "Measurements"]),
]

let annex: [Target] = [
  .target(name: "SystemBus", dependencies: ["Bus", "CDBus"]),
  .target(name: "Store", dependencies: ["Workout", "Measurements", "CSQLite", "CZstd"]),
  .target(name: "EventLoop", dependencies: ["Measurements", "CSystemd", "CTimex"]),
  .target(name: "Controllers", dependencies: ["Measurements", "CBluetooth"]),
]

let programs: [Target] = [
  .executableTarget(
    name: "strapd",
    dependencies: [
      "Engine", "Control", "BlueZ", "Workout", "Bus", "Measurements", "SystemBus", "Store", "EventLoop", "CArgp",
    ]),
  .executableTarget(
    name: "strapctl",
    dependencies: [
      "ActivityFiles", "Control", "BlueZ", "Workout", "Bus", "Measurements", "SystemBus", "Controllers", "CArgp",
      "CTimex",
    ]),
  .executableTarget(
    name: "strap-sim",
    dependencies: ["ActivityFiles", "Workout", "Bus", "Measurements", "SystemBus", "EventLoop"]),
]

let tests: [Target] = [
  .testTarget(
    name: "MeasurementsTests", dependencies: ["Measurements"], resources: [.copy("heart-rate-measurement.jsonl")]),
  .target(name: "TestSupport", dependencies: ["SystemBus", "Bus"], path: "Tests/TestSupport"),
  .testTarget(name: "BusTests", dependencies: ["Bus"]),
  .testTarget(name: "SystemBusTests", dependencies: ["SystemBus", "Bus", "Measurements", "CDBus", "TestSupport"]),
  .testTarget(
    name: "StrapSimTests",
    dependencies: ["strap-sim", "ActivityFiles", "Workout", "Bus", "Measurements", "TestSupport"]),
  .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Measurements", "CSystemd"]),
  .testTarget(name: "ControllersTests", dependencies: ["Controllers", "Measurements"]),
  .testTarget(name: "ArchitectureTests"),
  .testTarget(name: "WorkoutTests", dependencies: ["Workout", "Measurements"]),
  .testTarget(name: "BlueZTests", dependencies: ["BlueZ", "Bus", "Measurements"], resources: [.copy("Corpus")]),
  .testTarget(name: "LogindTests", dependencies: ["Logind", "Bus", "Measurements"]),
  .testTarget(name: "ControlTests", dependencies: ["Control", "BlueZ", "Workout", "Measurements"]),
  .testTarget(
    name: "ActivityFilesTests",
    dependencies: ["ActivityFiles", "Control", "Workout", "Measurements", "TestSupport"],
    // Run where they lie, by python3.
    exclude: ["Python", "Data"]),
  .testTarget(
    name: "EngineTests",
    dependencies: ["Engine", "Control", "BlueZ", "Workout", "Bus", "Measurements", "Store", "TestSupport"],
    // Read where it lies, so that a golden file that was rewritten counts at once.
    exclude: ["Corpus"]),
  .testTarget(
    name: "SystemTests",
    dependencies: [
      "Control", "Store", "Workout", "Measurements", "Bus", "SystemBus", "TestSupport", "CSQLite", "strapd", "strapctl",
      "strap-sim",
    ]),
  .testTarget(
    name: "StoreTests", dependencies: ["Store", "Workout", "Measurements", "CSQLite"], exclude: ["Fixtures"]),
  .executableTarget(
    name: "store-writer", dependencies: ["Store", "Workout", "Measurements"], path: "Tests/StoreWriter"),
  .testTarget(
    name: "StrapctlTests",
    dependencies: [
      "strapctl", "strapd", "strap-sim", "Controllers", "Control", "BlueZ", "Workout", "Bus", "Measurements",
      "TestSupport",
    ]),
  .testTarget(name: "StrapdTests", dependencies: ["strapd", "EventLoop", "Control", "Bus", "TestSupport"]),
]

let package = Package(name: "strapd", targets: cellar + pure + annex + programs + tests, swiftLanguageModes: [.v6])
