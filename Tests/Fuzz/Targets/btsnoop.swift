import ActivityFiles

/// A log in one piece and in many, which must give the same.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  precondition(workouts(octets, pieces: .max) == workouts(octets, pieces: 1 + count % 61), "it depends on the pieces")
  return 0
}

private func workouts(_ octets: [UInt8], pieces: Int) -> Result<[WorkoutFile], ActivityFileError> {
  var reader = BtsnoopReader()
  var rest = octets[...]
  do throws(ActivityFileError) {
    while !rest.isEmpty {
      try reader.take(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
    }
    _ = reader.warnings
    return .success(try reader.finish())
  } catch {
    return .failure(error)
  }
}
