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
            for column in 0..<columns {
                for row in 0..<rows {
                    unsafe to[column * newStride + row] = unsafe from[row * stride + column]
                }
            }
        }
    }
}
