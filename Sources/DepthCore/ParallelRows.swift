internal import Dispatch

/// Splits `count` rows into bands and works on them on all cores; returns when all are done.
///
/// The one place where this library runs code in parallel. Bands are disjoint and cover all rows, in no order;
/// a band has `minimum` rows at least, so that little work stays on one core.
public func forEachBand(of count: Int, minimum: Int = 16, _ body: @Sendable (Range<Int>) -> Void) {
    guard count > 0 else { return }
    let bands = min(max(1, count / max(1, minimum)), 16)
    guard bands > 1 else { return body(0..<count) }
    DispatchQueue.concurrentPerform(iterations: bands) { band in
        body(count * band / bands..<count * (band + 1) / bands)
    }
}
