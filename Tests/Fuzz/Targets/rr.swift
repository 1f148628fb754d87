import ActivityFiles
import Measurements

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  _ = WorkoutFile.isRR(octets)
  do {
    for file in try WorkoutFile.readRR(octets, end: WallTime(nanoseconds: 0)) {
      _ = file.rr()
      _ = file.csv()
    }
  } catch {}
  return 0
}
