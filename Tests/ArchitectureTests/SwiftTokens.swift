/// A word or one sign of Swift source; comments and the insides of string literals are none.
struct Token: Equatable {
  var text: String
  var line: Int
  /// Nothing stands between it and the token before it.
  var isGlued: Bool

  var isWord: Bool { text.utf8.first.map(SwiftTokens.isWordByte) ?? false }
}

/// Cuts Swift source into tokens and comments. Of string literals only the quotes are left, and the code of
/// interpolations; regular-expression literals are not known.
struct SwiftTokens {
  private(set) var tokens: [Token] = []
  /// The comments, by the line on which they begin.
  private(set) var comments: [(line: Int, text: String)] = []

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var gap = true

  init(_ source: String) {
    bytes = Array(source.utf8)
    scan(insideInterpolation: false)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  private mutating func scan(insideInterpolation: Bool) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if starts("//") {
        takeLineComment()
      } else if starts("/*") {
        takeBlockComment()
      } else if let hashes = stringStart() {
        takeString(hashes: hashes)
      } else if byte == 0x0A || byte == 0x20 || byte == 0x09 || byte == 0x0D {
        advance()
        gap = true
      } else if Self.isWordByte(byte) {
        let start = position
        while position < bytes.count, Self.isWordByte(bytes[position]) { position += 1 }
        emit(start)
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          if insideInterpolation && depth == 0 { return }
          depth -= 1
        }
        position += 1
        emit(position - 1)
      }
    }
  }

  private mutating func emit(_ start: Int) {
    tokens.append(Token(text: text(start), line: line, isGlued: !gap))
    gap = false
  }

  private mutating func takeLineComment() {
    let start = position
    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    comments.append((line, text(start)))
    gap = true
  }

  private mutating func takeBlockComment() {
    let (start, startLine) = (position, line)
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        position += 2
      } else if starts("*/") {
        depth -= 1
        position += 2
      } else {
        advance()
      }
    } while depth > 0 && position < bytes.count
    comments.append((startLine, text(start)))
    gap = true
  }

  /// How many number signs stand before a string literal's first quote; nil where none begins here.
  private func stringStart() -> Int? {
    var end = position
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - position : nil
  }

  private mutating func takeString(hashes: Int) {
    let start = position
    position += hashes
    let quotes = starts("\"\"\"") ? 3 : 1
    position += quotes
    let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    emit(start)
    while position < bytes.count, !starts(end) {
      if starts(escape) {
        position += escape.utf8.count
        guard position < bytes.count, bytes[position] == UInt8(ascii: "(") else {
          if position < bytes.count { advance() }
          continue
        }
        position += 1
        gap = true
        scan(insideInterpolation: true)
      } else {
        advance()
      }
    }
    position += min(end.utf8.count, bytes.count - position)
    gap = false
  }

  private mutating func advance() {
    if bytes[position] == 0x0A { line += 1 }
    position += 1
  }

  private func starts(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private func text(_ start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }
}
