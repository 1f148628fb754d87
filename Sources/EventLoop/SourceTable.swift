import CSystemd

/// The sd-event loop itself and the sources in it that are alive; shared by the loop and by all that waits in it.
final class SourceTable {
  let event: OpaquePointer
  private var sources: Set<OpaquePointer> = []
  /// Connections that nobody holds any more and that still have something to send.
  var lingering: [ObjectIdentifier: StreamConnection] = [:]
  /// Where connections read into, one after the other, so that an idle one needs no memory for it.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  init() throws(EventLoopError) {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else { throw EventLoopError(.create, "an event loop", code: -result) }
    self.event = event
  }

  deinit {
    scratch.deallocate()
    sd_event_unref(event)
  }

  /// How many sources are ready and not dispatched yet.
  var pendingCount: Int {
    sources.reduce(0) { $0 + (sd_event_source_get_pending($1) > 0 ? 1 : 0) }
  }

  fileprivate func add(_ source: OpaquePointer) {
    sources.insert(source)
  }

  fileprivate func remove(_ source: OpaquePointer) {
    sources.remove(source)
  }
}

/// One sd-event source of ours: it lives until it is cancelled or let go of.
final class EventSource {
  private let table: SourceTable
  private(set) var pointer: OpaquePointer?

  /// Takes over a source as sd_event_add_… gives it.
  init(_ table: SourceTable, _ pointer: OpaquePointer) {
    self.table = table
    self.pointer = pointer
    table.add(pointer)
  }

  deinit {
    cancel()
  }

  /// Ends the source, from inside its own callback as well; the second time nothing happens.
  func cancel() {
    guard let source = pointer else { return }
    pointer = nil
    table.remove(source)
    sd_event_source_disable_unref(source)
  }
}
