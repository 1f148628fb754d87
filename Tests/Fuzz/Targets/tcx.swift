import ActivityFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  _ = WorkoutFile.isTCX(octets)
  do {
    for file in try WorkoutFile.readTCX(octets) { _ = file.tcx() }
  } catch {}
  return 0
}
