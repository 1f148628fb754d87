import Testing

@testable import ActivityFiles

@Suite struct UnknownFormatTests {
  @Test(arguments: [
    (
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], 0, "begins with 89 50 4e 47 0d 0a 1a 0a, where a FIT file"
    ),
    ([14, 0x20, 0, 0, 1, 0, 0, 0, 0x2E, 0x46, 0x49, 0x55, 0], 8, "has 2e 46 49 55 where a FIT file has 2e 46 49 54"),
    ([14, 0x20, 0, 0], 4, "ends, and a FIT file has \".FIT\" at octet 8"),
    ([0x1F, 0x8B, 8, 0], 0, "is packed by gzip; unpack it first"),
    ([0x50, 0x4B, 3, 4, 20], 0, "is a zip archive; unpack it first"),
    ([0], 0, "begins with 00, where a FIT file"),
  ])
  func octets(_ octets: [UInt8], at offset: Int, says text: String) {
    expect(octets, offset, text)
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?>\n<!-- a -->\n<gpx creator=\"x\">", 33, "is XML of <gpx>, and a TCX file is of <Tra"),
    ("\u{FEFF}<a/>", 3, "is XML of <a>"), ("<", 0, "is XML of <?>"),
    (" {\"format\":\"other\"}", 1, "is JSON without \"io.strapd.workout\" in its first 1024 octets"),
    ("# RR intervals in ms\n810\nhello\n", 25, "has 'hello' in line 3, which is no interval"),
    ("Name,Age,City,Street\n", 0, "has 'Name,Age,City,Street' in line 1, which is no interval"),
    ("# nothing\n", 10, "has no interval so far"), ("\u{C4}rger\n", 0, "has '\u{C4}rger' in line 1"),
  ])
  func texts(_ text: String, at offset: Int, says what: String) {
    expect(Array(text.utf8), offset, what)
  }

  private func expect(_ octets: [UInt8], _ offset: Int, _ text: String) {
    if offset != 25 { #expect(ActivityFormat.recognised(octets) == nil) }
    let unknown = UnknownFormat(octets)
    #expect(unknown.offset == offset && unknown.text.hasPrefix(text), "\(unknown)")
    #expect(unknown.description.hasPrefix("at octet \(offset): \(text)"))
    for count in 0..<octets.count {
      let shorter = UnknownFormat(Array(octets.prefix(count)))
      #expect((0...count).contains(shorter.offset) && !shorter.text.isEmpty)
    }
  }
}
