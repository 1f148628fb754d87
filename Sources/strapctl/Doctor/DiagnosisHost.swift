import Measurements

// Files, groups, the disk and the clock.
extension Diagnosis {
  /// The control socket's permissions.
  var socketFile: [Finding] {
    let what = "the permissions of \(socket)"
    switch facts.socket {
    case .failed(let why): return [Self.unknown("socket", what, why)]
    case .timedOut(let limit): return [Self.late("socket", what, limit)]
    case .found(nil): return []  // what that means is said by whether strapd answers
    case .found(let file?):
      guard file.isSocket else {
        return [
          Finding(
            "socket", .problem, "\(file.path) is no socket",
            advice: "move it away, then 'sudo systemctl restart strapd.socket'")
        ]
      }
      guard file.mode & 0o007 == 0 else {
        return [
          Finding(
            "socket", .warning, "everybody on this machine may read the heart rate (\(file.words))",
            advice: "SocketMode=0660 in strapd.socket; at once: 'sudo chmod 0660 \(file.path)'")
        ]
      }
      return [Finding("socket", .ok, file.words)]
    }
  }

  /// Whether this user may control strapd.
  var group: [Finding] {
    switch facts.account {
    case .failed(let why): return [Self.unknown("group", "whether you are in group strapd", why)]
    case .timedOut(let limit): return [Self.late("group", "whether you are in group strapd", limit)]
    case .found(let account):
      if account.isRoot { return [Finding("group", .ok, "you are root, and may control strapd")] }
      if facts.socket.value??.mayConnect == true {
        return [Finding("group", .ok, "\(account.name) may control strapd")]
      }
      // Of another group's socket, the group that counts is that one.
      let group = facts.socket.value??.group ?? "strapd"
      guard account.groupExists || group != "strapd" else {
        return [
          Finding(
            "group", .problem, "there is no group strapd",
            advice: "install strapd.sysusers (README: Run it on a board), then 'sudo systemd-sysusers'")
        ]
      }
      if account.isMember { return [Finding("group", .ok, "\(account.name) is in group strapd")] }
      if account.isListed {
        return [
          Finding(
            "group", .problem, "\(account.name) is in group strapd, and was not yet when this session began",
            advice: "log out and in again (in this terminal: 'newgrp strapd')")
        ]
      }
      return [
        Finding(
          "group", .problem, "\(account.name) is not in group \(group)",
          advice: "sudo usermod -aG \(group) \(account.name), then log out and in again")
      ]
    }
  }

  /// The state folder's permissions.
  var state: [Finding] {
    switch facts.state {
    case .failed(let why): return [Self.unknown("state", "the permissions of the state folder", why)]
    case .timedOut(let limit): return [Self.late("state", "the permissions of the state folder", limit)]
    case .found(nil): return [Finding("state", .note, "there is no state folder yet; strapd makes it when it starts")]
    case .found(let folder?):
      guard folder.isFolder else {
        return [
          Finding(
            "state", .problem, "\(folder.path) is no folder",
            advice: "move it away, then 'sudo systemctl restart strapd'")
        ]
      }
      // Where it answers, it has opened its store, wherever that is.
      if let user = facts.account.value?.daemonUser, user != folder.ownerNumber, status == nil {
        return [
          Finding(
            "state", .problem, "\(folder.path) belongs to \(folder.owner), and strapd cannot write it",
            advice: "sudo chown -R strapd: \(folder.path)")
        ]
      }
      guard folder.mode & 0o077 == 0 else {
        return [
          Finding(
            "state", .warning, "others than strapd may look into \(folder.path) (mode \(folder.mode.octal))",
            advice: "sudo chmod 0700 \(folder.path)")
        ]
      }
      return [Finding("state", .ok, "\(folder.path) is open to \(folder.owner) alone (mode \(folder.mode.octal))")]
    }
  }

  static let leastOctets: UInt64 = 1 << 20
  static let scarceOctets: UInt64 = 64 << 20

  /// The room for workouts.
  var disk: Finding {
    switch facts.disk {
    case .failed(let why): return Self.unknown("disk", "the room for workouts", why)
    case .timedOut(let limit): return Self.late("disk", "the room for workouts", limit)
    case .found(let disk):
      if disk.isReadOnly {
        return Finding(
          "disk", .problem, "the disk of \(disk.path) can only be read",
          advice: "'mount' and 'dmesg' tell why; a worn-out SD card does this")
      }
      let text = "\(disk.freeOctets.inWords) free on the disk of \(disk.path)"
      guard disk.hasFreeFiles, disk.freeOctets >= Self.leastOctets else {
        let why = disk.hasFreeFiles ? text : "the disk of \(disk.path) takes no further file"
        return Finding("disk", .problem, why, advice: "delete something there; 'df -h' and 'df -i' show what is full")
      }
      guard disk.freeOctets >= Self.scarceOctets else {
        return Finding("disk", .warning, text, advice: "delete something there before the next long workout")
      }
      return Finding("disk", .ok, text)
    }
  }

  /// Of a machine without a clock that runs while it is off.
  static let earliestYear = "2024-01-01T00:00:00Z"

  var clock: Finding {
    let advice =
      "sudo timedatectl set-ntp true; a board without network keeps the time with a battery-backed clock (RTC)"
    if facts.clock.now < WallTime(rfc3339: Self.earliestYear) ?? facts.clock.now {
      return Finding(
        "clock", .warning, "the clock is wrong (\(facts.clock.now.rfc3339)): workouts get this date", advice: advice)
    }
    switch facts.clock.isSynchronised {
    case true?: return Finding("clock", .ok, "the clock is synchronised")
    case false?:
      return Finding(
        "clock", .warning, "the clock is not synchronised: dates may be wrong, durations are right", advice: advice)
    case nil: return Self.unknown("clock", "whether the clock is synchronised", "the kernel does not say")
    }
  }
}

extension SocketFile {
  fileprivate var words: String { "\(path) is for \(owner):\(group), mode \(mode.octal)" }
}

extension UInt32 {
  fileprivate var octal: String { "0" + String(self, radix: 8) }
}

extension UInt64 {
  /// "1.5 GiB", "12.0 MiB", "0.3 MiB".
  fileprivate var inWords: String {
    self >= 1 << 30 ? "\(tenths(Double(self) / Double(1 << 30))) GiB" : "\(tenths(Double(self) / Double(1 << 20))) MiB"
  }
}
