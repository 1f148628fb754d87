import Glibc
import Measurements
import Synchronization
import Workout

/// The second thread: it makes what is committed survive a power cut, so that the loop never waits for the disk.
///
/// It knows one descriptor, of the write-ahead log and opened for reading, and must never open the database file:
/// closing any descriptor of that would drop the locks that SQLite holds in it for this process.
///
/// Why `syncedThrough` is right. It takes the highest `through` whose commit had returned before fdatasync began. Such a
/// commit's frames stood in the log at that moment, and are on the disk when fdatasync returns. Or a checkpoint had
/// moved them into the database and the log had begun anew; but SQLite lets a log begin anew only when all of it is
/// copied and the database file synced (`walCheckpoint` and `walRestartLog` in its wal.c). Either way they are safe.
///
/// While nothing is unsynced it waits without a timer, and so costs no wake-up.
final class SyncThread {
  private let shared: Shared
  private var thread: pthread_t?

  /// Starts the thread for the file at a path, of whose content nothing counts as synced yet.
  init(path: String, interval: Duration) throws(StoreError) {
    shared = try Shared(path: path, interval: Self.milliseconds(interval))
    thread = try Self.start(shared)
  }

  deinit {
    stop()
  }

  /// Readable once a requested sync is done.
  var wakeDescriptor: Int32 { shared.done.readEnd }

  /// The highest `through` whose commit is certainly on the disk.
  var syncedThrough: Int64 { shared.synced.load(ordering: .sequentiallyConsistent) }

  /// The first fdatasync that failed. From then on `syncedThrough` stands still: the kernel may have dropped the pages
  /// it could not write, and says yes to the next fdatasync all the same.
  var failure: StoreError? { shared.failure.withLock { $0 } }

  /// Says that a commit has returned; it will be synced within the interval.
  func committed(through: Int64) {
    shared.committed.store(through, ordering: .sequentiallyConsistent)
    if !shared.isDirty.exchange(true, ordering: .sequentiallyConsistent) { shared.work.signal() }
  }

  /// Asks for a sync at once, after which `wakeDescriptor` is readable.
  func request() {
    if !shared.isRequested.exchange(true, ordering: .sequentiallyConsistent) { shared.work.signal() }
  }

  func acknowledgeWake() {
    shared.done.drain()
  }

  /// The file that it syncs; nil where another one, or none, is in its place.
  var file: FileIdentity? { shared.file }

  /// How long a commit may wait for its sync from now on.
  func setInterval(_ interval: Duration) {
    shared.interval.store(Self.milliseconds(interval), ordering: .relaxed)
  }

  private static func milliseconds(_ interval: Duration) -> Int32 {
    Int32(clamping: max(0, interval.wholeNanoseconds / 1_000_000))
  }

  /// Syncs a last time and ends the thread.
  func stop() {
    guard let thread else { return }
    shared.isStopping.store(true, ordering: .sequentiallyConsistent)
    shared.work.signal()
    pthread_join(thread, nil)
    self.thread = nil
  }

  /// All signals are the loop's: the thread is born with all of them blocked.
  private static func start(_ shared: Shared) throws(StoreError) -> pthread_t {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(shared)
    let code = pthread_create(&thread, nil, runSyncThread, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw StoreError(.open, errno: code, "starting the sync thread")
    }
    return thread
  }
}

/// At file scope, so that it is a plain C function.
private func runSyncThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}

/// What both threads see.
private final class Shared: Sendable {
  private let descriptor: Int32
  private let path: String
  /// Milliseconds.
  let interval: Atomic<Int32>
  /// Wakes the thread.
  let work: Pipe
  /// Wakes the loop.
  let done: Pipe
  let committed = Atomic<Int64>(0)
  let synced = Atomic<Int64>(0)
  /// A commit has been announced since the last fdatasync began; further ones need no wake-up.
  let isDirty = Atomic(false)
  let isRequested = Atomic(false)
  let isStopping = Atomic(false)
  let failure = Mutex<StoreError?>(nil)

  init(path: String, interval: Int32) throws(StoreError) {
    self.path = path
    self.interval = Atomic(interval)
    work = try Pipe()
    done = try Pipe()
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.open, errno: errno, "opening \(path) for the sync thread") }
  }

  deinit {
    close(descriptor)
  }

  var file: FileIdentity? {
    let own = FileIdentity(descriptor)
    return own == FileIdentity(path) ? own : nil
  }

  func run() {
    var isLast = false
    repeat {
      work.wait(milliseconds: -1)
      work.drain()
      isLast = isStopping.load(ordering: .sequentiallyConsistent)
      let isUrgent = isLast || isRequested.load(ordering: .sequentiallyConsistent)
      guard isUrgent || isDirty.load(ordering: .sequentiallyConsistent) else { continue }
      // A request or the end cuts the wait short.
      if !isUrgent { work.wait(milliseconds: interval.load(ordering: .relaxed)) }
      sync()
    } while !isLast
  }

  /// Both flags fall before `committed` is read: a commit or request that comes later raises its flag again and has a
  /// sync of its own.
  private func sync() {
    let wakesLoop = isRequested.exchange(false, ordering: .sequentiallyConsistent)
    isDirty.store(false, ordering: .sequentiallyConsistent)
    let through = committed.load(ordering: .sequentiallyConsistent)
    var code: Int32 = 0
    while fdatasync(descriptor) != 0 {
      code = errno
      if code != EINTR { break }
      code = 0
    }
    finish(through: through, code: code)
    if wakesLoop { done.signal() }
  }

  private func finish(through: Int64, code: Int32) {
    failure.withLock { failure in
      if failure == nil, code != 0 { failure = StoreError(.sync, errno: code, "syncing \(path)") }
      if failure == nil { synced.store(through, ordering: .sequentiallyConsistent) }
    }
  }
}
