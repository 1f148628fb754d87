/// What a random world is like: some things go wrong only where the same few troubles come again and again.
struct RandomTemper {
  /// How often something breaks, in percent of the occasions.
  let troubles: Int
  /// Of the kinds of `breakSomething`, those that come more often than the others.
  private let habits: [Int]
  /// The kind that comes most often in an ambush.
  private let favourite: Int
  /// How many calls in a hundred are never answered.
  let lostAnswers: Int
  /// How many of a hundred Disconnects are answered and do nothing.
  var idleDisconnects: Int

  /// How many kinds of trouble there are.
  private static let kinds = 19

  init(_ random: inout SeededRandom) {
    troubles = random.one(of: [30, 50, 90])
    habits = random.chance(of: 50) ? [random.next(below: Self.kinds), random.next(below: Self.kinds)] : []
    favourite = random.next(below: Self.kinds)
    lostAnswers = random.one(of: [4, 4, 20])
    idleDisconnects = random.one(of: [5, 10, 50])
  }

  func ambushed(_ random: inout SeededRandom) -> Int {
    random.chance(of: 70) ? favourite : random.next(below: Self.kinds)
  }

  func trouble(_ random: inout SeededRandom) -> Int {
    habits.isEmpty || random.chance(of: 40) ? random.next(below: Self.kinds) : random.one(of: habits)
  }
}

extension RandomWorld {
  /// The strap has subscribers and is silent, and its links do not end: what leads to a wait while a link stands.
  mutating func makeStubborn() {
    beats = false
    temper.idleDisconnects = 80
  }
}
