import Workout

/// Table `client_data`: what clients keep with sessions for themselves.
struct ClientDataTable {
  private let upsert: Statement
  private let select: Statement

  init(_ connection: Connection) throws(StoreError) {
    upsert = try Statement(
      connection,
      """
      INSERT INTO client_data (session, metadata, blob) VALUES ((SELECT number FROM session WHERE id = ?), ?, ?)
      ON CONFLICT (session) DO UPDATE SET metadata = excluded.metadata, blob = excluded.blob
      """)
    select = try Statement(
      connection,
      "SELECT metadata, blob FROM client_data WHERE session = (SELECT number FROM session WHERE id = ?)")
  }

  func write(_ data: ClientData, of session: SessionID) throws(StoreError) {
    try upsert.run(
      [.text(session.description), .optional(data.metadata), .optional(data.blob)],
      "writing a client's data of \(session)")
  }

  func data(of session: SessionID) throws(StoreError) -> ClientData {
    let found = try select.rows([.text(session.description)], "reading a client's data of \(session)") {
      (row: inout Row) throws(StoreError) in
      let (metadata, blob) = (row.optionalText(), row.optionalText())
      do { return try ClientData(metadata: metadata, blob: blob) } catch { throw row.unreadable("\(error)") }
    }
    return found.first ?? ClientData()
  }
}
