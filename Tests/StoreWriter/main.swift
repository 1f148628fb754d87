// A daemon's worth of store for StoreTests to kill, to starve of room and to lock out:
// store-writer hold|append|starve|open|threads|compact|starve-compact|starve-backup PATH [octets|unprivileged]
// store-writer hour PATH SYNC-SECONDS CHECKPOINT-FRAMES

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
  try withFiles(upTo: octets) { try append(to: store, id, from: &sequence) }
  try store.commit([.sample(try sample(sequence), session: id)], through: sequence)
  say("\(sequence)")
}

/// Makes a session of 2000 samples that has ended.
func finish(in store: Store, from sequence: inout Int64) throws -> SessionID {
  var random = SystemRandomNumberGenerator()
  let id = SessionID(randomBytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
  var record = WorkoutSession(id: id, configuration: WorkoutConfiguration(), at: moment(sequence)).record(strap: nil)
  let samples = try (sequence..<sequence + 2000).map { Record.sample(try sample($0), session: id) }
  try store.commit([.session(record)] + samples, through: sequence)
  sequence += 2000
  record.state = .ended
  try store.commit([.session(record)], through: sequence)
  return id
}

/// Says each piece.
func compact(_ store: Store) throws {
  while case .packed(_, let samples, _) = try store.compact(at: moment(1).tick) { say("\(samples)") }
}

func starveCompaction(_ store: Store, path: String) throws {
  var sequence = store.nextSequence
  let id = try finish(in: store, from: &sequence)
  var log = stat()
  guard stat(path + "-wal", &log) == 0 else { exit(5) }
  let before = try store.samples(of: id, after: 0, limit: .max)
  try withFiles(upTo: rlim_t(log.st_size)) { try compact(store) }
  say(try store.samples(of: id, after: 0, limit: .max) == before && before.count == 2000 ? "whole" : "not whole")
  try compact(store)
  say(try store.samples(of: id, after: 0, limit: .max) == before ? "whole" : "not whole")
}

/// A backup between whose steps the store is written, until the size limit on files stops it, then another with the limit
/// gone.
func starveBackup(_ store: Store, path: String, octets: rlim_t) throws {
  let id = try session(in: store)
  var sequence = store.nextSequence
  func backUp() throws -> Int {
    var size = 0
    try store.beginBackup()
    while case let step = try store.stepBackup(), step != .over {
      if case .read(let piece, _) = step { size += piece.count }
      try store.commit([.sample(try sample(sequence), session: id)], through: sequence)
      sequence += 1
    }
    return size
  }
  try withFiles(upTo: octets) { say("whole \(try backUp())") }
  say(access(path + ".backup-in-progress", F_OK) == 0 ? "something left" : "nothing left")
  try store.commit([.sample(try sample(sequence), session: id)], through: sequence)
  sequence += 1
  say("committed")
  say("whole \(try backUp())")
}

/// What this process has given to write(2), and what of it went to the device (proc_pid_io(5)).
func written() -> (given: Int, device: Int) {
  guard let file = fopen("/proc/self/io", "r") else { exit(6) }
  defer { fclose(file) }
  var values: [String: Int] = [:]
  var line = [CChar](repeating: 0, count: 128)
  while fgets(&line, 128, file) != nil {
    let parts = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      .split(separator: ":")
    if parts.count == 2 { values[String(parts[0])] = Int(parts[1].drop { $0 == " " }) }
  }
  return (values["wchar"] ?? 0, values["write_bytes"] ?? 0)
}

/// An hour of a live workout, a measurement with two intervals a second, synced each so many of its seconds as by the
/// interval, copied as the daemon does; as fast as the disk allows.
func hour(_ store: Store, syncSeconds: Int64) throws {
  let id = try session(in: store)
  var timeline = BeatTimeline()
  store.requestSync()
  wait(for: store)
  let before = written()
  for second in Int64(2)..<3602 {
    let ticks = UInt16(480 + second * 7919 % 61)
    var payload: [UInt8] = [0x16, UInt8(120 + second / 40 % 40)]
    for _ in 0..<2 { payload += [UInt8(ticks & 0xFF), UInt8(ticks >> 8)] }
    let measurement = try HeartRateMeasurement(payload)
    let tick = moment(second).tick
    let beats = timeline.place(measurement.rrIntervals, isRepeat: false, at: tick)
    let sample = HeartRateSample(
      sequence: second, tick: tick, measurement: measurement, payload: payload, beats: beats)
    try store.commit([.sample(sample, session: id)], through: second)
    if second % 60 == 0 { try store.commit([.alive(moment(second))], through: second) }
    if second % syncSeconds == 0 {
      store.requestSync()
      wait(for: store)
    }
    try store.checkpointIfDue()
  }
  let after = written()
  say("\(after.given - before.given) \(after.device - before.device)")
}

func wait(for store: Store) {
  var wanted = pollfd(fd: store.wakeDescriptor, events: Int16(POLLIN), revents: 0)
  poll(&wanted, 1, -1)
  store.acknowledgeWake()
}

/// What fails for want of room is told.
func withFiles(upTo octets: rlim_t, _ body: () throws -> Void) throws {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  let whole = limit.rlim_cur
  limit.rlim_cur = octets
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  do { try body() } catch let error as StoreError {
    say("failed \(error.kind) \(error.code) \(error.text)")
  }
  limit.rlim_cur = whole
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
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
  let isHour = mode == "hour" && arguments.count > 4
  let store = try Store(
    path: path, bootID: "the boot of store-writer", at: moment(1),
    syncInterval: isHour ? .seconds(3600) : .milliseconds(20), checkpointFrames: isHour ? Int(arguments[4]) : nil)
  switch mode {
  case "hold":
    say("open")
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) > 0 {}
  case "append":
    say("open")
    var sequence = store.nextSequence
    try append(to: store, try session(in: store), from: &sequence)
  case "compact":
    say("open")
    var sequence = store.nextSequence
    while true {
      try compact(store)
      _ = try finish(in: store, from: &sequence)
    }
  case "starve-compact":
    try starveCompaction(store, path: path)
  case "starve-backup":
    try starveBackup(store, path: path, octets: rlim_t(arguments[3]) ?? 0)
  case "starve":
    try starve(store, octets: rlim_t(arguments[3]) ?? 0)
  case "hour":
    try hour(store, syncSeconds: Int64(arguments[3]) ?? 1)
  case "threads":
    say("\(threadsBefore.count) \(threadIDs().count)")
    // Everything that was written is synced; now the thread has nothing to wait for but us.
    store.requestSync()
    wait(for: store)
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
