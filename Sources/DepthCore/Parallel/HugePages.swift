internal import Glibc

/// Asks for huge pages for what is about to be written for the first time.
///
/// A 12-megapixel plane of floats is 12,000 page faults, which take longer than most loops over it; with huge pages it
/// is 24. Linux may grant them with `madvise`; the result does not affect correctness.
package func adviseHugePages(_ samples: UnsafeMutableRawBufferPointer) {
    let pageSize = 2 << 20
    guard let start = samples.baseAddress, samples.count >= 2 * pageSize else { return }
    let first = unsafe start.alignedUp(toMultipleOf: pageSize)
    let last = unsafe (start + samples.count).alignedDown(toMultipleOf: pageSize)
    // SAFETY: whole pages inside the buffer; advice changes no contents.
    _ = unsafe madvise(first, last - first, MADV_HUGEPAGE)
}
