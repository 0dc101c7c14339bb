internal import Dispatch
internal import Synchronization

/// Splits the numbers from 0 to `count` into bands and processes them on all cores, or on as many threads as
/// ``withThreadLimit(_:_:)`` allows; returns when all are done.
///
/// All parallel code of this library goes through here. Bands are disjoint and cover everything, in no order; results must
/// not depend on them. A band has at least `minimum` numbers, so that small work stays on one core. There are at most `most`
/// bands: by default two per core and at least 16, so that uneven bands keep all cores busy.
///
/// With `skip`, work inside ``cancellable(_:)`` can be cancelled: the remaining bands then go to `skip` instead of `body`.
/// Without it, every band is processed.
package func parallelFor(
    count: Int, minimum: Int = 16, most: Int = max(16, 2 * coreCount),
    skip: (@Sendable (Range<Int>) -> Void)? = nil, _ body: @Sendable (Range<Int>) -> Void
) {
    guard count > 0 else { return }
    let bands = min(max(1, count / max(1, minimum)), most)
    let context = WorkContext.current
    let progress = LoopProgress(of: .part, total: bands)
    let done = Atomic(0)
    @Sendable func work(on band: Int) {
        let rows = count * band / bands..<count * (band + 1) / bands
        if let skip, context.isCancelled { skip(rows) } else { body(rows) }
        progress.report(done.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    guard bands > 1, context.threadLimit > 1, startsThreads else {
        for band in 0..<bands { work(on: band) }
        return
    }
    let threads = min(bands, context.threadLimit)
    guard context.isInherited else {
        return DispatchQueue.concurrentPerform(iterations: bands, execute: work)
    }
    // Loops inside a band divide the threads of its loop.
    let inner = context.sharedBy(threads)
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
        WorkContext.$current.withValue(inner) {
            while true {
                let band = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard band < bands else { return }
                work(on: band)
            }
        }
    }
}

/// Whether Dispatch can start threads here: this process may start some, has files left that they need, and can list them.
package let startsThreads = hasThreadList && canStartThread() && canOpenFiles(16)

/// A new row-major plane, whose rows are written by bands on all cores.
///
/// `body` gets the rows of a band and the memory for only their samples, the first at index 0, and must write every sample:
/// the memory is uninitialized. Bands begin at multiples of `multiple` rows, and have at least `minimum` times as many.
///
/// If the task is cancelled inside ``cancellable(_:)``, samples of the remaining bands are zero bits, which must be a value
/// of the type.
package func parallelMapRows<Sample: BitwiseCopyable>(
    width: Int, height: Int, minimum: Int = 16, multiple: Int = 1,
    _ body: @Sendable (_ rows: Range<Int>, _ output: inout MutableSpan<Sample>) -> Void
) -> [Sample] {
    unsafe [Sample](unsafeUninitializedCapacity: width * height) { samples, count in
        unsafe adviseHugePages(UnsafeMutableRawBufferPointer(samples))
        nonisolated(unsafe) let samples = unsafe samples
        @Sendable func rows(_ strips: Range<Int>) -> Range<Int> {
            strips.lowerBound * multiple..<min(strips.upperBound * multiple, height)
        }
        // SAFETY: bands are disjoint and inside the plane; samples are trivial values, written before they are read.
        @Sendable func memory(of rows: Range<Int>) -> UnsafeMutableBufferPointer<Sample> {
            unsafe UnsafeMutableBufferPointer(
                rebasing: samples[rows.lowerBound * width..<rows.upperBound * width])
        }
        parallelFor(
            count: width == 0 ? 0 : (height + multiple - 1) / multiple, minimum: minimum,
            skip: { strips in
                let left = unsafe UnsafeMutableRawBufferPointer(memory(of: rows(strips)))
                _ = unsafe left.initializeMemory(as: UInt8.self, repeating: 0)
            },
            { strips in
                let rows = rows(strips)
                var output = unsafe MutableSpan(_unsafeElements: memory(of: rows))
                body(rows, &output)
            })
        count = width * height
    }
}
