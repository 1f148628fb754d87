import Control
import Testing

@testable import strapctl

struct ScanListTests {
  private static func device(_ number: Int, _ members: String = "") -> String {
    #"{"address":"F0:F1:F2:F3:F4:F\#(number)","heartRate":true,"connected":false,"bonded":false,"known":false\#(members)}"#
  }

  private static func report(_ devices: [String], gone: [Int] = [], advice: String? = nil) throws -> JSON {
    let gone = gone.map { #""F0:F1:F2:F3:F4:F\#($0)""# }.joined(separator: ",")
    let advice = advice.map { #","advice":"\#($0)""# } ?? ""
    return try json(#"{"devices":[\#(devices.joined(separator: ","))],"gone":[\#(gone)]\#(advice)}"#)
  }

  private static func addresses(_ list: ScanList) -> [String] {
    list.sorted.compactMap { $0.text("address").map { String($0.suffix(1)) } }
  }

  @Test func theStrongestIsFirst() throws {
    var list = ScanList()
    _ = list.take(
      try Self.report([
        Self.device(1), Self.device(2, #","rssi":-70"#), Self.device(3, #","rssi":-50"#),
        #"{"address":"F0:F1:F2:F3:F4:F4","heartRate":true,"connected":true}"#, Self.device(5, #","rssi":-70"#),
      ]))
    #expect(Self.addresses(list) == ["3", "2", "5", "4", "1"])
    _ = list.take(try Self.report([Self.device(1, #","rssi":-30"#)], gone: [2]))
    #expect(Self.addresses(list) == ["1", "3", "5", "4"])
  }

  @Test func anotherSignalIsNoNews() throws {
    var list = ScanList()
    var news: [ScanList.News] = []
    let first = try json(Self.device(1, #","rssi":-50"#))
    news = list.take(try Self.report([Self.device(1, #","rssi":-50"#)]))
    #expect(news == [.device(first)])
    news = list.take(try Self.report([Self.device(1, #","rssi":-51"#)]))
    #expect(news == [])
    #expect(list.devices["F0:F1:F2:F3:F4:F1"]?.integer("rssi") == -51, "though it is kept")
    let silent = try json(Self.device(1))
    news = list.take(try Self.report([Self.device(1)]))
    #expect(news == [.device(silent)], "that there is none any more")
    news = list.take(try Self.report([Self.device(1, #","rssi":-51"#)]))
    #expect(news.count == 1)
    news = list.take(try Self.report([Self.device(1, #","rssi":-52,"batteryPercent":9"#)]))
    #expect(news.count == 1)
  }

  @Test func whatGoesIsToldOnce() throws {
    var list = ScanList()
    var news: [ScanList.News] = []
    _ = list.take(try Self.report([Self.device(1)]))
    news = list.take(try Self.report([], gone: [1, 2]))
    #expect(news == [.gone(address: "F0:F1:F2:F3:F4:F1")])
    news = list.take(try Self.report([], gone: [1]))
    #expect(news == [])
    #expect(list.hasSeenAny)
    news = list.take(try Self.report([Self.device(1)]))
    #expect(news.count == 1, "and comes again")
  }

  @Test func adviceIsToldWhenItChanges() throws {
    var list = ScanList()
    var news: [ScanList.News] = []
    news = list.take(try Self.report([], advice: "a"))
    #expect(news == [.advice("a")])
    news = list.take(try Self.report([], advice: "a"))
    #expect(news == [])
    news = list.take(try Self.report([], advice: "b"))
    #expect(news == [.advice("b")])
    news = list.take(try Self.report([]))
    #expect(news == [])
    #expect(list.advice == nil)
    news = list.take(try Self.report([], advice: "b"))
    #expect(news == [.advice("b")])
    #expect(!list.hasSeenAny)
  }
}

struct ScanTextTests {
  @Test(arguments: [
    (#"{"address":"A","heartRate":true,"connected":false,"bonded":false,"known":false}"#, "A  -  -"),
    (#"{"address":"A","rssi":-50,"name":"Demo HR","heartRate":true}"#, "A  -50 dBm  (Demo HR)"),
    (
      #"{"address":"A","rssi":-50,"name":"Demo HR","givenName":"Left","heartRate":true,"batteryPercent":9,"connected":true,"bonded":true,"known":true}"#,
      "A  -50 dBm  Left  battery 9 %, known, bonded, connected"
    ),
    (#"{"address":"A","name":"a\u001b[2J","heartRate":false}"#, "A  -  (a\u{FFFD}[2J)  no heart rate"),
  ])
  func writesOneLineADevice(_ device: String, _ line: String) throws {
    let device = try json(device)
    #expect(ScanText.line(device) == line)
  }

  @Test func writesTheWholeList() throws {
    var list = ScanList()
    #expect(ScanText.table(list) == ["scanning, nothing in sight yet; ^C ends"])
    _ = list.take(try json(#"{"devices":[],"gone":[],"advice":"switch it on"}"#))
    #expect(ScanText.table(list) == ["switch it on"])
    _ = list.take(
      try json(
        #"""
        {"devices":[{"address":"F0:F1:F2:F3:F4:F5","rssi":-71,"name":"Demo HR","heartRate":true},
        {"address":"F0:F1:F2:F3:F4:F6","rssi":-50,"givenName":"Left","heartRate":true,"batteryPercent":87,"known":true},
        {"address":"F0:F1:F2:F3:F4:F7","heartRate":false,"connected":true}],"gone":[]}
        """#))
    #expect(
      ScanText.table(list) == [
        " signal  name       address            battery  state",
        "-50 dBm  Left       F0:F1:F2:F3:F4:F6     87 %  known",
        "-71 dBm  (Demo HR)  F0:F1:F2:F3:F4:F5        -  -",
        "      -  -          F0:F1:F2:F3:F4:F7        -  connected, no heart rate",
      ])
  }
}
