import Bus
import Testing

@testable import Engine

struct TimeServerTests {
  private func answer(_ question: BusMessage, _ isRight: Bool) -> BusMessage {
    BusMessage(.reply(to: question.serial), sender: ":1.9", body: [.variant(.boolean(isRight))])
  }

  private func question(_ server: inout TimeServer) throws -> BusMessage {
    let question = server.takeQuestion()
    return try #require(question)
  }

  @Test func askedOnceThereIsABus() throws {
    var server = TimeServer()
    server.ask()
    do {
      let question = server.takeQuestion()
      #expect(question == nil)
    }
    server.busConnected()
    let question = try question(&server)
    do {
      let question = server.takeQuestion()
      #expect(question == nil, "one at a time")
    }
    do {
      let taken = server.take(BusMessage(.reply(to: 5)))
      #expect(taken == nil, "another's reply")
    }
    do {
      let taken = server.take(answer(question, true))
      #expect(taken == true)
    }
    do {
      let taken = server.take(answer(question, true))
      #expect(taken == false, "an answer counts once")
    }
  }

  /// What was asked before the clock was set says nothing of the clock as it is now.
  @Test func anOldAnswerIsVoid() throws {
    var server = TimeServer()
    server.busConnected()
    server.ask()
    let old = try question(&server)
    server.ask()
    let new = try question(&server)
    do {
      let taken = server.take(answer(old, true))
      #expect(taken == false)
    }
    do {
      let taken = server.take(answer(new, true))
      #expect(taken == true)
    }
  }

  @Test func anErrorAndALostBus() throws {
    var server = TimeServer()
    server.busConnected()
    server.ask()
    let first = try question(&server)
    let error = BusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: "no")
    do {
      let taken = server.take(BusMessage(.error(to: first.serial, error)))
      #expect(taken == false)
    }
    server.ask()
    _ = try question(&server)
    server.busLost()
    do {
      let question = server.takeQuestion()
      #expect(question == nil)
    }
    server.busConnected()
    _ = try question(&server)  // it is put again
  }
}
