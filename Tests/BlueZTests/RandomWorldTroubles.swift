import BlueZ
import Measurements

// What happens to a random world by itself while it is not well.
extension RandomWorld {
  mutating func happen(isSearched: Bool) {
    side = random.next(below: sides.count)
    let isFree = isInRange && isReady && !isConnectedElsewhere
    switch random.next(below: 40) {
    // Linux says so of a link that has just been made, and pairs afterwards.
    case 32:
      if isConnected, isReady, let pendingPair, pendingPair.isMultiple(of: 4) { answerPair(nil) } else { pairIfAsked() }
    // Somebody else removes the bond.
    case 33:
      if isBonded, isRunning, !isConnected {
        (isBonded, needsBond) = (false, true)
        show()
      }
    case 0...7: if isFree, pendingConnect != nil, !isConnected { makeLink(ours: true) }
    case 8...13: if isConnected, !isResolved, resolves { resolve() }
    case 14...24: beat()
    case 25...27: if isFree, isSearched { if isKnown { beHeard() } else { appear() } }
    case 28: if isHeard, isRunning { fallSilent() }
    // Somebody else scans.
    case 29: if isRunning, adapter != .noAdapter, !isConnectedElsewhere { if isKnown { beHeard() } else { appear() } }
    default: if random.chance(of: temper.troubles) { breakSomething() }
    }
  }

  /// - Parameter isAmbush: it is meant for the state in which the machine is.
  mutating func breakSomething(isAmbush: Bool = false) {
    if isAmbush { side = random.next(below: sides.count) }
    switch isAmbush ? temper.ambushed(&random) : temper.trouble(&random) {
    case 0...1:
      isInRange.toggle()
      if !isInRange { loseLinks() }
    case 2: if isConnected { loseLink() }
    case 3: if isKnown, !isConnected || random.chance(of: 50) { forget() }
    case 4: switchAdapter()
    case 5: restart()
    case 6...7: beats.toggle()
    case 8: resolves.toggle()
    case 9: hasHeartRate.toggle()
    case 10...11:
      othersNotify.toggle()
      show()
    case 12:
      // Nobody gets them for himself while others have them.
      othersHaveAcquired = !othersHaveAcquired && !weNotify && !othersNotify
      show()
    case 13: if isConnected { isZombie.toggle() }
    // Somebody else connects the strap.
    case 14: if isInRange, isKnown, isReady, !isConnected, !isConnectedElsewhere { makeLink(ours: false) }
    // Somebody else pairs it.
    case 18:
      if isKnown, isReady, isInRange, !isBonded, !refusesBond, pendingPair == nil {
        isBonded = true
        show()
      }
    case 15: if !isBonded || !needsBond { needsBond.toggle() }
    // Pairings are removed by others, and refused.
    case 16:
      refusesBond.toggle()
      if isBonded, !isConnected { (isBonded, needsBond) = (false, true) }
      show()
    default: if isRunning, measurement != nil { moveServices() }
    }
    // What is broken is mended after a while, or nothing would ever go well.
    if random.chance(of: 50) { (isInRange, beats, resolves, hasHeartRate) = (true, true, true, true) }
    if random.chance(of: 30), isRunning, !isReady { switchAdapter() }
    if random.chance(of: 30), !isRunning { restart() }
  }

  private mutating func loseLinks() {
    for index in sides.indices where sides[index].isConnected {
      side = index
      loseLink()
    }
  }

  private mutating func fallSilent() {
    isHeard = false
    show()
  }

  private mutating func forget() {
    answerConnect(.objectGone)
    answerPair(.objectGone)
    incarnation += 1
    loseObjects()
    show()
  }

  private mutating func loseObjects() {
    (isKnown, isHeard, isConnected, isResolved) = (false, false, false, false)
    (measurement, pendingConnect, pendingPair, weNotify, hasRead) = (nil, nil, nil, false, false)
  }

  /// "Service Changed", or a cache that bluetoothd has thrown away.
  private mutating func moveServices() {
    if random.chance(of: 50) {
      isResolved = false
      show()
    }
    let places = Self.measurements[number]
    measurement = measurement == places[0] ? places[1] : places[0]
    weNotify = false
    show()
  }

  /// - Parameter isLate: a link that ends with it is shown to stand for a while yet.
  mutating func switchAdapter(isLate: Bool = false) {
    guard isRunning else { return }
    if isRefusing {
      isRefusing = false
      return showAll()
    }
    if adapter == .ready || random.chance(of: 30) {
      adapter = random.one(of: [.adapterOff, .adapterOff, .adapterBlocked, .noAdapter])
      if adapter == .noAdapter { return forget() }
      // bluetoothd need not answer the Connect that is pending.
      if random.chance(of: 50) { answerConnect(.notReady) }
      if !isConnected || isLate || random.chance(of: 50) { show() }
      // What else happens may come between.
      guard isConnected, !isLate else { return }
      if random.chance(of: 60) { return loseLink() }
      // It was off for a moment only.
      if random.chance(of: 50) {
        adapter = .ready
        show()
      }
    } else {
      if adapter == .noAdapter { renumber() }
      adapter = .ready
      show()
    }
  }

  private mutating func renumber() {
    number = side * 2 + random.next(below: 2)
  }

  private mutating func restart() {
    if isRunning {
      for index in sides.indices {
        side = index
        // The bus answers for the dead, before it says that he is.
        if random.chance(of: 50) { answerConnect(.bluetoothdAbsent) }
        incarnation += 1
        hadOurLink = isConnected && linkIsOurs && !isZombie
        loseObjects()
      }
      isRunning = false
    } else {
      isRunning = true
      isRefusing = random.chance(of: 20)
      for index in sides.indices {
        side = index
        renumber()
        adapter = random.one(of: [.ready, .ready, .adapterOff, .noAdapter])
        isKnown = adapter != .noAdapter && random.chance(of: 50)
        // A link of the last life, which the kernel has kept. By an adapter that is not ours any more it may be anybody's.
        if isKnown, isReady, isInRange, !isConnectedElsewhere, random.chance(of: 20) {
          // It may be shown later than the device.
          if random.chance(of: 50) { show() }
          (isConnected, linkIsOurs) = (true, hadOurLink && sides.count == 1)
        }
      }
    }
    showAll()
  }

  mutating func showAll() {
    for index in sides.indices {
      side = index
      show()
    }
  }
}
