/// Transposes rows and columns, in squares that fit the cache. `stride` and `newStride` are the row lengths before and after.
func transpose(
    _ samples: UnsafePointer<Float>, _ stride: Int, into output: UnsafeMutablePointer<Float>,
    _ newStride: Int,
    columns: Int, rows: Int
) {
    let side = 16
    for firstRow in Swift.stride(from: 0, to: rows, by: side) {
        for firstColumn in Swift.stride(from: 0, to: columns, by: side) {
            let from = unsafe samples + firstRow * stride + firstColumn
            let to = unsafe output + firstColumn * newStride + firstRow
            let (columns, rows) = (min(side, columns - firstColumn), min(side, rows - firstRow))
            if columns == side, rows == side {
                for row in Swift.stride(from: 0, to: side, by: 4) {
                    for column in Swift.stride(from: 0, to: side, by: 4) {
                        unsafe transposeFour(
                            from + row * stride + column, stride, into: to + column * newStride + row,
                            newStride)
                    }
                }
            } else {
                for column in 0..<columns {
                    for row in 0..<rows {
                        unsafe to[column * newStride + row] = unsafe from[row * stride + column]
                    }
                }
            }
        }
    }
}

/// Transposes 4 × 4 samples.
@inline(__always)
private func transposeFour(
    _ samples: UnsafePointer<Float>, _ stride: Int, into output: UnsafeMutablePointer<Float>,
    _ newStride: Int
) {
    let source = unsafe UnsafeRawPointer(samples)
    let (a, b) = (
        unsafe source.loadUnaligned(as: SIMD4<Float>.self),
        unsafe source.loadUnaligned(fromByteOffset: 4 * stride, as: SIMD4<Float>.self)
    )
    let (c, d) = (
        unsafe source.loadUnaligned(fromByteOffset: 8 * stride, as: SIMD4<Float>.self),
        unsafe source.loadUnaligned(fromByteOffset: 12 * stride, as: SIMD4<Float>.self)
    )
    let target = UnsafeMutableRawPointer(output)
    unsafe target.storeBytes(of: SIMD4(a.x, b.x, c.x, d.x), as: SIMD4<Float>.self)
    unsafe target.storeBytes(
        of: SIMD4(a.y, b.y, c.y, d.y), toByteOffset: 4 * newStride, as: SIMD4<Float>.self)
    unsafe target.storeBytes(
        of: SIMD4(a.z, b.z, c.z, d.z), toByteOffset: 8 * newStride, as: SIMD4<Float>.self)
    unsafe target.storeBytes(
        of: SIMD4(a.w, b.w, c.w, d.w), toByteOffset: 12 * newStride, as: SIMD4<Float>.self)
}
