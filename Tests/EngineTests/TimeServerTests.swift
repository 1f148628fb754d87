import Bus
import Testing

@testable import Engine

struct TimeServerTests {
  private func answer(_ question: BusMessage, _ isRight: Bool) -> BusMessage {
    BusMessage(.reply(to: question.serial), sender: ":1.9", body: [.variant(.boolean(isRight))])
  }

  @Test func askedOnceThereIsABus() throws {
    var server = TimeServer()
    server.ask()
    #expect(server.takeQuestion() == nil)
    server.busConnected()
    let question = try #require(server.takeQuestion())
    #expect(server.takeQuestion() == nil, "one at a time")
    #expect(server.take(BusMessage(.reply(to: 5))) == nil, "another's reply")
    #expect(server.take(answer(question, true)) == true)
    #expect(server.take(answer(question, true)) == false, "an answer counts once")
  }

  /// What was asked before the clock was set says nothing of the clock as it is now.
  @Test func anOldAnswerIsVoid() throws {
    var server = TimeServer()
    server.busConnected()
    server.ask()
    let old = try #require(server.takeQuestion())
    server.ask()
    let new = try #require(server.takeQuestion())
    #expect(server.take(answer(old, true)) == false)
    #expect(server.take(answer(new, true)) == true)
  }

  @Test func anErrorAndALostBus() throws {
    var server = TimeServer()
    server.busConnected()
    server.ask()
    let first = try #require(server.takeQuestion())
    let error = BusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "no")
    #expect(server.take(BusMessage(.error(to: first.serial, error))) == false)
    server.ask()
    _ = try #require(server.takeQuestion())
    server.busLost()
    #expect(server.takeQuestion() == nil)
    server.busConnected()
    #expect(server.takeQuestion() != nil, "it is put again")
  }
}
