package import DepthModel

/// Rows of samples whose memory is used again from frame to frame. Without samples there is no such plane.
package struct FramePlane<Sample: BitwiseCopyable & Sendable>: Sendable {
    /// Samples in a row.
    package private(set) var width = 0
    /// The number of rows.
    package private(set) var height = 0
    /// The samples, row by row. Write to them in place, and keep their number: a copy of this array makes the next frame
    /// allocate.
    package var samples: [Sample] = []

    /// No plane.
    package init() {}

    /// A plane of row-major samples. Their number must be `width · height`.
    package init(width: Int, height: Int, samples: [Sample]) {
        precondition(samples.count == width * height)
        (self.width, self.height) = (width, height)
        self.samples = samples
    }

    /// Whether there is no plane.
    package var isEmpty: Bool { samples.isEmpty }

    /// Samples in a row, and the number of rows.
    package var size: PixelSize { PixelSize(width: width, height: height) }

    /// Leaves no plane, and keeps the memory.
    package mutating func clear() {
        (width, height) = (0, 0)
        samples.removeAll(keepingCapacity: true)
    }

    /// Gives the plane a size, and lets `body` write every sample. Memory is allocated only where the number of samples grows.
    ///
    /// `body` gets what the plane held before, or `fill` where it held less.
    package mutating func overwrite<Failure: Error>(
        width: Int, height: Int, fill: Sample, _ body: (inout MutableSpan<Sample>) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(width >= 0 && height >= 0)
        let count = width * height
        if samples.count > count { samples.removeLast(samples.count - count) }
        if samples.count < count {
            samples.reserveCapacity(count)
            samples.append(contentsOf: repeatElement(fill, count: count - samples.count))
        }
        (self.width, self.height) = (width, height)
        var span = samples.mutableSpan
        try body(&span)
    }
}
