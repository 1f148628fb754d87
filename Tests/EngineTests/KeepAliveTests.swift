import Bus
import Control
import Measurements
import Testing
import Workout

@testable import Engine

struct KeepAliveTests {
  /// The locks that logind has given and not got back.
  private func held(_ world: World) -> [String] {
    world.logind.held.filter { !world.closed.contains($0.key) }.values.sorted()
  }

  private func locks(_ world: World) -> [String] {
    world.status["locks"]?.asArray?.map { lock in
      [lock["what"], lock["mode"], lock["trouble"]].compactMap { $0?.asString }.joined(separator: " ")
    } ?? []
  }

  private static let both = ["idle block", "sleep block"]

  @Test(
    arguments: [
      ([], false), ([.notStarted], false), ([.ended], false), ([.prepared], true), ([.running], true),
      ([.paused], true),
      ([.stopped], true), ([.ended, .notStarted], false), ([.ended, .paused], true), ([.notStarted, .stopped], true),
    ] as [([WorkoutState], Bool)])
  func followsFromTheStates(_ states: [WorkoutState], _ isHeld: Bool) {
    #expect(KeepAlive.isHeld(by: states) == isHeld)
  }

  @Test func heldFromPreparedToEnded() {
    let world = World()
    world.call("Create")
    #expect(held(world) == [])
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(held(world) == Self.both)
    #expect(locks(world) == Self.both)
    world.beats(2)
    for call in ["Start", "Pause", "Resume", "Stop"] {
      world.call(call)
      #expect(held(world) == Self.both, "\(call)")
    }
    world.call("End")
    world.advance(.seconds(1))
    #expect(held(world) == [])
    #expect(world.logind.asked == Self.both, "once each")
    #expect(locks(world) == ["idle", "sleep"])
  }

  @Test func heldAgainAfterACrash() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.call("Start")
    let next = world.killed()
    next.advance(.seconds(1))
    #expect(held(next) == Self.both)
  }

  @Test func withoutThePolkitRule() {
    let world = World()
    world.logind.refuses = ["sleep block"]
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(held(world) == ["idle block", "sleep delay"])
    #expect(locks(world) == ["idle block", "sleep delay"])
    #expect(
      world.logs.contains { $0.text.hasPrefix("the machine may go to sleep in a workout, and strapd is told before") })
  }

  @Test func withoutPolkitd() {
    let world = World()
    world.logind.refuses = ["idle block", "sleep block", "sleep delay"]
    world.call("Prepare")
    world.advance(.seconds(2))
    let why = "refused: install polkitd, and strapd's rule in /usr/share/polkit-1/rules.d"
    #expect(locks(world) == ["idle " + why, "sleep " + why])
    world.beats(2)
    world.call("Start")
    #expect(world.transitions.last == "prepared>running", "the session does not wait for a lock")
    let lines = world.logs.filter { $0.text.hasPrefix("the machine may") }.count
    #expect(lines == 2)
    world.advance(.seconds(900))
    #expect(world.logs.filter { $0.text.hasPrefix("the machine may") }.count == lines, "one line per change")
    world.logind.refuses = []
    world.advance(.seconds(300))
    #expect(held(world) == Self.both)
  }

  @Test func withoutLogind() {
    let world = World()
    world.logind.isThere = false
    world.call("Prepare")
    world.advance(.seconds(2))
    #expect(locks(world) == ["idle systemd-logind does not run", "sleep systemd-logind does not run"])
    world.logind.isThere = true
    world.advance(.seconds(30))
    #expect(held(world) == Self.both)
  }

  @Test func theBusGoesAndComes() {
    let world = World()
    world.busIsThere = false
    world.input(.busLost("gone"))
    world.call("Prepare")
    #expect(locks(world) == ["idle the system bus cannot be reached", "sleep the system bus cannot be reached"])
    world.busIsThere = true
    world.advance(.seconds(3))
    #expect(held(world) == Self.both)
    world.busIsThere = false
    world.input(.busLost("gone"))
    #expect(held(world) == Self.both, "the descriptors are the locks")
    world.call("End")
    world.advance(.seconds(1))
    #expect(held(world) == [])
  }

  @Test func strangersDescriptorsAreClosed() {
    let world = World()
    let descriptor = BusFileDescriptor(raw: 55)
    world.arrive([BusMessage(.reply(to: 4_000_000_000), sender: ":1.2", body: [.unixFD(descriptor)])])
    #expect(world.closed == [descriptor])
  }

  /// Whatever calls come: the locks are held if and only if the states say so.
  @Test(arguments: 0..<60)
  func heldIfAndOnlyIf(_ seed: UInt64) {
    var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    let world = World()
    for _ in 0..<40 {
      switch next(9) {
      case 0: world.call("Create", ["strap": .string((next(2) == 0 ? World.a : World.b).description)])
      case 7: world.beats(1)
      case 8: world.advance(.seconds(Int64(next(90))))
      case let number:
        let calls = ["Prepare", "Start", "Pause", "Resume", "Stop", "End"]
        let live = world.engine.sessions.live.keys.sorted()
        let session = live.isEmpty ? nil : live[Int(next(UInt64(live.count)))]
        world.call(calls[Int(number) - 1], ["session": session.map { .string($0.description) }])
      }
      let states = world.engine.sessions.live.values.map(\.machine.state)
      let isHeld = states.contains { [.prepared, .running, .paused, .stopped].contains($0) }
      #expect(held(world) == (isHeld ? Self.both : []), "\(states)")
    }
  }
}
