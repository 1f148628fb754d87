import Glibc

/// A file that lines are written to, each as soon as it is there: whoever reads along sees it at once.
struct Output {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  func line(_ text: String) throws(OutputError) {
    try write(text + "\n")
  }

  func write(_ text: String) throws(OutputError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Somebody who shares the terminal or pipe has made it non-blocking.
        _ = Poll.wait(for: [.writable(descriptor)])
      } else if errno != EINTR {
        throw OutputError(code: errno)
      }
    }
  }
}

/// The output could not be written.
struct OutputError: Error, Equatable, CustomStringConvertible {
  /// The errno.
  var code: Int32

  /// Nobody reads any more, as with `| head -1`: no fault of anybody.
  var isReaderGone: Bool { code == EPIPE }

  var description: String {
    "cannot write the output (\(String(cString: strerror(code))))"
  }
}

extension String {
  /// Without control characters: names come from straps, and a terminal would obey them.
  var printable: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
