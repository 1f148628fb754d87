import Glibc

extension Account {
  /// The user of this process.
  ///
  /// - Parameter group: the group that may control strapd; its daemon's user has the same name.
  static func current(group: String) -> Account {
    let user = getuid()
    var account = Account(name: Names.user(user), isRoot: geteuid() == 0)
    account.daemonUser = Names.user(named: group)
    guard let number = Names.group(named: group) else {
      account.groupExists = false
      return account
    }
    var own = [gid_t](repeating: 0, count: Int(NGROUPS_MAX))
    let count = getgroups(Int32(own.count), &own)
    account.isMember = getegid() == number || own.prefix(Int(max(0, count))).contains(number)
    var listed = [gid_t](repeating: 0, count: Int(NGROUPS_MAX))
    var listedCount = Int32(listed.count)
    let isComplete = getgrouplist(account.name, getgid(), &listed, &listedCount) >= 0
    account.isListed = isComplete && listed.prefix(Int(listedCount)).contains(number)
    return account
  }
}

/// Users and groups by name and number, in the forms that several threads may call at once.
enum Names {
  /// The number where it has no name.
  static func user(_ number: uid_t) -> String {
    find(passwd(), { getpwuid_r(number, $0, $1, $2, $3) }, { String(cString: $0.pw_name) }) ?? "\(number)"
  }

  static func user(named name: String) -> uid_t? {
    find(passwd(), { getpwnam_r(name, $0, $1, $2, $3) }, \.pw_uid)
  }

  /// The number where it has no name.
  static func group(_ number: gid_t) -> String {
    find(Glibc.group(), { getgrgid_r(number, $0, $1, $2, $3) }, { String(cString: $0.gr_name) }) ?? "\(number)"
  }

  static func group(named name: String) -> gid_t? {
    find(Glibc.group(), { getgrnam_r(name, $0, $1, $2, $3) }, \.gr_gid)
  }

  private typealias Search<Entry> = (
    UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
    UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
  ) -> Int32

  /// - Parameter read: takes what is wanted out of the entry, whose texts lie in a buffer that goes afterwards.
  private static func find<Entry, Found>(
    _ blank: Entry, _ search: Search<Entry>, _ read: (Entry) -> Found
  ) -> Found? {
    var room = 1024
    while room <= 1 << 20 {
      var entry = blank
      var found: UnsafeMutablePointer<Entry>?
      var buffer = [CChar](repeating: 0, count: room)
      let result = buffer.withUnsafeMutableBufferPointer { buffer -> (code: Int32, found: Found?) in
        guard let base = buffer.baseAddress else { return (ENOMEM, nil) }
        let code = search(&entry, base, buffer.count, &found)
        return (code, found.map { read($0.pointee) })
      }
      // A group may have more members than there was room for.
      guard result.code == ERANGE else { return result.found }
      room *= 4
    }
    return nil
  }
}
