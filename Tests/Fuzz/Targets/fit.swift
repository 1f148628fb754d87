import ActivityFiles

/// Feeds the reader of FIT files: the octets as they are, and with their size and checksums made right, so that it is the
/// messages that have to be withstood. What is read is written again, and has to come back.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  read(octets)
  if let sealed = sealed(octets) { read(sealed) }
  return 0
}

private func read(_ octets: [UInt8]) {
  do {
    for workout in try WorkoutFile.workouts(fit: octets) { write(workout) }
  } catch {
    precondition(error.offset.map { $0 <= octets.count } ?? true, "an offset behind the end")
  }
}

private func write(_ workout: WorkoutFile) {
  do {
    _ = try workout.fit()
  } catch {
    // Its dates may be such as FIT does not tell, which is the one reason there may be.
    precondition(error.text.hasPrefix("cannot hold"), "\(error)")
  }
}

private func sealed(_ octets: [UInt8]) -> [UInt8]? {
  guard let first = octets.first, first == 12 || first == 14, octets.count >= Int(first) + 2 else { return nil }
  var octets = Array(octets.dropLast(2))
  let size = octets.count - Int(first)
  for place in 0..<4 { octets[4 + place] = UInt8(truncatingIfNeeded: size >> (8 * place)) }
  octets.replaceSubrange(8..<12, with: Array(".FIT".utf8))
  octets[1] = 0x20
  if first == 14 { (octets[12], octets[13]) = (0, 0) }
  let sum = checksum(octets)
  return octets + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
}

private func checksum(_ octets: [UInt8]) -> UInt16 {
  var value: UInt16 = 0
  for octet in octets {
    value ^= UInt16(octet)
    for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
  }
  return value
}
