import Control
import Measurements
import Workout

/// The people of whom there is a profile.
struct Athletes: Sendable {
  private(set) var profiles: [AthleteName: AthleteProfile] = [:]

  init(_ profiles: [AthleteProfile] = []) {
    for profile in profiles { self.profiles[profile.name] = profile }
  }

  /// By name.
  var all: [AthleteProfile] { profiles.values.sorted { $0.name.description < $1.name.description } }

  /// Whose workouts are where nobody is known to wear the strap.
  var usual: AthleteName? { all.first(where: \.isDefault)?.name }

  /// - Returns: what is to be written.
  mutating func set(_ profile: AthleteProfile) -> [Record] {
    let old = profiles
    profiles[profile.name] = profile
    if profile.isDefault {
      for name in profiles.keys where name != profile.name { profiles[name]?.isDefault = false }
    }
    return settle(from: old)
  }

  /// - Throws: where there is no such profile.
  mutating func forget(_ name: AthleteName) throws(ControlError) -> [Record] {
    let old = profiles
    guard profiles.removeValue(forKey: name) != nil else { throw .unknownAthlete(name, known: all.map(\.name)) }
    return [.athleteForgotten(name)] + settle(from: old)
  }

  /// One of them is the default.
  private mutating func settle(from old: [AthleteName: AthleteProfile]) -> [Record] {
    if usual == nil, let first = old.values.first(where: \.isDefault).flatMap({ profiles[$0.name] }) ?? all.first {
      profiles[first.name]?.isDefault = true
    }
    return all.filter { old[$0.name] != $0 }.map { .athlete($0) }
  }
}

extension Sessions {
  /// Who wears a strap, as far as anybody has said.
  func athlete(of strap: StrapAddress?) -> AthleteName? {
    strap.flatMap { athletes[$0] } ?? people.usual
  }

  /// The zones of a session on this strap, worn by this athlete: the strap's own in the configuration, those of the
  /// athlete's strap there, those of the athlete's profile, or those of everybody.
  func zones(of strap: StrapAddress?, _ athlete: AthleteName?) -> HeartRateZones? {
    configuration.zones(ofSections: strap, athlete) ?? athlete.flatMap { people.profiles[$0]?.zones }
      ?? configuration.zones
  }

  /// - Throws: for a change while the store cannot be written, as well: unlike a workout, it can wait.
  mutating func perform(
    _ call: AthleteCall, for client: ClientID, _ ledger: inout Ledger
  ) throws(ControlError) -> [SessionsEffect] {
    if call != .list, let held = ledger.held { throw .storeFailed(held) }
    let before = people
    let records: [Record]
    switch call {
    case .list: records = []
    case .set(let profile): records = people.set(profile)
    case .forget(let name): records = try people.forget(name)
    }
    if records.isEmpty { return [.reply(client, .athletes(people.all))] }
    for record in records { ledger.record(record) }
    return [.promise(Promise(client: client, change: .athletes(before: before)))]
  }
}
