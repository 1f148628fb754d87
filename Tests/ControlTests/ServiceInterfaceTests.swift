import Testing

@testable import Control

/// `org.varlink.service`, as varlink.org describes it.
@Suite struct ServiceInterfaceTests {
  @Test func getInfo() throws {
    let reply = try #require(try ServiceInterface.answer(VarlinkCall("org.varlink.service.GetInfo")))
    #expect(
      reply.message == Array(
        (#"{"parameters":{"vendor":"strapd","product":"strapd","version":"0.1.0","url":"https://strapd.io/","#
          + #""interfaces":["org.varlink.service","io.strapd"]}}"#).utf8) + [0])
  }

  @Test(arguments: ["org.varlink.service", "io.strapd"])
  func getInterfaceDescription(_ name: String) throws {
    let call = VarlinkCall(
      "org.varlink.service.GetInterfaceDescription", .object(["interface": .string(name)]))
    let reply = try #require(try ServiceInterface.answer(call))
    let description = try #require(reply.parameters["description"]?.asString)
    #expect(try VarlinkIDL(parsing: description).name == name)
    #expect(description.utf8.last == UInt8(ascii: "\n"))
  }

  @Test(arguments: ["", "org.example", "io.strapd.Watch", "org.varlink.service "])
  func unknownInterface(_ name: String) {
    let call = VarlinkCall(
      "org.varlink.service.GetInterfaceDescription", .object(["interface": .string(name)]))
    #expect(throws: ControlError.interfaceNotFound(name)) { try ServiceInterface.answer(call) }
  }

  @Test(arguments: [
    ("GetInfo", JSON.object(["x": .null]), "x"),
    ("GetInterfaceDescription", .object([]), "interface"),
    ("GetInterfaceDescription", .object(["interface": .null]), "interface"),
    ("GetInterfaceDescription", .object(["interface": .integer(1)]), "interface"),
    ("GetInterfaceDescription", .object(["interface": .string("io.strapd"), "x": .integer(1)]), "x"),
  ])
  func invalidParameter(_ method: String, _ parameters: JSON, _ parameter: String) {
    let call = VarlinkCall("org.varlink.service.\(method)", parameters)
    #expect(throws: ControlError.invalidParameter(parameter)) { try ServiceInterface.answer(call) }
  }

  @Test func unknownMethod() {
    let call = VarlinkCall("org.varlink.service.Fly")
    #expect(throws: ControlError.methodNotFound("org.varlink.service.Fly")) { try ServiceInterface.answer(call) }
  }

  @Test(arguments: ["io.strapd.GetStatus", "org.varlink.services.GetInfo", "GetInfo", "org.varlink.service"])
  func otherInterfacesAreNotItsBusiness(_ method: String) throws {
    #expect(try ServiceInterface.answer(VarlinkCall(method)) == nil)
  }

  /// Its description says what it does: every method and error of the published interface, and its own replies.
  @Test func description() throws {
    let idl = try VarlinkIDL(parsing: description(of: "org.varlink.service"))
    #expect(Set(idl.methods.keys) == ["GetInfo", "GetInterfaceDescription"])
    #expect(
      Set(idl.errors.keys) == [
        "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
        "ExpectedMore",
      ])
    let info = try #require(try ServiceInterface.answer(VarlinkCall("org.varlink.service.GetInfo")))
    #expect(idl.problems(of: info.parameters, as: idl.methods["GetInfo"]?.output ?? []) == [])
    let text = JSON.object(["description": .string("")])
    #expect(idl.problems(of: text, as: idl.methods["GetInterfaceDescription"]?.output ?? []) == [])
    for (error, _) in Samples.errors {
      let reply = error.reply
      guard let name = reply.error?.split(separator: ".").last, reply.error == "org.varlink.service.\(name)" else {
        continue
      }
      let fields = try #require(idl.errors[String(name)])
      #expect(idl.problems(of: reply.parameters, as: fields) == [], "\(name)")
    }
  }

  private func description(of name: String) throws -> String {
    let call = VarlinkCall(
      "org.varlink.service.GetInterfaceDescription", .object(["interface": .string(name)]))
    return try #require(try ServiceInterface.answer(call)?.parameters["description"]?.asString)
  }
}
