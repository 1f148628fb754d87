import Control
import TestSupport
import Testing

/// A client that nobody here wrote: PyPI's varlink, on a running daemon.
@Suite struct PythonClientTests {
  /// The folder that README's test command installs the package into.
  private static let packages =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/.build/python"

  private static let program = """
    import sys, varlink
    with varlink.Client(address="unix:" + sys.argv[1]) as client:
        info = client.get_interfaces()
        print("interfaces", " ".join(sorted(info)))
        with client.open("io.strapd") as strapd:
            print("version", strapd.GetStatus()["version"])
            session = strapd.Prepare(activity="rowing", location="indoor")
            print("prepared", session["state"], session["snapshot"]["activity"])
            try:
                strapd.Pause()
            except varlink.VarlinkError as error:
                print("refused", error.error(), " ".join(error.parameters()["allowed"]))
            print("started", strapd.Start(session["session"])["state"])
            with client.open("io.strapd") as second:
                for event in second.Watch(_more=True):
                    print("watch", event["kind"], flush=True)
                    if event["kind"] == "heartRate":
                        break
            print("ended", strapd.End()["state"])
            workout = strapd.GetWorkout(strapd.ListWorkouts()["workouts"][0]["id"])["workout"]
            print("workout", workout["activity"], workout["endReason"])
    """

  @Test func pythonsVarlink() throws {
    let gym = try Gym()
    let straps = try gym.connect()
    _ = try straps.call("GetStatus")
    try gym.say("A beat 80 5")
    let python = try ChildProcess(
      "python3", ["-c", Self.program, gym.socket], environment: ["PYTHONPATH": Self.packages])
    let output = try python.outputText()
    let errors = try python.errorText()
    #expect(try python.wait() == .exited(0), "\(output) \(errors) (README's test command installs the package)")
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.contains("interfaces io.strapd org.varlink.service"))
    #expect(lines.contains("version \(Interface.version)"))
    #expect(lines.contains("prepared prepared rowing"))
    #expect(lines.contains { $0.hasPrefix("refused io.strapd.CallNotAllowed prepare start end ") })
    #expect(lines.contains("started running"))
    #expect(lines.first { $0.hasPrefix("watch") } == "watch snapshot")
    #expect(lines.contains("watch heartRate"))
    #expect(lines.contains("ended ended"))
    #expect(lines.contains("workout rowing user"))
  }
}
