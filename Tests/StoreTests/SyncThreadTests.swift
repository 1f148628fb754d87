import Glibc
import Measurements
import Testing
import Workout

@testable import Store

@Suite struct SyncThreadTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Waits, at most a minute, for what only the other thread can do.
  private func wait(_ descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 60_000) == 1
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) == 1
  }

  @Test func aRequestSyncsAtOnceAndWakesTheLoop() throws {
    let store = try directory.open(syncInterval: .seconds(3600))
    #expect(store.syncedThrough == 0)
    try store.commit([.session(.example())], through: 5)
    #expect(!isReadable(store.wakeDescriptor))
    store.requestSync()
    #expect(wait(store.wakeDescriptor))
    #expect(store.syncedThrough == 5)
    #expect(store.syncFailure == nil)
    store.acknowledgeWake()
    #expect(!isReadable(store.wakeDescriptor))

    for sequence in Int64(6)...505 {
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
    }
    #expect(store.syncedThrough == 5, "an hour has not passed")
    store.requestSync()
    store.requestSync()
    #expect(wait(store.wakeDescriptor))
    #expect(store.syncedThrough == 505)
  }

  /// Without a request nothing wakes the loop; `syncedThrough` is there when it next looks.
  @Test func theIntervalSyncsWithoutARequest() throws {
    let store = try directory.open(syncInterval: .milliseconds(5))
    try store.commit([.session(.example())], through: 3)
    let began = time(nil)
    while store.syncedThrough < 3, time(nil) - began < 60 { poll(nil, 0, 1) }
    #expect(store.syncedThrough == 3)
    #expect(!isReadable(store.wakeDescriptor))
  }

  @Test func nothingIsClaimedBeforeItsCommit() throws {
    let store = try directory.open(syncInterval: .zero)
    try store.commit([.session(.example())], through: 0)
    for sequence in Int64(1)...500 {
      #expect(store.syncedThrough < sequence)
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
      if sequence % 50 == 0 {
        store.requestSync()
        #expect(wait(store.wakeDescriptor))
        store.acknowledgeWake()
        #expect(store.syncedThrough == sequence)
      }
    }
  }

  @Test func aCheckpointTakesNothingBack() throws {
    let store = try directory.open(limits: Store.Limits(checkpointFrames: 10))
    try store.commit([.session(.example())], through: 0)
    var checkpoints = 0
    for sequence in Int64(1)...100 {
      try store.commit([.sample(try .example(sequence), session: .number(1))], through: sequence)
      if try store.checkpointIfDue() { checkpoints += 1 }
    }
    #expect(checkpoints > 5)
    store.requestSync()
    #expect(wait(store.wakeDescriptor))
    #expect(store.syncedThrough == 100)
    let copy = try directory.copy()
    #expect(try copy.raw().rows("SELECT count(*) FROM sample") == [["100"]])
  }

  @Test func anEmptyCommitMovesItToo() throws {
    let store = try directory.open()
    try store.commit([], through: 8)
    store.requestSync()
    #expect(wait(store.wakeDescriptor))
    #expect(store.syncedThrough == 8)
  }

  /// A device that cannot be synced stands for a disk that fails.
  @Test func afterAFailureNothingIsClaimedAnyMore() throws {
    let thread = try SyncThread(path: "/dev/null", interval: .seconds(3600))
    thread.committed(through: 4)
    thread.request()
    #expect(wait(thread.wakeDescriptor), "the loop is told of the failure as well")
    #expect(thread.syncedThrough == 0)
    #expect(
      thread.failure?.description == "sync failed (22): syncing /dev/null: Invalid argument (errno)")
  }

  @Test func aMissingFileIsNamed() throws {
    let error = storeError {
      try SyncThread(path: directory.path + "/none", interval: .zero)
    }
    #expect(error?.code == ENOENT)
    #expect(error?.text.contains("/none for the sync thread") == true)
  }

  @Test func endingSyncsALastTime() throws {
    try Child.run("touch", directory.database)
    let thread = try SyncThread(path: directory.database, interval: .seconds(3600))
    thread.committed(through: 12)
    thread.stop()
    #expect(thread.syncedThrough == 12)
    thread.stop()
  }

  /// One thread more than before, which is gone after close; and with everything synced it sits in a poll(2) without
  /// end, so that an idle daemon is not woken. The kernel shows the call and its arguments (proc(5), "syscall").
  @Test func itIsOneThreadAndSleepsWhileAllIsSynced() throws {
    let child = try Child.writer("threads", directory.database)
    let counts = try #require(child.line()).split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 2)
    #expect(counts.last == counts[0] + 1)
    let thread = try #require(child.line())
    #expect(Int32(thread) != nil, "exactly one new thread: \(thread)")

    #if arch(x86_64)
      let path = "/proc/\(child.pid)/task/\(thread)/syscall"
      var call = try contents(path)
      let began = time(nil)
      while call.hasPrefix("running"), time(nil) - began < 60 {
        poll(nil, 0, 1)
        call = try contents(path)
      }
      let words = call.split(separator: " ")
      #expect(words.first == "7", "poll: \(call)")
      #expect(words[3].hasSuffix("ffffffff"), "no timeout: \(call)")
    #endif
    child.endInput()
    #expect(child.line() == "closed \(counts[0])")
  }

  private func contents(_ path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(path) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError(path) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
