import CArgp
import Control
import Glibc

/// What strapd's command line says.
struct Options: Hashable, Sendable {
  /// The configuration file that was named; nil where none was.
  var configuration: String?
  /// Look through the store, and do nothing else.
  var verifies = false

  /// Reads the arguments, the program's name first.
  ///
  /// Ends the process by itself: with status 0 after `--help` and `--version`, with 64 where the arguments are wrong.
  static func parse(_ arguments: [String]) -> Options {
    strapd_argp_set_version("strapd \(Interface.version)")
    strapd_argp_set_error_status(64)
    let verifyDoc: StaticString = """
      Look through the store, beside a running strapd or without one, print what is wrong, and exit: 0 sound, 1 not sound, \
      2 could not be checked.
      """
    let known = [
      argp_option(
        name: literal("config"), key: configKey, arg: literal("FILE"), flags: 0,
        doc: literal("Read FILE instead of /etc/strapd/strapd.conf. It must exist."), group: 0),
      argp_option(
        name: literal("verify"), key: verifyKey, arg: nil, flags: 0,
        doc: literal(verifyDoc), group: 0),
      argp_option(name: nil, key: 0, arg: nil, flags: 0, doc: nil, group: 0),
    ]
    let doc: StaticString = """
      Records workouts from Bluetooth heart-rate straps and serves them on a socket.\u{b}\
      Usually systemd starts it; strapctl is its client.
      Folders: $STATE_DIRECTORY for the database (default /var/lib/strapd), $RUNTIME_DIRECTORY for the control socket \
      (default /run/strapd).
      """
    var options = Options()
    var words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    known.withUnsafeBufferPointer { known in
      var grammar = argp(
        options: known.baseAddress, parser: take, args_doc: nil, doc: literal(doc), children: nil, help_filter: nil,
        argp_domain: nil)
      _ = withUnsafeMutablePointer(to: &options) { argp_parse(&grammar, Int32(words.count), &words, 0, nil, $0) }
    }
    return options
  }
}

/// Above every letter, so that the option has no short form.
private let configKey: Int32 = 256
private let verifyKey: Int32 = 257

private func take(key: Int32, value: UnsafeMutablePointer<CChar>?, state: UnsafeMutablePointer<argp_state>?) -> error_t
{
  switch key {
  case configKey:
    guard let value, let options = state?.pointee.input.assumingMemoryBound(to: Options.self) else { return EINVAL }
    options.pointee.configuration = String(cString: value)
    return 0
  case verifyKey:
    guard let options = state?.pointee.input.assumingMemoryBound(to: Options.self) else { return EINVAL }
    options.pointee.verifies = true
    return 0
  default: return ARGP_ERR_UNKNOWN
  }
}

private func literal(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
