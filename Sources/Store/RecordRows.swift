import Measurements
import Workout

// How records are written.
extension Record {
  var isSession: Bool {
    if case .session = self { true } else { false }
  }

  var isOfManyRows: Bool {
    switch self {
    case .session, .workout, .workoutEdited, .editUndone, .importFinished, .importAborted, .importReplaced, .alive,
      .clockStepped, .clockSynchronised:
      true
    case .event, .sample, .strap, .strapForgotten, .athlete, .athleteForgotten, .clientData, .discarded, .importBegan,
      .sequenceReserved:
      false
    }
  }

  /// A pair of this boot's clocks that is written with it.
  var clocks: Moment? {
    switch self {
    case .alive(let moment), .clockStepped(_, let moment), .clockSynchronised(let moment): moment
    case .session, .event, .sample, .workout, .workoutEdited, .editUndone, .strap, .strapForgotten, .athlete,
      .athleteForgotten, .clientData, .discarded, .importBegan, .importFinished, .importAborted, .importReplaced,
      .sequenceReserved:
      nil
    }
  }
}
