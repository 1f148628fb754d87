import ActivityFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  _ = WorkoutFile.isTCX(octets)
  do { _ = try WorkoutFile.readTCX(octets) } catch {}
  return 0
}
