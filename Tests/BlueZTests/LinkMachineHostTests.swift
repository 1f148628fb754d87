import BlueZ
import Testing

/// bluetoothd and the adapter come and go.
@Suite struct LinkMachineHostTests {
  static let hosts: [(host: LinkWorld.Host, status: LinkStatus)] = [
    (.bluetoothdAbsent, .waitingForBluetoothd), (.refused(.accessDenied), .waitingForBluetoothd),
    (.noAdapter, .waitingForAdapter), (.adapterOff, .waitingForAdapter), (.adapterBlocked, .waitingForAdapter),
  ]

  @Test(arguments: hosts)
  func waitsAtTheStart(_ host: LinkWorld.Host, _ status: LinkStatus) {
    var link = Link(.unknown, host: host)
    #expect(link.want(true) == [])
    #expect(link.status == status)
    #expect(link.machine.deadline == nil)
    #expect(!link.machine.wantsDiscovery)
    #expect(link.after(.seconds(3600)) == [])
    #expect(link.host(.ready) == [])
    #expect(link.status == .searching)
    #expect(link.appears() == [.connect(Link.device)])
  }

  @Test(arguments: hosts)
  func readyWithTheStrap(_ host: LinkWorld.Host, _ status: LinkStatus) {
    var link = Link(.known, host: host)
    #expect(link.want(true) == [])
    #expect(link.status == status)
    #expect(link.host(.ready) == [.connect(Link.device)])
  }

  @Test func bluetoothdRestarts() {
    var link = Link.streaming()
    let gone = link.see {
      $0.host = .bluetoothdAbsent
      $0.device = nil
    }
    #expect(gone == [])
    #expect(link.status == .waitingForBluetoothd)
    #expect(link.machine.deadline == nil)
    #expect(link.host(.adapterOff) == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.host(.ready) == [])
    #expect(link.status == .searching)
    #expect(link.appears() == [.connect(Link.device)])
    #expect(link.connected() == [])
    // The new bluetoothd knows nothing of our subscription.
    #expect(link.payload() == false)
    #expect(link.resolved() == [.startNotify(Link.measurement)])
    #expect(link.payload() == true)
  }

  /// It dies with a Connect in hand, and its successor may be asked at once.
  @Test func bluetoothdDiesWhileConnecting() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.bluetoothdAbsent) == [.connect(Link.device)])
    let gone = link.see {
      $0.host = .bluetoothdAbsent
      $0.device = nil
    }
    #expect(gone == [])
    #expect(link.status == .waitingForBluetoothd)
    let back = link.see {
      $0.host = .ready
      $0.device = Link.known
    }
    #expect(back == [.connect(Link.device)])
  }

  @Test func adapterOffAndOn() {
    var link = Link.streaming()
    #expect(link.host(.adapterOff) == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.disconnected() == [])
    #expect(link.host(.adapterBlocked) == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.host(.ready) == [.connect(Link.device)])
    #expect(link.connected() == [])
    // bluetoothd has lived on, and with it our subscription.
    #expect(link.payload() == true)
    #expect(link.status == .streaming)
  }

  /// bluetoothd lives on, and so does the Connect that it has not answered: never a second one beside it.
  @Test(arguments: [LinkWorld.Host.adapterOff, .adapterBlocked])
  func adapterOffWhileConnecting(_ host: LinkWorld.Host) {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.host(host) == [])
    #expect(link.host(.ready) == [.disconnect(Link.device)])
    #expect(link.connectAnswered(.cancelled) == [])
    #expect(link.disconnectAnswered() == [.connect(Link.device)])
  }

  @Test func connectAnsweredWhileTheAdapterIsOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.host(.adapterOff) == [])
    #expect(link.connectAnswered(.notReady) == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.host(.ready) == [.connect(Link.device)])
  }

  @Test func adapterUnpluggedAndBackUnderAnotherNumber() {
    var link = Link.streaming()
    let gone = link.see {
      $0.host = .noAdapter
      $0.device = nil
    }
    #expect(gone == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.host(.ready) == [])
    #expect(link.status == .searching)
    let path = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5"
    let back = link.see { $0.device = Link.known.with { $0.path = "/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5" } }
    #expect(back.description.contains(path))
    #expect(back == [.connect("/org/bluez/hci1/dev_F0_F1_F2_F3_F4_F5")])
  }

  @Test func hostGoesDuringABackOff() {
    var link = Link(.known)
    #expect(link.want(true) == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("x")) == [.connect(Link.device)])
    #expect(link.connectAnswered(.linkFailed("x")) == [])
    #expect(link.host(.adapterOff) == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.after(.seconds(100)) == [])
    #expect(link.host(.ready) == [.connect(Link.device)])
  }

  @Test func hostGoesWhileCancelling() {
    var link = Link.streaming()
    #expect(link.after(.seconds(15)) == [.disconnect(Link.device)])
    #expect(link.host(.adapterOff) == [])
    #expect(link.disconnectAnswered() == [])
    #expect(link.disconnected() == [])
    #expect(link.status == .waitingForAdapter)
    #expect(link.host(.ready) == [.connect(Link.device)])
  }
}
