internal import DepthTypes

/// Row-major pixels turned by an orientation, in one pass that gathers each row of the result from the source.
///
/// Quarter turns go through square blocks, so that the source is read along cache lines.
func reoriented<Pixel: BitwiseCopyable & Sendable>(
    _ pixels: [Pixel], width: Int, height: Int, by orientation: Orientation
) -> [Pixel] {
    precondition(pixels.count == width * height)
    guard orientation != .up, !pixels.isEmpty else { return pixels }
    let size = orientation.size(width: width, height: height)
    // The steps in the source for a step to the right and a step down in the result.
    let back = orientation.inverse.matrix
    let stepX = back.a + back.c * width
    let stepY = back.b + back.d * width
    let startColumn = back.a + back.b < 0 ? width - 1 : 0
    let startRow = back.c + back.d < 0 ? height - 1 : 0
    let start = startColumn + startRow * width
    return unsafe [Pixel](unsafeUninitializedCapacity: pixels.count) { output, count in
        nonisolated(unsafe) let output = unsafe output
        unsafe adviseHugePages(UnsafeMutableRawBufferPointer(output))
        let blockSize = orientation.swapsAxes ? 32 : size.width
        parallelFor(count: size.height, minimum: 64) { rows in
            unsafe pixels.withUnsafeBufferPointer { source in
                for firstRow in stride(from: rows.lowerBound, to: rows.upperBound, by: 32) {
                    let lastRow = min(firstRow + 32, rows.upperBound)
                    for firstColumn in stride(from: 0, to: size.width, by: blockSize) {
                        let lastColumn = min(firstColumn + blockSize, size.width)
                        for row in firstRow..<lastRow {
                            var from = start + row * stepY + firstColumn * stepX
                            for column in firstColumn..<lastColumn {
                                // SAFETY: `from` is the index of a pixel of the source, by the steps above.
                                unsafe output[row * size.width + column] = unsafe source[from]
                                from += stepX
                            }
                        }
                    }
                }
            }
        }
        count = pixels.count
    }
}
