import CSQLite
import Testing
import Workout

@testable import Store

/// Statements, the values bound to them and the rows they give.
@Suite struct StatementTests {
  let directory: TemporaryDirectory
  let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(path: directory.database, busyTimeout: .zero)
    try connection.execute(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b ANY NOT NULL) STRICT", for: .open, "making a table")
  }

  @Test func valuesComeBackAsTheyWereBound() throws {
    let statement = try Statement(connection, "SELECT ?, ?, ?, ?, ?, ?, ?, ?")
    let rows = try statement.rows(
      [
        .integer(.min), .real(-0.125), .text("pulsmätare\u{0}x"), .text(""), .blob([0, 255]), .blob([]), .null,
        .flag(true),
      ], "selecting"
    ) { (row: inout Row) in
      let (number, fraction, text) = (row.integer(), row.real(), row.text())
      #expect(number == .min)
      #expect(fraction == -0.125)
      #expect(text == "pulsmätare\u{0}x")
      #expect(!row.isNull, "no text is not nothing")
      let (emptyText, blob) = (row.text(), row.blob())
      #expect(emptyText == "")
      #expect(blob == [0, 255])
      #expect(!row.isNull, "no octets are not nothing")
      let emptyBlob = row.blob()
      #expect(emptyBlob == [])
      #expect(row.isNull)
      row.skip(1)
      return row.flag()
    }
    #expect(rows == [true])
  }

  @Test func nothingOfARunIsLeftForTheNext() throws {
    let insert = try Statement(connection, "INSERT INTO t VALUES (?, ?)")
    #expect(try insert.run([.integer(1), .text("x")], "inserting") == 1)
    let error = storeError { try insert.run([.integer(1), .text("y")], "inserting again") }
    #expect(error?.code == SQLITE_CONSTRAINT | 6 << 8)
    #expect(error?.text == "inserting again, \(directory.database): UNIQUE constraint failed: t.a")
    #expect(throws: StoreError.self) { try insert.run([.integer(2)], "inserting half") }
    #expect(try insert.run([.integer(2), .text("z")], "inserting") == 1)
    #expect(try directory.raw().rows("SELECT * FROM t") == [["1", "x"], ["2", "z"]])
  }

  @Test func anErrorWhileReadingEndsTheRead() throws {
    try connection.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')", for: .commit, "inserting")
    let select = try Statement(connection, "SELECT a FROM t")
    let wrong = StoreError(operation: .read, code: 0, text: "wrong")
    #expect(throws: wrong) {
      try select.rows([], "reading") { (_: inout Row) throws(StoreError) -> Int in throw wrong }
    }
    // A read transaction left open would make this a locked table.
    try connection.execute("DROP TABLE t", for: .commit, "dropping")
  }

  @Test func tooManyValuesAreAnError() throws {
    let select = try Statement(connection, "SELECT ?")
    #expect(throws: StoreError.self) { try select.run([.null, .null], "selecting") }
    #expect(try select.run([.null], "selecting") == 0)
  }

  @Test func wrongSQLIsNamed() {
    let error = storeError { try Statement(connection, "SELEKT 1") }
    #expect(error?.text.contains("preparing 'SELEKT 1'") == true)
    #expect(error?.text.contains("syntax error") == true)
  }

  @Test func afterClosingItIsAnErrorAndNotACrash() throws {
    let statement = try Statement(connection, "SELECT 1")
    connection.close()
    let error = storeError { try statement.run([], "selecting") }
    #expect(error?.code == SQLITE_MISUSE)
    connection.close()
  }
}
