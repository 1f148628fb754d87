import BlueZ
import Bus
import Testing

/// The tree over time: owners that come and go, and readings that cross with signals.
@Suite struct MirrorRestartTests {
  @Test func ownerLost() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    #expect(bluez.ownerChanged(from: ":1.1", to: "") == [.presence])
    #expect(bluez.mirror.presence == .absent)
    #expect(bluez.mirror.tree == ObjectTree())
    let sent = bluez.sent.count
    // Nothing is asked of somebody who is not there.
    bluez.readAgain()
    #expect(bluez.sent.count == sent)
    // A last word of his.
    #expect(bluez.value([1]) == [])
    #expect(bluez.mirror.oddSignals == 0)
  }

  @Test func restart() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    #expect(bluez.ownerChanged(from: ":1.1", to: "") == [.presence])
    #expect(bluez.ownerChanged(from: "", to: ":1.7") == [.presence])
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.answerTree(Objects.tree([Objects.adapter: Objects.adapter(powered: false)])) == [.presence])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree.devices.isEmpty)
    #expect(bluez.added(Objects.device, Objects.device()) == [.object(Objects.device)])
    // The dead one's name is not the living one's.
    #expect(
      bluez.take(Bluetoothd.changed(Objects.device, "org.bluez.Device1", ["Connected": .boolean(true)], from: ":1.1"))
        == [])
    #expect(bluez.mirror.tree.devices[Objects.device]?.isConnected == false)
  }

  /// From one owner to the next without a moment between, and the first one's tree still under way.
  @Test func ownerChanged() {
    var bluez = Bluetoothd()
    bluez.answerOwner(":1.1")
    let first = bluez.serial(of: "GetManagedObjects") ?? 0
    #expect(bluez.ownerChanged(from: ":1.1", to: ":1.7") == [.presence])
    #expect(bluez.serial(of: "GetManagedObjects") != first)
    let late = BusMessage(.reply(to: first), sender: ":1.1", body: [Objects.connectedStrap])
    #expect(bluez.take(late) == [])
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.mirror.tree == ObjectTree())
    let noReply = BusError(name: "org.freedesktop.DBus.Error.NoReply", text: "")
    #expect(bluez.take(BusMessage(.error(to: first, noReply), sender: "org.freedesktop.DBus")) == [])
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.presence == .ready)
  }

  @Test func busLost() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    bluez.mirror.busLost()
    #expect(bluez.mirror.presence == .noBus)
    #expect(bluez.mirror.tree == ObjectTree())
    bluez.readAgain()
    #expect(bluez.ownerChanged(from: "", to: ":1.9") == [])
    #expect(bluez.mirror.presence == .noBus)
    #expect(bluez.sent.count == 6)
    let again = bluez.mirror.busConnected(&bluez.serials)
    #expect(again.map(\.serial) == [7, 8, 9, 10, 11])
    #expect(bluez.mirror.presence == .starting)
  }

  /// What is signalled while the tree is read is in the tree: bluetoothd answers in order.
  @Test func signalsBetweenQuestionAndTree() {
    var bluez = Bluetoothd()
    bluez.answerOwner(":1.1")
    #expect(bluez.added("/org/bluez/hci0/dev_B", Objects.device(address: "F0:F1:F2:F3:F4:F6")) != [])
    bluez.changed(Objects.device, "org.bluez.Device1", ["Connected": .boolean(true)])
    bluez.changed(Objects.adapter, "org.bluez.Adapter1", ["Discovering": .boolean(true)])
    #expect(bluez.value([1, 2]) == [])
    bluez.removed("/org/bluez/hci0/dev_C", ["org.bluez.Device1"])
    // They spoke of objects that could not be known yet.
    #expect(bluez.mirror.oddSignals == 0)
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
    #expect(bluez.mirror.tree.devices.keys.map(\.description) == [Objects.device.description])
    // From here on they do.
    #expect(bluez.value([1, 2]) == [.value(Objects.measurement, [1, 2])])
    bluez.changed("/org/bluez/hci0/dev_B", "org.bluez.Device1", ["Connected": .boolean(true)])
    #expect(bluez.mirror.oddSignals == 1)
  }

  // MARK: Reading again

  @Test func oldTreeServesUntilTheAnswer() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    bluez.readAgain()
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree.devices(Objects.strap) == [Objects.device])
    // Signals go on changing it.
    #expect(bluez.value([1]) == [.value(Objects.measurement, [1])])
    bluez.changed(Objects.device, "org.bluez.Device1", ["Connected": .boolean(false)])
    #expect(bluez.mirror.tree.devices[Objects.device]?.isConnected == false)
    // The new one takes its place, and everything is to be looked at again.
    #expect(bluez.answerTree(Objects.tree([Objects.adapter: Objects.adapter()])) == [.object("/")])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree.devices.isEmpty)
  }

  @Test func refusedReadingKeepsTheOldTree() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    let tree = bluez.mirror.tree
    bluez.readAgain()
    #expect(bluez.refuseTree("org.freedesktop.DBus.Error.NoReply") == [])
    #expect(bluez.mirror.presence == .ready)
    #expect(bluez.mirror.tree == tree)
    bluez.readAgain()
    #expect(bluez.answerTree() == [.object("/")])
    #expect(bluez.mirror.tree == tree)
    #expect(bluez.mirror.oddSignals == 1)
  }

  @Test func onlyTheLastReadingCounts() {
    var bluez = Bluetoothd(Objects.connectedStrap)
    bluez.readAgain()
    let first = bluez.serial(of: "GetManagedObjects") ?? 0
    bluez.readAgain()
    #expect(bluez.take(BusMessage(.reply(to: first), sender: ":1.1", body: [Objects.tree([:])])) == [])
    #expect(bluez.mirror.tree.devices(Objects.strap) == [Objects.device])
    #expect(bluez.answerTree(Objects.tree([:])) == [.object("/")])
    #expect(bluez.mirror.tree == ObjectTree())
  }

  @Test func readingAgainWhileTheFirstIsUnanswered() {
    var bluez = Bluetoothd()
    bluez.readAgain()
    #expect(bluez.sent.count == 5)
    bluez.answerOwner(":1.1")
    bluez.readAgain()
    #expect(bluez.mirror.presence == .starting)
    #expect(bluez.sent.count == 7)
    #expect(bluez.answerTree(Objects.connectedStrap) == [.presence])
  }
}
