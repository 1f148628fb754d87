// A daemon's worth of store for StoreTests to kill, to starve of room and to lock out:
// store-writer hold|append|starve|open|threads PATH [octets|unprivileged]

import Glibc
import Measurements
import Store
import Workout

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  var sent = 0
  while sent < bytes.count {
    let count = bytes[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count < 0 { exit(3) }
    sent += count
  }
}

func moment(_ sequence: Int64) -> Moment {
  let tick = Tick(nanoseconds: 1_000_000_000 * sequence)
  return Moment(tick: tick, wall: WallTime(nanoseconds: 1_700_000_000_000_000_000 + tick.nanoseconds))
}

func sample(_ sequence: Int64) throws -> HeartRateSample {
  let payload: [UInt8] = [0x10, UInt8(60 + sequence % 100), UInt8(sequence & 0xFF), 3]
  return HeartRateSample(
    sequence: sequence, tick: moment(sequence).tick, measurement: try HeartRateMeasurement(payload), payload: payload)
}

func session(in store: Store) throws -> SessionID {
  if let session = try store.liveSessions().first { return session.id }
  let id = SessionID(randomBytes: [UInt8](repeating: 7, count: 16))
  let new = WorkoutSession(id: id, configuration: WorkoutConfiguration(), at: moment(store.nextSequence))
  try store.commit([.session(new.record(strap: nil))], through: store.nextSequence - 1)
  return id
}

func append(to store: Store, _ id: SessionID, from sequence: inout Int64) throws {
  while true {
    try store.commit([.sample(try sample(sequence), session: id)], through: sequence)
    say("\(sequence)")
    sequence += 1
  }
}

/// Writes until the size limit on its files stops it, then once more the same with the limit gone.
func starve(_ store: Store, octets: rlim_t) throws {
  let id = try session(in: store)
  var sequence = store.nextSequence
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  let before = limit
  limit.rlim_cur = octets
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  do {
    try append(to: store, id, from: &sequence)
  } catch let error as StoreError {
    say("failed \(error.kind) \(error.code) \(error.text)")
  }
  limit = before
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  try store.commit([.sample(try sample(sequence), session: id)], through: sequence)
  say("\(sequence)")
}

func threadIDs() -> [String] {
  var names: [String] = []
  guard let directory = opendir("/proc/self/task") else { return [] }
  defer { closedir(directory) }
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names
}

let arguments = CommandLine.arguments
let (mode, path) = (arguments[1], arguments[2])
if arguments.count > 3, arguments[3] == "unprivileged", geteuid() == 0, seteuid(65534) != 0 { exit(4) }

do {
  let threadsBefore = threadIDs()
  let store = try Store(
    path: path, bootID: "the boot of store-writer", at: moment(1), syncInterval: .milliseconds(20))
  switch mode {
  case "hold":
    say("open")
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) > 0 {}
  case "append":
    say("open")
    var sequence = store.nextSequence
    try append(to: store, try session(in: store), from: &sequence)
  case "starve":
    try starve(store, octets: rlim_t(arguments[3]) ?? 0)
  case "threads":
    say("\(threadsBefore.count) \(threadIDs().count)")
    // Everything that was written is synced; now the thread has nothing to wait for but us.
    store.requestSync()
    var wanted = pollfd(fd: store.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&wanted, 1, -1)
    store.acknowledgeWake()
    say(threadIDs().filter { !threadsBefore.contains($0) }.joined(separator: " "))
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) > 0 {}
  default:
    say("open")
  }
  try store.close()
  say("closed \(threadIDs().count)")
} catch let error as StoreError {
  say("error \(error.kind) \(error)")
  exit(1)
}
