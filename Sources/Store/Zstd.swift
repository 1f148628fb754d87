import CZstd

/// Packing by zstd: one frame with a check value, and a block for each part, so that each is packed by its own statistics.
enum Zstd {
  /// Higher ones take twice the time and more, and save less than a hundredth.
  private static let level: Int32 = 3
  /// A block's header, and what an incompressible one may grow by.
  private static let mostPerBlock = 16

  static func pack(_ parts: [[UInt8]]) throws(SamplePieceError) -> [UInt8] {
    let parts = parts.filter { !$0.isEmpty }
    let size = parts.reduce(0) { $0 + $1.count }
    guard let context = ZSTD_createCCtx() else { throw .packer("no memory") }
    defer { ZSTD_freeCCtx(context) }
    try check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level))
    try check(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1))
    try check(ZSTD_CCtx_setPledgedSrcSize(context, UInt64(size)))
    var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(size) + mostPerBlock * (parts.count + 1))
    var used = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let left = packed.withUnsafeMutableBytes { target in
        part.withUnsafeBytes { source in
          var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: used)
          var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
          defer { used = output.pos }
          return ZSTD_compressStream2(context, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_flush)
        }
      }
      try check(left)
      guard left == 0 else { throw .packer("no room for \(part.count) octets") }
    }
    packed.removeLast(packed.count - used)
    return packed
  }

  /// - Parameter limit: how many octets may come out of it.
  /// - Throws: `damaged` where it is not exactly one whole frame.
  static func unpack(_ packed: ArraySlice<UInt8>, limit: Int) throws(SamplePieceError) -> [UInt8] {
    // Unknown and unreadable are the two highest numbers.
    let size = packed.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
    guard size <= UInt64(limit) else { throw .damaged("it does not say a size that can be") }
    var octets = [UInt8](repeating: 0, count: Int(size))
    let written = octets.withUnsafeMutableBytes { target in
      packed.withUnsafeBytes { ZSTD_decompress(target.baseAddress, target.count, $0.baseAddress, $0.count) }
    }
    guard ZSTD_isError(written) == 0 else { throw .damaged(String(cString: ZSTD_getErrorName(written))) }
    guard written == octets.count else { throw .damaged("it holds \(written) octets and not \(octets.count)") }
    return octets
  }

  private static func check(_ code: Int) throws(SamplePieceError) {
    if ZSTD_isError(code) != 0 { throw .packer(String(cString: ZSTD_getErrorName(code))) }
  }
}
