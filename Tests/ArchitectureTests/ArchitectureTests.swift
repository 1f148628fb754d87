import Testing

/// The project keeps to its own house rules.
struct ArchitectureTests {
  private let repository = Repository()

  @Test func everySourceFileKeepsToTheRulesOfItsRoom() throws {
    let files = try repository.files(below: "Sources", endings: ["swift"])
    #expect(files.count > 10)
    for file in files {
      guard let room = House.room(file.target) else {
        Issue.record("\(file.path): \(file.target) is not in the house's table")
        continue
      }
      for violation in Rules.violations(in: file.text, of: room) { Issue.record("\(file.path):\(violation)") }
    }
  }

  @Test func everyFolderOfSourcesIsARoom() throws {
    for name in try repository.names(in: "Sources") {
      #expect(House.room(name) != nil, "Sources/\(name) is not in the house's table")
    }
  }

  /// Else it would be green for ever.
  @Test func everyFolderOfTestsIsRun() throws {
    let targets = Set(PackageManifest(try repository.text("Package.swift")).targets.filter(\.isTest).map(\.name))
    let folders = try repository.names(in: "Tests").filter { $0.hasSuffix("Tests") }
    #expect(folders.count > 10)
    for folder in folders { #expect(targets.contains(folder), "Package.swift has no test target \(folder)") }
  }

  @Test func everyTargetOfThePackageIsARoomAndDeclaresWhatItMayImport() throws {
    let targets = PackageManifest(try repository.text("Package.swift")).targets
    #expect(targets.contains { $0.name == "Measurements" })
    #expect(targets.contains { $0.isTest })
    for target in targets where !target.isTest {
      guard let room = House.room(target.name) else {
        Issue.record("Package.swift: \(target.name) is not in the house's table")
        continue
      }
      for dependency in target.dependencies {
        if let refusal = House.refusal(of: dependency, in: room) { Issue.record("Package.swift: \(refusal)") }
      }
    }
  }

  @Test func whatIsImportedIsDeclared() throws {
    let targets = PackageManifest(try repository.text("Package.swift")).targets
    for file in try repository.files(below: "Sources", endings: ["swift"]) {
      let declared = targets.first { $0.name == file.target }?.dependencies ?? []
      for (line, module) in Rules.imports(SwiftTokens(file.text).tokens) where House.room(module) != nil {
        #expect(declared.contains(module), "\(file.path):\(line): \(module) is not declared in Package.swift")
      }
    }
  }

  @Test func noFileIsLongerThan400Lines() throws {
    for folder in ["Sources", "Tests"] {
      let files = try repository.files(below: folder, endings: ["swift", "h", "c", "py", "sh"])
      #expect(!files.isEmpty)
      for file in files { #expect(file.lineCount <= 400, "\(file.path) has \(file.lineCount) lines") }
    }
  }

  @Test func theCellarHasHeadersAndModuleMapsOnly() throws {
    let cellar = Set(House.rooms.filter { $0.kind == .cellar }.map(\.name))
    let files = try repository.files(below: "Sources", endings: ["h", "modulemap", "c", "swift", "m", "cpp", "S"])
    for file in files {
      let belongs = file.name == "shim.h" || file.name == "module.modulemap"
      #expect(cellar.contains(file.target) == belongs, "\(file.path) is at the wrong place")
      if file.name == "shim.h" {
        for violation in Shim.violations(in: file.text) { Issue.record("\(file.path):\(violation)") }
      }
    }
  }
}
