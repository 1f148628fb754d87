import Testing

@testable import strapctl

struct KnownStrapTextTests {
  @Test func showsEveryKnownStrap() throws {
    let straps = [
      #"{"address":"00:00:00:00:00:01","deviceName":"Demo HR","connected":false,"bonded":false,"link":"standing","clients":1}"#,
      #"{"address":"00:00:00:00:00:02","name":"Left","deviceName":"H10 1234","athlete":"Anna","manufacturer":"Maker","model":"M1","firmwareRevision":"2.1","batteryPercent":9,"rssi":-61,"connected":true,"bonded":true,"link":"streaming","session":"9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f","clients":1,"lastSeenDate":"2026-11-30T11:03:04Z"}"#,
      #"{"address":"00:00:00:00:00:03","connected":false,"link":"standing","clients":2,"manufacturer":"Maker","batteryPercent":100,"batteryUnreliable":true,"lastSeenDate":"2026-11-30T11:03:04Z"}"#,
      #"{"address":"00:00:00:00:00:05","connected":false,"bonded":false,"clients":0,"unattended":{"dryRun":false,"phase":"off"}}"#,
      #"{"address":"00:00:00:00:00:06","connected":false,"bonded":false,"clients":0,"unattended":{"dryRun":true,"phase":"off"}}"#,
      #"{"address":"00:00:00:00:00:04","name":"a\u001b[2J","connected":false,"bonded":false,"clients":0,"manufacturer":"Maker","model":"Maker M2"}"#,
    ]
    #expect(
      KnownStrapText.table(try straps.map { try json($0) }, .test()) == [
        "name       address            model     firmware  battery   signal  bonded  athlete  last seen         used by",
        "Left       00:00:00:00:00:02  Maker M1  2.1           9 %  -61 dBm  yes     Anna     connected         "
          + "9b2f6c1e-5f0a-4c39-8d7e-2a4b6c8d0e1f",
        "a\u{FFFD}[2J      00:00:00:00:00:04  Maker M2  -               -        -  no      -        never             -",
        "(Demo HR)  00:00:00:00:00:01  -         -               -        -  no      -        never             1 client",
        "-          00:00:00:00:00:03  Maker     -          100 %?        -  ?       -        2026-11-30 12:03  2 clients",
        "-          00:00:00:00:00:05  -         -               -        -  no      -        never             unattended",
        "-          00:00:00:00:00:06  -         -               -        -  no      -        never             unattended, "
          + "dry run",
      ])
    #expect(
      KnownStrapText.table([], .test()) == ["no strap is known yet: 'strapctl scan' shows those that are near"])
  }

  @Test(arguments: [
    (#"{"address":"A","name":"Left"}"#, "A is called 'Left'"), (#"{"address":"A"}"#, "A has no name"),
    (#"{"address":"A","name":"Left","athlete":"Anna"}"#, "A is called 'Left', and is worn by Anna"),
    (#"{"address":"A","athlete":"Anna"}"#, "A has no name, and is worn by Anna"),
  ])
  func saysWhatAStrapIsCalled(_ reply: String, _ text: String) throws {
    let reply = try json(reply)
    #expect(KnownStrapText.named(reply) == text)
  }

  @Test(arguments: [
    (#"{"strap":"A","bondRemoved":false}"#, "A is forgotten"),
    (#"{"strap":"A","bondRemoved":true}"#, "A is forgotten, and bluetoothd's bond with it is removed"),
    (
      #"{"strap":"A"}"#,
      "A is forgotten; bluetoothd does not answer: if it has a bond with the strap, forget it once more when bluetoothd runs"
    ),
    (
      #"{"strap":"A","bondRemoved":false,"configurationFile":"/f"}"#,
      "A is forgotten; a section in /f still speaks of it"
    ),
  ])
  func saysWhatIsForgotten(_ reply: String, _ text: String) throws {
    let reply = try json(reply)
    #expect(KnownStrapText.forgotten(reply) == text)
  }
}
