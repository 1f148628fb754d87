import Bus
import Testing

private let longest = String(repeating: "a", count: 255)

/// A name of two elements. A function, because Swift 6.0.3 crashes on an interpolation in the arguments of `@Test`.
private func dotted(length: Int) -> String {
  String(repeating: "a", count: length - 2) + ".b"
}

@Suite struct ObjectPathTests {
  @Test(arguments: ["/", "/a", "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5", "/0", "/_", "/a/b", "/" + longest + longest])
  func valid(text: String) {
    #expect(ObjectPath(text)?.description == text)
  }

  @Test(arguments: ["", "a", "a/b", "//", "/a/", "/a//b", "/a-b", "/a.b", "/ä", "/a b", "/a\0", " /", "/a\n"])
  func invalid(text: String) {
    #expect(ObjectPath(text) == nil)
  }

  @Test func below() {
    let adapter: ObjectPath = "/org/bluez/hci0"
    #expect(ObjectPath("/org/bluez/hci0/dev_1").isBelow(adapter))
    #expect(ObjectPath("/org/bluez/hci0/dev_1/service0001").isBelow(adapter))
    #expect(!adapter.isBelow(adapter))
    #expect(!ObjectPath("/org/bluez/hci01").isBelow(adapter))
    #expect(!ObjectPath("/org/bluez").isBelow(adapter))
    #expect(adapter.isBelow("/"))
    #expect(!ObjectPath("/").isBelow("/"))
  }

  @Test func lastElement() {
    #expect(ObjectPath("/org/bluez/hci0").lastElement == "hci0")
    #expect(ObjectPath("/").lastElement == "")
  }
}

@Suite struct InterfaceNameTests {
  @Test(arguments: ["a.b", "org.bluez.Device1", "_a._b", "a.b.c.d", dotted(length: 255)])
  func valid(text: String) {
    #expect(InterfaceName(text)?.description == text)
  }

  @Test(arguments: [
    "", "a", ".a", "a.", "a..b", "1a.b", "a.1b", "a-b.c", "a.b-c", "a b.c", ":1.2", "a.ä", "a.b\0", dotted(length: 256),
  ])
  func invalid(text: String) {
    #expect(InterfaceName(text) == nil)
  }
}

@Suite struct MemberNameTests {
  @Test(arguments: ["a", "Connect", "_1", "A1_b", longest])
  func valid(text: String) {
    #expect(MemberName(text)?.description == text)
  }

  @Test(arguments: ["", "1a", "a.b", "a-b", "a b", "ä", "a\0", longest + "a"])
  func invalid(text: String) {
    #expect(MemberName(text) == nil)
  }
}

@Suite struct ConnectionNameTests {
  @Test(arguments: ["org.bluez", "a-b.c-d", "_a.b", ":1.42", ":1.42.7", ":a-1.2", ":" + dotted(length: 254)])
  func valid(text: String) {
    #expect(ConnectionName(text)?.description == text)
  }

  /// The last one is 255 long without its colon: libdbus counts that as well, and aborts.
  @Test(arguments: [
    "", "a", ":", ":1", ":.1", ":1.", ":1..2", "1a.b", "a.1b", "a..b", ".a.b", "a.b.", "a b.c", "a.b\0",
    dotted(length: 256), ":" + dotted(length: 255),
  ])
  func invalid(text: String) {
    #expect(ConnectionName(text) == nil)
  }

  @Test func unique() {
    #expect(ConnectionName(":1.42").isUnique)
    #expect(!ConnectionName("org.bluez").isUnique)
  }
}
