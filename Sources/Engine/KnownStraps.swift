import Control
import Measurements
import Workout

/// The straps that are known by the configuration and by the store, and what they are called. What the configuration
/// says goes before what a person has said.
struct KnownStraps: Sendable {
  private(set) var sections: [StrapAddress: StrapSection]
  private(set) var records: [StrapAddress: StrapRecord] = [:]
  /// What each strap is called.
  private(set) var names = StrapNames()
  private var nameOfStrap: [StrapAddress: StrapName] = [:]

  init(_ sections: [StrapAddress: StrapSection]) {
    self.sections = sections
    nameAll()
  }

  /// Every address, in order.
  var all: [StrapAddress] { Set(sections.keys).union(records.keys).sorted() }

  func contains(_ strap: StrapAddress) -> Bool { sections[strap] != nil || records[strap] != nil }

  func name(of strap: StrapAddress) -> StrapName? { nameOfStrap[strap] }

  func athlete(of strap: StrapAddress) -> AthleteName? {
    sections[strap]?.athlete ?? records[strap]?.athlete
  }

  /// Who wears which strap.
  var athletes: [StrapAddress: AthleteName] {
    Dictionary(uniqueKeysWithValues: all.compactMap { strap in athlete(of: strap).map { (strap, $0) } })
  }

  /// Takes a strap's new record, or (nil) forgets it.
  mutating func set(_ strap: StrapAddress, _ record: StrapRecord?) {
    let isRenamed = records[strap]?.name != record?.name
    records[strap] = record
    if isRenamed { nameAll() }
  }

  /// The configuration has been read again.
  mutating func configure(_ sections: [StrapAddress: StrapSection]) {
    self.sections = sections
    nameAll()
  }

  /// Straps whose own name the configuration has given to another one; it is as if they had none.
  var shadowed: [StrapAddress] {
    records.values.filter { $0.name != nil && sections[$0.address]?.name == nil && nameOfStrap[$0.address] == nil }
      .map(\.address).sorted()
  }

  private mutating func nameAll() {
    nameOfStrap = sections.compactMapValues(\.name)
    var taken = Set(nameOfStrap.values.map(\.key))
    for (strap, record) in records.sorted(by: { $0.key < $1.key }) where nameOfStrap[strap] == nil {
      guard let name = record.name, taken.insert(name.key).inserted else { continue }
      nameOfStrap[strap] = name
    }
    names = StrapNames(nameOfStrap)
  }
}
