import Testing
import Workout

@Suite struct ClientDataTests {
  @Test func eachMayHave64KiB() throws {
    let largest = String(repeating: "é", count: 32_768)
    let data = try ClientData(metadata: largest, blob: largest)
    #expect(data.metadata == largest && data.blob == largest && !data.isEmpty)
    #expect(throws: ClientDataError.metadataTooLarge(65_537)) { try ClientData(metadata: largest + "a", blob: nil) }
    #expect(throws: ClientDataError.blobTooLarge(65_538)) { try ClientData(metadata: nil, blob: largest + "é") }
    #expect(ClientData().isEmpty)
  }
}
