import ActivityFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  do {
    let file = try WorkoutFile(json: octets)
    // What was read once is read again.
    guard try WorkoutFile(json: file.json()).samples == file.samples else { preconditionFailure("other samples") }
  } catch {}
  return 0
}
