import Glibc
import Measurements

/// A file that lines are written to, each as soon as it is there: whoever reads along sees it at once.
struct Output {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Texts for people are `printable` before; what is left of what a terminal would obey is of the protocol's objects.
  func line(_ text: String) throws(OutputError) {
    try write(text.escapedForTerminals + "\n")
  }

  func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  func write(_ octets: [UInt8]) throws(OutputError) {
    var rest = octets[...]
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
  /// Without what a terminal would obey or not show.
  var printable: String { PrintableText.of(self) }

  /// With the same as JSON's escapes, but for control characters of ASCII, which no JSON has within its strings.
  var escapedForTerminals: String {
    if unicodeScalars.allSatisfy({ PrintableText.isShown($0) || $0.isASCII }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if PrintableText.isShown(scalar) || scalar.isASCII {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return text
  }
}
