import ActivityFiles
import Glibc
import Measurements

/// What a strap has sent once, and sends again with the same spacing: from its first subscription on, heard or not.
struct Recording: Equatable {
  struct Packet: Equatable {
    /// Since the first one.
    var offset: Duration
    var payload: [UInt8]
  }

  let packets: [Packet]
  /// How much faster than it was.
  let speed: Double
  private var next = 0
  private var start: Tick?

  init(_ packets: [Packet], speed: Double) {
    self.packets = packets
    self.speed = speed
  }

  /// Begins, once.
  mutating func begin(at now: Tick) {
    start = start ?? now
  }

  /// When the next packet is due; nil before the beginning and behind the end.
  var due: Tick? {
    guard let start, next < packets.count else { return nil }
    return start + packets[next].offset / speed
  }

  mutating func take() -> [UInt8]? {
    guard next < packets.count else { return nil }
    next += 1
    return packets[next - 1].payload
  }
}

/// A strap out of an HCI log, with what it sent.
struct RecordedStrap: Equatable {
  var declaration: StrapDeclaration
  var recording: Recording

  /// Reads a log.
  ///
  /// - Throws: `RecordingError` where it cannot be read, is no log, or has no heart rates in it.
  static func read(_ file: String, speed: Double) throws(RecordingError) -> [RecordedStrap] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RecordingError(file, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var reader = BtsnoopReader()
    do throws(ActivityFileError) {
      while true {
        switch Files.chunk(of: descriptor) {
        case .bytes(let bytes): try reader.take(bytes)
        case .failure: throw ActivityFileError(.btsnoop, String(cString: strerror(errno)))
        case .end:
          let straps = straps(of: try reader.finish(), speed: speed)
          if straps.isEmpty { throw ActivityFileError(.btsnoop, "no strap has sent heart rates in it") }
          return straps
        }
      }
    } catch {
      throw RecordingError(file, error.description)
    }
  }

  /// One for each strap, by the order of their first packets; workouts of the same strap follow each other as they did.
  static func straps(of workouts: [WorkoutFile], speed: Double) -> [RecordedStrap] {
    var addresses: [StrapAddress?] = []
    for workout in workouts where !addresses.contains(workout.device.address) {
      addresses.append(workout.device.address)
    }
    return addresses.enumerated().map { index, address in
      let own = workouts.filter { $0.device.address == address }
      // An address of its own for a strap whose log begins later than its link.
      let substitutes = (0...addresses.count).compactMap {
        StrapAddress("F0:F1:F2:F3:F4:\(Hex.text([UInt8($0 & 0xFF)]))")
      }
      let free = substitutes.first { !addresses.contains($0) } ?? StrapDeclaration.standard.address
      var declaration = StrapDeclaration(tag: tag(index), address: address ?? free)
      for device in own.map(\.device) {
        declaration.name = device.name ?? declaration.name
        declaration.information = device.information
        declaration.battery = device.battery?.percent ?? declaration.battery
      }
      return RecordedStrap(declaration: declaration, recording: Recording(packets(of: own), speed: speed))
    }
  }

  private static func packets(of workouts: [WorkoutFile]) -> [Recording.Packet] {
    var packets: [Recording.Packet] = []
    var offset = Duration.zero
    var end: WallTime?
    for workout in workouts {
      // Never negative: the clock may have been set back between two.
      if let end { offset += max(.zero, workout.workout.start.date - end) }
      for sample in workout.samples {
        let since = sample.tick - workout.workout.start.tick
        packets.append(Recording.Packet(offset: offset + since, payload: sample.payload))
      }
      offset += workout.workout.wall
      end = workout.workout.end.date
    }
    return packets
  }

  /// A, B, … Z, S27, S28, …
  private static func tag(_ index: Int) -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    return index < letters.count ? letters[index] : "S\(index + 1)"
  }
}

/// Why a log cannot be played.
struct RecordingError: Error, Equatable, CustomStringConvertible {
  var file: String
  var text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  var description: String { "cannot play \(file): \(text)" }
}
