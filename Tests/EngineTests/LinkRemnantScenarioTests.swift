import BlueZ
import Control
import Measurements
import Testing

@testable import Engine

/// Links that outlive whoever made them, and what is told of links; the numbers go on from `LinkScenarioTests`.
struct LinkRemnantScenarioTests {
  private func watched(_ configuration: Configuration) -> World {
    let world = World(configuration)
    let straps = JSON.array([.string(World.a.description)])
    world.send(world.connect(), VarlinkCall("io.strapd.Watch", .object(["straps": straps]), more: true))
    world.advance(.seconds(5))
    world.beat(70)
    return world
  }

  private func line(_ world: World) -> String? { world.strap()["link"]?.asString }

  /// The daemon was killed with a link that nobody wants in its next life: it is ended after ten seconds.
  @Test(arguments: [World.configured, Configuration()])
  func l22_aLinkFoundConnectedThatNobodyWants(configuration: Configuration) {
    let before = watched(configuration)
    #expect(line(before) == "streaming")
    let world = before.killed()
    world.advance(.seconds(9))
    #expect(world.bluez.straps[World.a]?.isConnected == true, "its client may come back")
    world.advance(.seconds(2))
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(world.bluez.calls.count { $0 == "Disconnect" } == 1)
    world.advance(.seconds(60))
    #expect(world.bluez.calls.count { $0 == "Disconnect" } == 1)
  }

  /// Its client is back in time, and has it without a reconnect.
  @Test func l22_aLinkFoundConnectedThatIsWantedAgain() {
    let world = watched(World.configured).killed()
    world.advance(.seconds(9))
    let connects = world.bluez.calls.count { $0 == "Connect" }
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beats(10, 71)
    #expect(line(world) == "streaming")
    #expect(world.bluez.calls.count { $0 == "Connect" } == connects)
    #expect(!world.bluez.calls.contains("Disconnect"))
  }

  /// A strap that was never ours to connect is left alone, and so is one that another client listens on.
  @Test func l22_theLinksOfOthersAreLeftAlone() {
    var bluez = World.straps
    for strap in [World.a, World.b] {
      bluez.straps[strap]?.isKnown = true
      bluez.straps[strap]?.isConnected = true
      bluez.straps[strap]?.isResolved = true
    }
    let world = World(World.configured, bluez: bluez)
    let measurement = SimulatedBlueZ.measurement(World.a)
    world.arrive([
      world.bluez.changed(measurement, "org.bluez.GattCharacteristic1", ["Notifying": .boolean(true)])
    ])
    world.advance(.seconds(60))
    #expect(world.bluez.straps[World.a]?.isConnected == true)
    #expect(world.bluez.straps[World.b]?.isConnected == true)
  }

  /// The workout ends while there is no bluetoothd to end the link with, and the kernel keeps it.
  @Test func l23_aLinkThatOutlivesItsBluetoothd() {
    let world = World()
    world.call("Prepare")
    world.advance(.seconds(2))
    world.beat(70)
    world.arrive(world.bluez.stop())
    world.call("End")
    world.advance(.seconds(200))
    #expect(world.transitions.last == "prepared>ended")
    world.bluez.straps[World.a]?.isKnown = true
    world.bluez.straps[World.a]?.isConnected = true
    world.arrive(world.bluez.restart())
    world.advance(.seconds(3))
    #expect(world.bluez.straps[World.a]?.isConnected == false)
    #expect(line(world) == "standing")
  }

  /// One event a change, as in the journal.
  @Test func l24_whatIsToldOfALinkIsNews() {
    let world = watched(World.configured)
    for _ in 0..<3 {
      world.lose()
      world.advance(.seconds(40))
      world.come()
      world.advance(.seconds(2))
      world.beats(5, 100)
    }
    let told = world.events.compactMap { event -> String? in
      guard case .link(let strap) = event.what else { return nil }
      return "\(strap.link) \(strap.trouble ?? "") \(strap.battery?.percent ?? 0)"
    }
    #expect(told.count > 10)
    for (earlier, later) in zip(told, told.dropFirst()) { #expect(earlier != later) }
  }
}
