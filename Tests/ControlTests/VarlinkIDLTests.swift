import Control
import Testing

/// The test's own reader of varlink's language, so that it does not agree with everything.
@Suite struct VarlinkIDLTests {
  static let text = """
    # An interface.
    interface org.example.more

    # A kind.
    type Kind (one, two)

    type Thing (
      flag: bool, # behind a field
      whole: int,
      half: ?float,
      names: ?[]string,
      table: [string]Kind,
      inner: (x: int, y: ?object),
      kind: Kind
    )

    # Does it.
    method Do(thing: Thing) -> ()

    error Failed (text: string)
    """

  @Test func reads() throws {
    let idl = try VarlinkIDL(parsing: Self.text)
    #expect(idl.name == "org.example.more")
    #expect(idl.types["Kind"] == .enumeration(["one", "two"]))
    #expect(
      idl.types["Thing"]
        == .structure([
          .init(name: "flag", kind: .bool), .init(name: "whole", kind: .int),
          .init(name: "half", kind: .nullable(.float)), .init(name: "names", kind: .nullable(.array(.string))),
          .init(name: "table", kind: .map(.named("Kind"))),
          .init(
            name: "inner",
            kind: .structure([.init(name: "x", kind: .int), .init(name: "y", kind: .nullable(.object))])),
          .init(name: "kind", kind: .named("Kind")),
        ]))
    #expect(idl.methods == ["Do": .init(input: [.init(name: "thing", kind: .named("Thing"))], output: [])])
    #expect(idl.errors == ["Failed": [.init(name: "text", kind: .string)]])
    #expect(idl.documented == ["Kind", "Do"])
    #expect(idl.looseTypes == [])
  }

  @Test(arguments: [
    "", "interface x", "interface a.b type", "interface a.b type lower (x: int)", "interface a.b type T (x int)",
    "interface a.b type T (x: int, x: int)", "interface a.b type T (one, one)", "interface a.b type T (x: ??int)",
    "interface a.b type T (x: number)", "interface a.b type T (x: int", "interface a.b method M() ->",
    "interface a.b method M(one, two) -> ()", "interface a.b type T () error T ()", "interface a.b thing T ()",
    "interface a.b type T (_x: int)", "interface a.b type T (x_: int)", "interface a.b type T (x: int,)",
  ])
  func refuses(_ text: String) {
    #expect(throws: VarlinkIDL.ParseError.self) { try VarlinkIDL(parsing: text) }
  }

  static let right: JSON = .object([
    "flag": .bool(true), "whole": .integer(1), "half": .real(0.5), "names": .array([.string("a")]),
    "table": .object(["x": .string("two")]), "inner": .object(["x": .integer(1), "y": .object([])]),
    "kind": .string("one"),
  ])

  @Test func validates() throws {
    let idl = try VarlinkIDL(parsing: Self.text)
    guard case .structure(let fields) = idl.types["Thing"], case .object(let members) = Self.right else { return }
    #expect(idl.problems(of: Self.right, as: fields) == [])
    #expect(idl.problems(of: .array([]), as: fields) != [])
    #expect(idl.problems(of: .object(members + [.init("more", .null)]), as: fields) == [".more is not described"])
    for (index, member) in members.enumerated() {
      var without = members
      without.remove(at: index)
      let isNullable = ["half", "names"].contains(member.name)
      #expect(
        idl.problems(of: .object(without), as: fields) == (isNullable ? [] : [".\(member.name) is missing"]))
      without.insert(.init(member.name, .null), at: index)
      #expect(idl.problems(of: .object(without), as: fields).isEmpty == isNullable)
    }
    let wrong: [(String, JSON)] = [
      ("flag", .integer(1)), ("whole", .real(1)), ("half", .integer(1)), ("names", .array([.integer(1)])),
      ("table", .object(["x": .string("three")])), ("inner", .object(["x": .string("")])), ("kind", .string("three")),
      ("kind", .integer(0)),
    ]
    for (name, value) in wrong {
      let changed = members.map { $0.name == name ? .init(name, value) : $0 }
      #expect(idl.problems(of: .object(changed), as: fields).count == 1, "\(name): \(value)")
    }
  }
}
