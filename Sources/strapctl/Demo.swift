import Control
import Glibc
import Workout

/// A short workout with a simulated strap, from the first scan to the saved summary.
struct Demo {
  let output: Output
  let style: TextStyle
  /// Prints the saved workout and nothing else.
  let isJSON: Bool

  init(_ output: Output, _ style: TextStyle, isJSON: Bool) {
    self.output = output
    self.style = style
    self.isJSON = isJSON
  }

  /// - Throws: unless the workout is saved with counted samples.
  func run() throws {
    SignalPipe.redirect([SIGINT, SIGTERM, SIGHUP, SIGCHLD])
    let world = try DemoWorld()
    defer { world.close() }
    let screen = DemoScreen(isJSON ? nil : output, style, isTerminal: output.isTerminal)
    do {
      try screen.say("starting a private D-Bus, a simulated strap and a strapd of its own ...")
      try world.start()
      let workout = try DemoWorkout(world, screen).record()
      try screen.finish()
      try output.line(isJSON ? workout.text : WorkoutText.whole(workout, style).joined(separator: "\n"))
      guard workout["statistics"]?["heartRate"]?.integer("count") ?? 0 > 0 else { throw DemoError.nothingCounted }
    } catch {
      try screen.finish()
      // A connection breaks because strapd has ended, and its own words say more.
      if error is ConnectionError { try world.explain() }
      throw error
    }
  }
}
