import Control
import Engine
import EventLoop
import Glibc
import Store
import Workout

/// The daemon's main: everything in the order in which it starts.
@main
enum Strapd {
  /// Exit statuses (sysexits.h, systemd.exec(5)): 65 and 78 keep systemd from starting it again and again.
  private static let cannotStart: Int32 = 1
  private static let notItsStore: Int32 = 65
  private static let badConfiguration: Int32 = 78

  static func main() {
    let options = Options.parse(CommandLine.arguments)
    if options.verifies { exit(Verifier.run(path: Directories.store)) }
    let journal = Journal()
    exit(run(options, journal))
  }

  private static func run(_ options: Options, _ journal: Journal) -> Int32 {
    let configuration: Configuration
    do { configuration = try ConfigurationFile.read(options.configuration) } catch {
      journal.log(.error, "strapd does not start: \(error)")
      return badConfiguration
    }
    do {
      let loop = try EventLoop()
      // The signals are blocked before the store makes its sync thread, which inherits that.
      let signals = SignalRelay()
      try loop.onSignals(Signal.allCases) { signals.arrived($0) }
      JSON.seedHash(try EventLoop.randomBytes(MemoryLayout<UInt>.size).reduce(0) { $0 << 8 | UInt($1) })
      let (store, setAside) = try Store.open(
        path: Directories.store, bootID: try EventLoop.bootID(), at: loop.now,
        syncInterval: configuration.syncInterval)
      if let setAside { journal.log(.critical, "\(setAside)") }
      let daemon = try Daemon(loop, store, configuration, from: options.configuration, journal)
      signals.relay = { daemon.signalArrived($0) }
      try daemon.listen(in: Directories.runtime)
      try daemon.start()
      _ = try loop.startWatchdog()
      EventLoop.notify(.ready)
      let status = try loop.run()
      EventLoop.notify(.stopping)
      daemon.clients.stopListening()
      try daemon.store.close()
      return status
    } catch let error as StoreError where error.kind == .newer || error.kind == .foreign {
      journal.log(.error, "strapd does not start: \(error)")
      return notItsStore
    } catch {
      journal.log(.error, "strapd ends: \(error)")
      return cannotStart
    }
  }
}

/// Where systemd says that state and sockets belong (systemd.exec(5)), or where they belong without it.
enum Directories {
  static let state = first(of: "STATE_DIRECTORY") ?? "/var/lib/strapd"
  static let store = state + "/strapd.db"
  static let runtime = first(of: "RUNTIME_DIRECTORY") ?? "/run/strapd"

  private static func first(of variable: String) -> String? {
    guard let value = getenv(variable) else { return nil }
    return String(cString: value).split(separator: ":").first.map(String.init)
  }
}

/// Signals may arrive before the daemon is made; SIGTERM then ends the start.
private final class SignalRelay {
  var relay: ((Signal) -> Void)?

  func arrived(_ signal: Signal) {
    relay?(signal)
  }
}
