import Testing
import Workout

@testable import Store

@Suite struct ClientDataTableTests {
  let directory: TemporaryDirectory
  let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
    try store.commit([.session(.example(1)), .session(.example(2))], through: 0)
  }

  @Test func comesBackAsItWasWritten() throws {
    let largest = String(repeating: "é", count: 32_768)
    let data = try ClientData(metadata: #"{"weather":"rain"}"#, blob: largest)
    try store.commit([.clientData(data, session: .number(1))], through: 1)
    #expect(try store.clientData(of: .number(1)) == data)
    #expect(try store.clientData(of: .number(2)) == ClientData())
    let less = try ClientData(metadata: nil, blob: "x")
    try store.commit([.clientData(less, session: .number(1))], through: 2)
    #expect(try store.clientData(of: .number(1)) == less)
    #expect(try directory.raw().rows("SELECT * FROM client_data") == [["1", "NULL", "x"]])
  }

  @Test func whatIsTooLargeForAnotherProgramIsNamed() throws {
    try directory.raw().execute("INSERT INTO client_data VALUES (1, NULL, printf('%.*c', 70000, 'x'))")
    let error = storeError { try store.clientData(of: .number(1)) }
    #expect(error?.operation == .read)
    #expect(error?.text.contains("blobTooLarge(70000)") == true)
  }
}
