import Measurements
import Testing

struct StrapNameTests {
  private static let longest = String(repeating: "é", count: 32)

  @Test(arguments: [
    "a", "H10", "Anna", "Anna's left", "Ünïcödé", "心拍", "12", "be-ad", "cafe", "F0F1", "Gym: 3", "👩‍🚀", "a\u{200D}b",
    longest,
    "F0F1F2F3F4F5F", "any",
  ])
  func takesWhatPeopleWrite(_ text: String) {
    #expect(StrapName(text)?.description == text)
    #expect(AthleteName(text)?.description == text)
  }

  @Test(arguments: [
    "", " ", " a", "a ", "\ta", "a\u{00A0}", "a\u{0}", "a\u{1B}[2J", "a\nb", "a\r\nb", "a\u{7F}b", "a\u{85}b",
    "a\u{2028}b",
    "a\u{2029}b", longest + "x",
  ])
  func refusesWhatNobodyCouldRead(_ text: String) {
    #expect(StrapName(text) == nil)
    #expect(AthleteName(text) == nil)
  }

  @Test(arguments: [
    "F0:F1:F2:F3:F4:F5", "f0:f1:f2:f3:f4:f5", "F0-F1-F2-F3-F4-F5", "F0_F1_F2_F3_F4_F5", "F0F1F2F3F4F5", "f0f1f2f3f4f5",
    "F0:F1:F2:F3:F4", "F0:F1", ":", "F0:F1:F2:F3:F4:F5:F6", "cafe-babe-face",
  ])
  func refusesWhatLooksLikeAnAddress(_ text: String) {
    #expect(StrapName.looksLikeAddress(text))
    #expect(StrapName(text) == nil)
    #expect(AthleteName(text)?.description == text)
  }

  @Test(arguments: [
    ("Anna", "anna", true), ("ANNA", "anna", true), ("ÄNNE", "änne", true), ("e\u{301}", "É", true),
    ("Anna", "Ann", false), ("Anna", "Anna2", false),
  ])
  func namesThatDifferInCaseOnlyAreOne(_ a: String, _ b: String, _ isOne: Bool) throws {
    let (x, y) = (try #require(StrapName(a)), try #require(StrapName(b)))
    #expect((x.key == y.key) == isOne)
    #expect(x != y, "a change of case is a change")
  }
}
