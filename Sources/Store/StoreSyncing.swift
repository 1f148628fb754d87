import Workout

// How far the store is on the disk.
extension Store {
  /// The highest `through` whose commit is certainly on the disk; 0 until the first sync.
  public var syncedThrough: Int64 { sync.syncedThrough }

  /// The sync that failed, if one did; nothing counts as synced from then on, until the store is opened again.
  public var syncFailure: StoreError? { sync.failure }

  /// How long a commit may wait for its sync when nobody asks for one, from now on.
  public func setSyncInterval(_ interval: Duration) {
    syncInterval = interval
    sync.setInterval(interval)
  }

  /// Asks for a sync at once; when it is done, `wakeDescriptor` is readable.
  public func requestSync() {
    sync.request()
  }

  /// Readable when a requested sync is done, until `acknowledgeWake`.
  public var wakeDescriptor: Int32 { sync.wakeDescriptor }

  /// Takes note of what `wakeDescriptor` has told, which is readable no more until the next requested sync is done.
  public func acknowledgeWake() {
    sync.acknowledgeWake()
  }
}
