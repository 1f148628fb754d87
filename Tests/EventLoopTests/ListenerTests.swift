import EventLoop
import Glibc
import Measurements
import Testing

struct ListenerTests {
  @Test func clientsOfAPathAreTaken() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let path = folder.file("control.sock")
    var connections: [StreamConnection] = []
    var received: [[UInt8]] = []
    let listener = try Listener(bench.loop, path: path) { connection in
      connections.append(connection)
      #expect(throws: Never.self) {
        try connection.start { connection, event in
          if case .received(let bytes) = event {
            received.append(bytes)
            #expect(connection.write(bytes.reversed()))
          }
        }
      }
    }
    let clients = try (0..<3).map { _ in try connectedClient(path) }
    for (index, client) in clients.enumerated() { try client.send([1, UInt8(index)]) }
    #expect(try bench.run { received.count == 3 })
    #expect(Set(received) == [[1, 0], [1, 1], [1, 2]])
    for (index, client) in clients.enumerated() { #expect(try client.receive() == [UInt8(index), 1]) }
    #expect(connections.allSatisfy { $0.peer.process == getpid() })

    listener.close()
    #expect(access(path, F_OK) == -1)
    try clients[0].send([9])
    #expect(try bench.run { received.count == 4 })
  }

  @Test func theFileHasTheModeAskedForAndGoesWithTheListener() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    for mode: mode_t in [0o660, 0o600, 0o666] {
      let path = folder.file("mode-\(mode)")
      do {
        let listener = try Listener(loop, path: path, mode: mode, accepted: { _ in })
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o7777 == mode)
        withExtendedLifetime(listener) {}
      }
      #expect(access(path, F_OK) == -1)
    }
  }

  @Test func aConnectionThatIsNotKeptIsClosed() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let path = folder.file("control.sock")
    var count = 0
    let listener = try Listener(bench.loop, path: path) { _ in count += 1 }
    let client = try connectedClient(path)
    #expect(try bench.run { count == 1 })
    #expect(try client.receive() == [])
    listener.close()
  }

  @Test func theFileOfADeadOwnerIsReplaced() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let path = folder.file("control.sock")
    try boundSocket(path).close()
    #expect(access(path, F_OK) == 0)
    var count = 0
    let listener = try Listener(bench.loop, path: path) { _ in count += 1 }
    let client = try connectedClient(path)
    #expect(try bench.run { count == 1 })
    withExtendedLifetime((listener, client)) {}
  }

  @Test func aLiveOwnerIsLeftAlone() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let path = folder.file("control.sock")
    let owner = try boundSocket(path)
    let error = refusal { try Listener(loop, path: path, accepted: { _ in }) }
    #expect(error?.operation == .listenOn)
    #expect(error?.object == path)
    #expect(error?.code == EADDRINUSE)
    #expect(error?.text.contains("another program answers there") == true)
    #expect(throws: Never.self) { try connectedClient(path) }
    withExtendedLifetime(owner) {}
  }

  @Test func aLiveSocketOfAnotherKindIsLeftAlone() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let path = folder.file("control.sock")
    let owner = try boundSocket(path, datagrams: true)
    #expect(refusal { try Listener(loop, path: path, accepted: { _ in }) }?.code == EADDRINUSE)
    #expect(access(path, F_OK) == 0)
    withExtendedLifetime(owner) {}
  }

  @Test func whatIsNoSocketIsLeftAlone() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let path = folder.file("control.sock")
    let file = Descriptor(try check(open(path, O_CREAT | O_WRONLY, 0o644), "open"))
    try file.send([1, 2, 3])
    let error = refusal { try Listener(loop, path: path, accepted: { _ in }) }
    #expect(error?.text.contains("no socket") == true)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_size == 3)
  }

  @Test func aFileThatAnotherHasPutThereIsNotRemoved() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let path = folder.file("control.sock")
    let listener = try Listener(loop, path: path, accepted: { _ in })
    #expect(rename(path, folder.file("moved")) == 0)
    let other = try boundSocket(path)
    listener.close()
    #expect(access(path, F_OK) == 0)
    withExtendedLifetime(other) {}
  }

  @Test func pathsThatCannotBeAreRefusedWithAdvice() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let longest = String(repeating: "x", count: 107 - folder.path.utf8.count - 1)
    #expect(throws: Never.self) { try Listener(loop, path: folder.file(longest), accepted: { _ in }) }

    let tooLong = refusal { try Listener(loop, path: folder.file(longest + "x"), accepted: { _ in }) }
    #expect(tooLong?.text == "a socket's path has 1 to 107 octets, this one has 108; choose another folder")
    #expect(refusal { try Listener(loop, path: "", accepted: { _ in }) }?.code == 0)
    #expect(refusal { try Listener(loop, path: "/tmp/a\0b", accepted: { _ in }) }?.code == 0)

    let missing = refusal { try Listener(loop, path: folder.path + "/no/control.sock", accepted: { _ in }) }
    #expect(missing?.code == ENOENT)
    #expect(missing?.text.contains("make its folder first") == true)
  }

  @Test func aPassedSocketIsTakenOverAndItsFileStays() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let path = folder.file("passed.sock")
    let passed = try boundSocket(path).duplicate()
    var count = 0
    let listener = try Listener(bench.loop, adopting: passed) { _ in count += 1 }
    #expect(fcntl(passed, F_GETFL) & O_NONBLOCK != 0)
    let client = try connectedClient(path)
    #expect(try bench.run { count == 1 })
    listener.close()
    #expect(access(path, F_OK) == 0)
    withExtendedLifetime(client) {}
  }

  @Test func whatIsNoListeningSocketIsNotTakenOver() throws {
    let (loop, folder) = (try EventLoop(), try Folder())
    let datagrams = try boundSocket(folder.file("datagrams"), datagrams: true).duplicate()
    for descriptor in [datagrams, try pipeEnds().reader.duplicate(), try connectedSockets().0] {
      let error = refusal { try Listener(loop, adopting: descriptor, accepted: { _ in }) }
      #expect(error?.operation == .listenOn)
      #expect(error?.text.contains("must be a listening unix stream socket") == true)
    }
  }

  @Test func aSocketThatIsShutDownIsToldOfAndDoesNotSpinTheLoop() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let socket = try boundSocket(folder.file("passed.sock"))
    var errors: [EventLoopError] = []
    let listener = try Listener(
      bench.loop, adopting: socket.duplicate(), accepted: { _ in }, failed: { errors.append($0) })
    shutdown(socket.number, Int32(SHUT_RDWR))
    #expect(try bench.run { !errors.isEmpty })
    #expect(try bench.turnsDuring(.milliseconds(200)) < 5)
    let count = errors.count
    #expect(count <= 2)
    #expect(try bench.run { errors.count > count })
    #expect(errors.allSatisfy { $0.operation == .acceptOn })
    listener.close()
  }

  @Test(.enabled(if: (1...2_000_000).contains(descriptorLimit), "there are too many descriptors to use up"))
  func withoutADescriptorClientsWaitAndTheLoopDoesNotSpin() throws {
    try inAThreadWithItsOwnDescriptors {
      let (bench, folder) = (try Bench(), try Folder())
      let path = folder.file("control.sock")
      var (accepted, errors): (Int, [EventLoopError]) = (0, [])
      let listener = try Listener(
        bench.loop, path: path, accepted: { _ in accepted += 1 }, failed: { errors.append($0) })
      let client = try connectedClient(path)
      var used: [Int32] = []
      while case let next = dup(client.number), next >= 0 { used.append(next) }

      #expect(try bench.run { !errors.isEmpty })
      #expect(try bench.turnsDuring(.milliseconds(200)) < 5)
      #expect(errors.count == 1)
      #expect(try bench.run { errors.count == 2 })
      #expect(errors.allSatisfy { $0.operation == .acceptOn && $0.code == EMFILE })
      #expect(accepted == 0)
      for descriptor in used { close(descriptor) }
      #expect(try bench.run { accepted == 1 })
      listener.close()
    }
  }

  @Test func closingInsideItsOwnAction() throws {
    let (bench, folder) = (try Bench(), try Folder())
    let path = folder.file("control.sock")
    var count = 0
    var listener: Listener?
    listener = try Listener(bench.loop, path: path) { _ in
      count += 1
      listener = nil
    }
    let clients = [try connectedClient(path), try connectedClient(path)]
    #expect(try bench.run { count > 0 })
    try bench.passATurn()
    #expect(count == 1)
    #expect(listener == nil)
    #expect(access(path, F_OK) == -1)
    withExtendedLifetime(clients) {}
  }
}

private let descriptorLimit: rlim_t = {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  return limit.rlim_cur
}()

/// Runs a body in a thread that has a table of descriptors to itself (close_range(2), CLOSE_RANGE_UNSHARE), empty but
/// for the standard ones: a copy of the others' would hold open what other tests close.
private func inAThreadWithItsOwnDescriptors(_ body: @escaping () throws -> Void) throws {
  final class Task {
    let body: () throws -> Void
    var error: (any Error)?
    init(_ body: @escaping () throws -> Void) { self.body = body }

    func run() {
      typealias CloseRange = @convention(c) (UInt32, UInt32, Int32) -> Int32
      let closeRange = dlsym(nil, "close_range").map { unsafeBitCast($0, to: CloseRange.self) }
      do {
        try check(closeRange?(3, .max, 2) ?? -1, "close_range")
        try body()
      } catch {
        self.error = error
      }
    }
  }
  let task = Task(body)
  var thread = pthread_t()
  let started = pthread_create(
    &thread, nil,
    { pointer in
      if let pointer { Unmanaged<Task>.fromOpaque(pointer).takeUnretainedValue().run() }
      return nil
    }, Unmanaged.passUnretained(task).toOpaque())
  #expect(started == 0)
  pthread_join(thread, nil)
  if let error = task.error { throw error }
}
