import Testing

struct PackageManifestTests {
  @Test func targetsAreReadInTheFormsThatAreUsed() {
    let manifest = PackageManifest(
      """
      func cLibrary(_ name: String) -> Target { .systemLibrary(name: name, pkgConfig: nil, providers: [.apt(["x"])]) }
      let cellar = [cLibrary("CMath"), .systemLibrary(name: "CDBus", pkgConfig: "dbus-1")]
      let rooms: [Target] = [
        .target(name: "A"),
        .target(
          name: "B",
          dependencies: ["A", "CMath"], path: "Elsewhere"),
        .executableTarget(name: "c-d", dependencies: [ "B" ]),
        .target(name: "Support", path: "Tests/Support"),
        .testTarget(name: "ATests", dependencies: ["A"], resources: [.copy("x.jsonl")]),
      ]
      """)
    let found = manifest.targets.sorted { $0.name < $1.name }
    #expect(found.map(\.name) == ["A", "ATests", "B", "CDBus", "CMath", "Support", "c-d"])
    #expect(found.map(\.isTest) == [false, true, false, false, false, true, false])
    #expect(found.map(\.dependencies) == [[], ["A"], ["A", "CMath"], [], [], [], ["B"]])
  }
}
