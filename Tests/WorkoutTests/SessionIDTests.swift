import Testing
import Workout

@Suite struct SessionIDTests {
  @Test func aRandomIDIsAUUIDOfVersion4() {
    #expect(SessionID(randomBytes: [UInt8](0..<16)).description == "00010203-0405-4607-8809-0a0b0c0d0e0f")
    #expect(
      SessionID(randomBytes: [UInt8](repeating: 0xFF, count: 16)).description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(
      SessionID(randomBytes: [UInt8](repeating: 0, count: 16)).description == "00000000-0000-4000-8000-000000000000")
  }

  @Test func readsEitherCaseAndWritesLower() {
    let id = SessionID("0001AbCd-0405-4607-8809-0A0B0C0D0E0F")
    #expect(id?.description == "0001abcd-0405-4607-8809-0a0b0c0d0e0f")
    #expect(id == SessionID("0001abcd-0405-4607-8809-0a0b0c0d0e0f"))
  }

  @Test(arguments: [
    "", "x", "00010203-0405-4607-8809-0a0b0c0d0e0", "00010203-0405-4607-8809-0a0b0c0d0e0f0",
    "00010203-0405-4607-88090a-0b0c0d0e0f", "0001020304054607 88090a0b0c0d0e0f", "g0010203-0405-4607-8809-0a0b0c0d0e0f",
    "00010203-0405-4607-8809-0a0b0c0d0e0f-", " 00010203-0405-4607-8809-0a0b0c0d0e0f",
    "000102034-405-4607-8809-0a0b0c0d0e0f",
  ])
  func anythingElseIsNone(_ text: String) {
    #expect(SessionID(text) == nil)
  }

  @Test func isOrderedByItsText() {
    let ids = [3, 1, 2].map { SessionID(randomBytes: [UInt8](repeating: $0, count: 16)) }
    #expect(ids.sorted() == [ids[1], ids[2], ids[0]])
  }
}
