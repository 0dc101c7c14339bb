internal import Dispatch

/// Splits `count` rows into bands and works on them on all cores; returns when all are done.
///
/// The one place where this library runs code in parallel. Bands are disjoint and cover all rows, in no order;
/// a band has `minimum` rows at least, so that little work stays on one core, and there are `most` bands at most.
package func parallelForRows(
    of count: Int, minimum: Int = 16, most: Int = 16, _ body: @Sendable (Range<Int>) -> Void
) {
    guard count > 0 else { return }
    let bands = min(max(1, count / max(1, minimum)), most)
    guard bands > 1, startsThreads else { return body(0..<count) }
    DispatchQueue.concurrentPerform(iterations: bands) { band in
        body(count * band / bands..<count * (band + 1) / bands)
    }
}

private let startsThreads = canStartThread() && canOpenFiles(16)

/// A new row-major plane, whose rows are written by bands on all cores.
///
/// `body` gets the rows of a band and the place for their samples alone, the first of them at index 0, and must
/// write every one: what it does not write holds no value yet. Bands begin at multiples of `multiple` rows, and have
/// `minimum` times as many at least.
package func parallelMapRows<Sample: BitwiseCopyable>(
    width: Int, height: Int, minimum: Int = 16, multiple: Int = 1,
    _ body: @Sendable (_ rows: Range<Int>, _ output: inout MutableSpan<Sample>) -> Void
) -> [Sample] {
    unsafe [Sample](unsafeUninitializedCapacity: width * height) { samples, count in
        unsafe adviseHugePages(UnsafeMutableRawBufferPointer(samples))
        nonisolated(unsafe) let samples = unsafe samples
        parallelForRows(of: width == 0 ? 0 : (height + multiple - 1) / multiple, minimum: minimum) { strips in
            let rows = strips.lowerBound * multiple..<min(strips.upperBound * multiple, height)
            // SAFETY: bands are disjoint and inside the plane; samples are plain bits, written before they are read.
            let band = unsafe UnsafeMutableBufferPointer(
                rebasing: samples[rows.lowerBound * width..<rows.upperBound * width])
            var output = unsafe MutableSpan(_unsafeElements: band)
            body(rows, &output)
        }
        count = width * height
    }
}
