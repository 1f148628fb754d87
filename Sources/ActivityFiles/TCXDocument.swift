import CExpat

/// What is wrong with what an element says, to stand behind the file's name.
struct XMLContentError: Error {
  var text: String

  init(_ text: String) {
    self.text = text
  }
}

/// The attributes of an element.
struct XMLAttributes {
  /// Names and values in turn, and a null (expat's manual, XML_StartElementHandler).
  fileprivate let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

  subscript(name: String) -> String? {
    guard var next = list else { return nil }
    while let attribute = next[0], let value = next[1] {
      if String(cString: attribute) == name { return String(cString: value) }
      next += 2
    }
    return nil
  }
}

/// Has libexpat read a document, piece by piece, and tells its elements to a reading.
///
/// A document type is refused, since entities come with it, and a few of them can be made to stand for any amount of text. What
/// has another prefix than the first element is of another namespace; prefixes that stand for none, as some exporters
/// write them on their extensions, are no error here.
struct TCXDocument {
  private(set) var reading = TCXReading()
  private var failure: ActivityFileError?
  private let parser: XML_Parser
  /// What was passed over before the first octet that the parser got.
  private let passedOver: Int
  private var depth = 0
  /// How deep we are in what nobody wants.
  private var unwantedDepth = 0
  private var prefix = ""
  private var text: [UInt8] = []
  private var wanted: (most: Int, isCut: Bool)?

  private static let deepest = 64
  private static let piece = 65_536

  /// Reads all of a document.
  static func read(_ octets: [UInt8]) throws(ActivityFileError) -> TCXReading {
    guard let parser = XML_ParserCreate(nil) else { throw ActivityFileError(.tcx, "cannot be read: no memory") }
    defer { XML_ParserFree(parser) }
    let start = beginning(of: octets)
    var document = TCXDocument(parser, passedOver: start)
    let error = withUnsafeMutablePointer(to: &document) { pointer in
      XML_SetUserData(parser, pointer)
      setHandlers(parser)
      return parse(octets, from: start, parser)
    }
    if let failure = document.failure ?? error { throw failure }
    return document.reading
  }

  private init(_ parser: XML_Parser, passedOver: Int) {
    self.parser = parser
    self.passedOver = passedOver
  }

  /// Behind blanks, which some exporters write before the XML declaration, where it may not stand (XML 1.0, section 2.8).
  private static func beginning(of octets: [UInt8]) -> Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = octets.starts(with: mark) ? mark.count : 0
    return octets[start...].firstIndex { !XMLText.isBlank($0) } ?? octets.count
  }

  private static func parse(_ octets: [UInt8], from start: Int, _ parser: XML_Parser) -> ActivityFileError? {
    octets.withUnsafeBytes { raw in
      var position = start
      repeat {
        let count = min(piece, octets.count - position)
        let isLast: Int32 = position + count == octets.count ? 1 : 0
        let pointer = raw.baseAddress.map { ($0 + position).assumingMemoryBound(to: CChar.self) }
        if XML_Parse(parser, pointer, Int32(count), isLast) != XML_STATUS_OK {
          return error(of: parser, passedOver: start)
        }
        position += count
      } while position < octets.count
      return nil
    }
  }

  private static func error(of parser: XML_Parser, passedOver: Int) -> ActivityFileError {
    let offset = passedOver + max(0, Int(XML_GetCurrentByteIndex(parser)))
    let code = XML_GetErrorCode(parser)
    let endings = [
      XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION,
    ]
    if endings.contains(code) { return ActivityFileError(.tcx, at: offset, "ends before its last element does") }
    let words = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    return ActivityFileError(.tcx, at: offset, "is no well-formed XML: \(words)")
  }
}

// MARK: - What the parser calls

extension TCXDocument {
  private static func setHandlers(_ parser: XML_Parser) {
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let document = data?.assumingMemoryBound(to: TCXDocument.self), let name else { return }
        document.pointee.begin(String(cString: name), XMLAttributes(list: attributes))
      },
      { data, _ in data?.assumingMemoryBound(to: TCXDocument.self).pointee.end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let document = data?.assumingMemoryBound(to: TCXDocument.self), let text else { return }
      document.pointee.add(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      data?.assumingMemoryBound(to: TCXDocument.self).pointee.fail("declares a document type, which no TCX has")
    }
  }

  private mutating func fail(_ text: String) {
    guard failure == nil else { return }
    failure = ActivityFileError(.tcx, at: passedOver + max(0, Int(XML_GetCurrentByteIndex(parser))), text)
    XML_StopParser(parser, 0)
  }

  private mutating func begin(_ qualifiedName: String, _ attributes: XMLAttributes) {
    // The parser goes on to the end of the tag that it was stopped in.
    guard failure == nil else { return }
    depth += 1
    if depth > Self.deepest { return fail("has elements \(depth) deep") }
    if unwantedDepth > 0 || wanted != nil {
      unwantedDepth += 1
      return
    }
    let parts = qualifiedName.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (prefix, name) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", qualifiedName)
    if depth == 1 { self.prefix = prefix }
    do {
      let interest = try prefix == self.prefix ? reading.begin(name, attributes) : .none
      switch interest {
      case .none: unwantedDepth = 1
      case .elements: break
      case .text(let most, let isCut):
        wanted = (most, isCut)
        text.removeAll(keepingCapacity: true)
      }
    } catch { fail(error.text) }
  }

  private mutating func end() {
    guard failure == nil else { return }
    depth -= 1
    if unwantedDepth > 0 {
      unwantedDepth -= 1
      return
    }
    let text = wanted.map { XMLText.trimmed(XMLText.cut(self.text, to: $0.most)) } ?? ""
    wanted = nil
    do { try reading.end(text) } catch { fail(error.text) }
  }

  private mutating func add(_ characters: UnsafeBufferPointer<XML_Char>) {
    guard failure == nil, unwantedDepth == 0, let wanted else { return }
    // One more than is wanted tells that there is more.
    for character in characters.prefix(wanted.most + 1 - text.count) { text.append(UInt8(bitPattern: character)) }
    if text.count > wanted.most, !wanted.isCut { fail("has more than \(wanted.most) octets where a number or time is") }
  }
}
