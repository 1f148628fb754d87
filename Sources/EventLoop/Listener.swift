import CSystemd
import Glibc
import Measurements

/// A listening unix stream socket. Letting go of it closes the socket, and removes its file if it made that.
///
/// When the process is out of descriptors it rests for a second; the clients wait in the kernel's queue meanwhile.
public final class Listener {
  private let table: SourceTable
  private let descriptor: Int32
  private let name: String
  private let made: SocketFile?
  private let outputLimit: Int
  private var accepted: ((StreamConnection) -> Void)?
  private var failed: (EventLoopError) -> Void = { _ in }
  private var watch: FileWatch?
  private var rest: DeadlineTimer?

  /// Makes a socket at a path. The file of a dead owner is replaced; a live one, or what is no socket, is not.
  ///
  /// - Parameters:
  ///   - path: At most 107 octets. Its folder must exist.
  ///   - mode: The file's permissions, which decide who may connect.
  ///   - outputLimit: How many octets may wait for a client, see `StreamConnection.write`.
  ///   - accepted: Takes each new connection; one that it does not keep is closed.
  ///   - failed: Hears why the listener rests.
  public convenience init(
    _ loop: EventLoop, path: String, mode: mode_t = 0o660, outputLimit: Int = StreamConnection.defaultOutputLimit,
    accepted: @escaping (StreamConnection) -> Void, failed: @escaping (EventLoopError) -> Void = { _ in }
  ) throws(EventLoopError) {
    let (descriptor, file) = try SocketFile.make(path, mode: mode)
    try self.init(loop, descriptor, path, made: file, outputLimit, accepted, failed)
  }

  /// Takes over a listening socket that systemd has passed, also where it throws; its file stays systemd's.
  public convenience init(
    _ loop: EventLoop, adopting descriptor: Int32, outputLimit: Int = StreamConnection.defaultOutputLimit,
    accepted: @escaping (StreamConnection) -> Void, failed: @escaping (EventLoopError) -> Void = { _ in }
  ) throws(EventLoopError) {
    let name = "the passed descriptor \(descriptor)"
    let isListening = sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0)
    guard isListening > 0 else {
      Glibc.close(descriptor)
      let advice = "it must be a listening unix stream socket: ListenStream= with a path, Accept=no"
      throw EventLoopError(.listenOn, name, code: isListening < 0 ? -isListening : 0, advice: advice)
    }
    // systemd passes blocking sockets; a client that is gone before its accept would stop the whole loop.
    guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw EventLoopError(.listenOn, name, code: code)
    }
    try self.init(loop, descriptor, name, made: nil, outputLimit, accepted, failed)
  }

  deinit {
    close()
  }

  /// Stops listening; connections that were accepted live on. The second time nothing happens.
  public func close() {
    guard let watch else { return }
    self.watch = nil
    watch.cancel()
    rest?.cancel()
    accepted = nil
    made?.remove()
    Glibc.close(descriptor)
  }

  private static let restAfterFailure = Duration.seconds(1)

  /// Owns the descriptor from here on, also where it throws.
  private init(
    _ loop: EventLoop, _ descriptor: Int32, _ name: String, made: SocketFile?, _ outputLimit: Int,
    _ accepted: @escaping (StreamConnection) -> Void, _ failed: @escaping (EventLoopError) -> Void
  ) throws(EventLoopError) {
    table = loop.table
    self.descriptor = descriptor
    self.name = name
    self.made = made
    self.outputLimit = outputLimit
    self.accepted = accepted
    self.failed = failed
    do throws(EventLoopError) {
      // Made now, because it is needed when no descriptor can be had.
      rest = try loop.timer { [unowned self] in watch?.change(to: .readable) }
      watch = try loop.watch(descriptor, for: .readable) { [unowned self] in accept($0) }
    } catch {
      made?.remove()
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Takes one client a turn: the loop comes back at once for the next, and none is asked for in vain.
  private func accept(_ readiness: Readiness) {
    let client = strapd_accept(descriptor)
    guard client >= 0 else { return acceptFailed(errno, readiness) }
    do throws(EventLoopError) {
      accepted?(try StreamConnection(table, adopting: client, outputLimit: outputLimit))
    } catch {
      failed(error)
    }
  }

  private func acceptFailed(_ code: Int32, _ readiness: Readiness) {
    // The client went away while it waited, or a signal came: nothing is wrong.
    if [EAGAIN, ECONNABORTED, EINTR].contains(code) && readiness == .readable { return }
    // A socket that was shut down, or EMFILE, ENFILE, ENOMEM, …: the socket stays readable, so that waiting for it would spin.
    watch?.change(to: .changesOnly)
    rest?.arm(at: Clocks.read().tick + Self.restAfterFailure)
    let advice = "trying again in a second; if it stays, raise LimitNOFILE= or close clients"
    failed(EventLoopError(.acceptOn, name, code: code, advice: advice))
  }
}
