import CArgp
import Control
import Glibc

/// The C library's argp over a grammar of ours: it cuts the words, writes the help and complains.
enum Argp {
  /// What `--version` prints, and how argp ends the process where the words are wrong. For main alone: argp keeps both
  /// in globals.
  static func introduce() {
    strapd_argp_set_version("strapctl \(Interface.version)")
    strapd_argp_set_error_status(ExitStatus.wrongUse.rawValue)
  }

  /// Reads words, the program's name first, into a draft.
  ///
  /// - Parameter quietly: argp prints nothing and comes back (for the tests). Otherwise it ends the process by itself:
  ///   with status 0 after `--help` and `--version`, with 64 where the words are wrong.
  /// - Returns: nil where the words are wrong.
  static func read(_ words: [String], _ grammar: Grammar, quietly: Bool, into draft: Draft) -> Draft? {
    // The last one is spelled out: of `argp_option()` in an array Swift 6's optimiser leaves the last field unwritten, and
    // argp then reads on behind the end.
    let options =
      grammar.options.map { option in
        argp_option(
          name: literal(option.name), key: option.rawValue, arg: option.value(with: grammar.command).map(literal),
          flags: 0,
          doc: literal(grammar.doc(of: option)), group: option.isGeneral ? 1 : 0)
      } + [argp_option(name: nil, key: 0, arg: nil, flags: 0, doc: nil, group: 0)]
    var flags = quietly ? UInt32(ARGP_NO_ERRS) | UInt32(ARGP_NO_HELP) | UInt32(ARGP_NO_EXIT) : 0
    // What stands behind the command is the command's.
    if grammar.command == nil { flags |= UInt32(ARGP_IN_ORDER) }
    var draft = draft
    var arguments = words.map { strdup($0) }
    // argp reorders the array, not the texts, so every one of them is still there to be freed.
    defer { for argument in arguments { free(argument) } }
    let failure = options.withUnsafeBufferPointer { options in
      var rules = argp(
        options: options.baseAddress, parser: take, args_doc: grammar.arguments.map(literal), doc: literal(grammar.doc),
        children: nil, help_filter: nil, argp_domain: nil)
      return withUnsafeMutablePointer(to: &draft) {
        argp_parse(&rules, Int32(arguments.count), &arguments, flags, nil, $0)
      }
    }
    return failure == 0 ? draft : nil
  }
}

/// argp's callback: C calls it, so it holds nothing and finds the draft through the state.
private func take(key: Int32, value: UnsafeMutablePointer<CChar>?, state: UnsafeMutablePointer<argp_state>?) -> error_t
{
  guard let state, let draft = state.pointee.input?.assumingMemoryBound(to: Draft.self) else { return EINVAL }
  let text = value.map { String(cString: $0) }
  do throws(UsageError) {
    switch key {
    case ARGP_KEY_ARG:
      // After the command's name argp has nothing left to read: the rest has a grammar of its own.
      if try draft.pointee.take(argument: text ?? "", next: Int(state.pointee.next)) == .isTheLast {
        state.pointee.next = state.pointee.argc
      }
    case ARGP_KEY_END: try draft.pointee.finish()
    default:
      guard let option = Option(rawValue: key) else { return ARGP_ERR_UNKNOWN }
      try draft.pointee.take(option, text)
    }
    return 0
  } catch {
    strapd_argp_error(state, error.description)
    return EINVAL
  }
}

private func literal(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
