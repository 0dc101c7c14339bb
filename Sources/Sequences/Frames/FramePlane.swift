package import DepthModel

/// Rows of samples whose memory is used again from frame to frame. Without samples there is no such plane.
package struct FramePlane<Sample: BitwiseCopyable & Sendable>: Sendable {
    /// Samples in a row.
    @inlinable package var width: Int { storedWidth }
    /// The number of rows.
    @inlinable package var height: Int { storedHeight }
    /// The samples, row by row. Write to them in place, and keep their number: a copy of this array makes the next frame
    /// allocate.
    package var samples: [Sample] = []

    @usableFromInline var storedWidth = 0
    @usableFromInline var storedHeight = 0
    /// Samples of a plane that was cleared, for the next one of the same size.
    @usableFromInline var spare: [Sample] = []

    /// No plane.
    @inlinable
    package init() {}

    /// A plane of row-major samples. Their number must be `width · height`.
    @inlinable
    package init(width: Int, height: Int, samples: [Sample]) {
        precondition(samples.count == width * height)
        (storedWidth, storedHeight) = (width, height)
        self.samples = samples
    }

    /// The samples without the memory for the next ones.
    var alone: FramePlane { FramePlane(width: width, height: height, samples: samples) }

    /// Whether there is no plane.
    @inlinable
    package var isEmpty: Bool { samples.isEmpty }

    /// Samples in a row, and the number of rows.
    @inlinable
    package var size: PixelSize { PixelSize(width: width, height: height) }

    /// Leaves no plane, and keeps the memory.
    @inlinable
    package mutating func clear() {
        (storedWidth, storedHeight) = (0, 0)
        if !samples.isEmpty { spare = samples }
        samples = []
    }

    /// Gives the plane a size, and lets `body` write every sample. Memory is allocated only where the number of samples changes.
    ///
    /// `body` gets what the plane held before, also before it was cleared, or `fill`.
    @inlinable
    package mutating func overwrite<Failure: Error>(
        width: Int, height: Int, fill: Sample, _ body: (inout MutableSpan<Sample>) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(width >= 0 && height >= 0)
        let count = width * height
        if samples.count != count {
            if spare.count == count {
                swap(&samples, &spare)
            } else {
                samples = [Sample](repeating: fill, count: count)
            }
            spare = []
        }
        (storedWidth, storedHeight) = (width, height)
        var span = samples.mutableSpan
        try body(&span)
    }
}
