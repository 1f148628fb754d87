import Glibc
import Testing

@testable import strapctl

struct ConnectionErrorTests {
  private static let path = "/run/strapd/control.sock"

  @Test(
    arguments: [
      (
        ConnectionError(.connect, path, .system(ENOENT)),
        "no strapd answers at /run/strapd/control.sock (No such file or directory). "
          + "Start it with 'systemctl start strapd'"
      ),
      (
        ConnectionError(.connect, path, .system(ECONNREFUSED)),
        "no strapd answers at /run/strapd/control.sock (Connection refused). Start it with 'systemctl start strapd'"
      ),
      (
        ConnectionError(.connect, "/tmp/x", .system(ENOENT)),
        "no strapd answers at /tmp/x (No such file or directory). "
          + "Start it, or name its socket with --socket or $STRAPD_SOCKET (without them: /run/strapd/control.sock)"
      ),
      (
        ConnectionError(.connect, path, .system(EACCES)),
        "you may not connect to /run/strapd/control.sock (Permission denied). Members of group strapd may: as root, "
          + "'usermod -aG strapd NAME', then log in again"
      ),
      (
        ConnectionError(.connect, "/tmp/x", .longPath),
        "cannot connect to /tmp/x: a socket's path has at most 107 octets"
      ),
      (
        ConnectionError(.connect, path, .timedOut(.seconds(5))),
        "strapd at /run/strapd/control.sock does not take the connection within 5 s. "
          + "It hangs: see 'systemctl status strapd' and 'journalctl -u strapd'"
      ),
      (
        ConnectionError(.receive, path, .timedOut(.milliseconds(1500)), method: "io.strapd.End"),
        "strapd at /run/strapd/control.sock does not answer End within 1.5 s. "
          + "It hangs, or its disk does: see 'systemctl status strapd' and 'journalctl -u strapd'"
      ),
      (
        ConnectionError(.receive, path, .closed, method: "io.strapd.Stop"),
        "strapd at /run/strapd/control.sock closed the connection before it answered Stop. "
          + "It may have ended: see 'systemctl status strapd' and 'journalctl -u strapd'"
      ),
      (
        ConnectionError(.receive, path, .closed, method: "io.strapd.Watch"),
        "strapd at /run/strapd/control.sock closed the connection while it was watched. "
          + "It may have ended: see 'systemctl status strapd' and 'journalctl -u strapd'"
      ),
      (
        ConnectionError(.receive, "/tmp/x", .nonsense, method: "io.strapd.Stop"),
        "what /tmp/x answers to Stop is no varlink reply. Is it strapd's socket?"
      ),
      (
        ConnectionError(.send, path, .system(ENOBUFS), method: "io.strapd.Stop"),
        "sending Stop at /run/strapd/control.sock failed (No buffer space available)"
      ),
    ] as [(ConnectionError, String)])
  func saysWhatWasTriedAndWhatToDo(_ error: ConnectionError, _ text: String) {
    #expect(error.description == text)
  }
}
