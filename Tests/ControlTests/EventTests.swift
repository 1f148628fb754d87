import Control
import Testing

@Suite struct EventTests {
  @Test(arguments: Samples.events)
  func wire(_ event: Event, _ members: String) {
    let head =
      #"{"parameters":{"sequence":\#(event.sequence),"kind":"\#(event.kind)","date":"2026-11-30T09:10:11.250Z","#
    let detail = members.isEmpty ? "" : members + ","
    #expect(
      text(event.message(held: false, durableThrough: 5))
        == head + detail + #""durableThrough":5},"continues":true}"#)
    #expect(
      text(event.message(held: true, durableThrough: 0))
        == head + detail + #""durableThrough":0,"held":true},"continues":true}"#)
  }

  @Test func kinds() {
    let names: Set = Set(Samples.events.map { $0.event.kind })
    #expect(
      names == [
        "transition", "heartRate", "availability", "gap", "link", "battery", "countdown", "recovered", "lap", "segment",
        "marker", "activityBegan", "activityEnded", "pauseOrResumeRequest", "types", "zone", "alert", "goal", "session",
        "failed", "host", "unattended", "postExerciseEnded", "discarded", "restored", "clockStep", "gapFixed",
      ])
    #expect(names == Set(EventKind.allCases.map(\.rawValue)))
    for (event, _) in Samples.events {
      let kind =
        switch event.what {
        case .transition: "transition"
        case .heartRate: "heartRate"
        case .availability: "availability"
        case .gap: "gap"
        case .link: "link"
        case .battery: "battery"
        case .countdown: "countdown"
        case .recovered: "recovered"
        case .clockStep: "clockStep"
        case .gapFixed: "gapFixed"
        case .lap: "lap"
        case .segment: "segment"
        case .marker: "marker"
        case .activityBegan: "activityBegan"
        case .activityEnded: "activityEnded"
        case .pauseOrResumeRequest: "pauseOrResumeRequest"
        case .types: "types"
        case .zone: "zone"
        case .alert: "alert"
        case .goal: "goal"
        case .session: "session"
        case .failed: "failed"
        case .host: "host"
        case .unattended: "unattended"
        case .postExerciseEnded: "postExerciseEnded"
        case .discarded: "discarded"
        case .restored: "restored"
        }
      #expect(event.kind == kind)
    }
  }

  private func text(_ message: [UInt8]) -> String {
    #expect(message.last == 0)
    return String(decoding: message.dropLast(), as: UTF8.self)
  }
}
