import Bus
import Testing

@testable import strap_sim

@Suite struct AgentTests {
  private let manager = "AgentManager1"
  private let path = BusValue.objectPath("/agent")
  private static let doesNotExist = "org.bluez.Error.DoesNotExist: Does Not Exist"

  @Test func registration() throws {
    var stage = try Stage()
    #expect(
      try stage.call("/org/bluez", manager, "RequestDefaultAgent", [path]).last == "error 1 \(Self.doesNotExist)")
    #expect(
      try stage.call("/org/bluez", manager, "RegisterAgent", [path, .string("NoInputNoOutput")]) == [
        "AGENT NoInputNoOutput", "reply 2",
      ])
    #expect(
      try stage.call("/org/bluez", manager, "RegisterAgent", [path, .string("NoInputNoOutput")]).last
        == "error 3 org.bluez.Error.AlreadyExists: Already Exists")
    #expect(try stage.call("/org/bluez", manager, "RequestDefaultAgent", [path]) == ["reply 4"])
    #expect(
      try stage.call("/org/bluez", manager, "UnregisterAgent", [.objectPath("/other")]) == [
        "error 5 \(Self.doesNotExist)"
      ])
    #expect(try stage.call("/org/bluez", manager, "UnregisterAgent", [path]) == ["AGENT none", "reply 6"])
    #expect(try stage.call("/org/bluez", manager, "UnregisterAgent", [path]) == ["error 7 \(Self.doesNotExist)"])
    #expect(
      try stage.call("/org/bluez", manager, "RegisterAgent", [path, .string("Telepathy")]) == [
        "error 8 org.bluez.Error.InvalidArguments: Invalid arguments in method call"
      ])
    try stage.register("")
    #expect(stage.world.agents.map(\.capability) == [.keyboardDisplay])
    #expect(stage.leave(":1.7") == ["AGENT none"])
    #expect(stage.world.agents == [])
    #expect(stage.world.defaultAgents == [])
  }

  // What an agent of each capability is asked; nil: the pairing fails at once.
  private static let questions: [(asks: String, capability: String, call: String?)] = [
    ("none", "NoInputNoOutput", "RequestAuthorization A"), ("none", "KeyboardDisplay", "RequestAuthorization A"),
    ("passkey 4711", "NoInputNoOutput", nil), ("passkey 4711", "DisplayYesNo", nil),
    ("passkey 4711", "KeyboardOnly", "RequestPasskey A"), ("passkey 4711", "KeyboardDisplay", "RequestPasskey A"),
    ("pin 0000", "DisplayOnly", nil), ("pin 0000", "KeyboardDisplay", "RequestPinCode A"),
    ("confirm 42", "NoInputNoOutput", nil), ("confirm 42", "KeyboardOnly", nil),
    ("confirm 42", "DisplayYesNo", "RequestConfirmation A 42"),
    ("confirm 42", "KeyboardDisplay", "RequestConfirmation A 42"),
    ("show 42", "KeyboardOnly", nil), ("show 42", "DisplayOnly", "DisplayPasskey A 42 0"),
    ("show-pin 1x", "NoInputNoOutput", nil), ("show-pin 1x", "KeyboardDisplay", "DisplayPinCode A 1x"),
  ]

  @Test(arguments: questions)
  func whatAnAgentIsAsked(asks: String, capability: String, call: String?) throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.run("A asks \(asks)")
    try stage.register(capability)
    _ = try stage.call("A", "Device1", "Pair")
    let heard = stage.advance(.milliseconds(300))
    if let call {
      let member = call.split(separator: " ")[0]
      #expect(heard == ["ASKS A \(member)", ":1.7/agent \(call)"])
    } else {
      #expect(heard == ["error 5 org.bluez.Error.AuthenticationFailed: Authentication Failed"])
    }
  }

  private static let answers: [(asks: String, answer: BusValue?, isRight: Bool)] = [
    ("none", nil, true), ("none", .boolean(true), false), ("passkey 4711", .uint32(4711), true),
    ("passkey 4711", .uint32(4712), false), ("passkey 4711", .string("4711"), false), ("passkey 4711", nil, false),
    ("pin 0000", .string("0000"), true), ("pin 0000", .string("0"), false), ("confirm 42", nil, true),
  ]

  @Test(arguments: answers)
  func answersOfAgents(asks: String, answer: BusValue?, isRight: Bool) throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.run("A asks \(asks)")
    try stage.register("KeyboardDisplay")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(
      stage.answer(answer.map { [$0] } ?? [])
        == (isRight
          ? ["A Device1 {Bonded=true Paired=true} []", "PAIRED A", "reply 5"]
          : ["error 5 org.bluez.Error.AuthenticationFailed: Authentication Failed"]))
    #expect(stage.answer([]) == [], "once is enough")
  }

  /// What is shown here is typed there, which takes its time.
  @Test func whatIsShownIsTypedOnTheStrap() throws {
    var stage = try Stage()
    try stage.connect()
    _ = try stage.run("A asks show 42")
    try stage.register("DisplayOnly")
    _ = try stage.call("A", "Device1", "Pair")
    _ = stage.advance(.milliseconds(300))
    #expect(stage.answer([]) == [])
    #expect(stage.advance(.milliseconds(300)).last == "reply 5")
  }

  @Test func theDefaultAgentAnswersForThoseWithoutOne() throws {
    var stage = try Stage()
    try stage.connect()
    try stage.register("NoInputNoOutput", by: ":1.8")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(
      stage.advance(.milliseconds(300)) == ["error 5 org.bluez.Error.AuthenticationFailed: Authentication Failed"],
      "an agent that is somebody else's and not the default one is not asked")
    _ = try stage.call("/org/bluez", manager, "RequestDefaultAgent", [path], by: ":1.8")
    _ = try stage.call("A", "Device1", "Pair")
    #expect(stage.advance(.milliseconds(300)).last == ":1.8/agent RequestAuthorization A")
    #expect(stage.answer([], by: ":1.9") == [], "nobody else answers for it")
    // An agent that goes agrees to nothing.
    #expect(
      stage.leave(":1.8").filter { $0.hasPrefix("error") } == [
        "error 7 org.bluez.Error.AuthenticationFailed: Authentication Failed"
      ])
  }
}
