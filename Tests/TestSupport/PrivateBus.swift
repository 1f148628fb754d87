import Glibc

/// A real dbus-daemon that nobody else knows, with a system bus's limits and a policy that allows everything.
public final class PrivateBus {
  public let address: String
  public let daemon: ChildProcess
  private let folder: TemporaryFolder

  public init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>system</type>
        <listen>unix:path=\(folder.file("bus"))</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    daemon = try ChildProcess(
      "dbus-daemon", ["--config-file=\(folder.file("bus.conf"))", "--nofork", "--nopidfile", "--print-address"])
    guard let line = try daemon.line() else {
      throw TestSupportError("dbus-daemon does not start: \(try daemon.errorText())")
    }
    address = line
  }

  /// What a program needs in its environment to take this bus for the system's.
  public var environment: [String: String] {
    ["DBUS_SYSTEM_BUS_ADDRESS": address]
  }
}
