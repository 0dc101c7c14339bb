package import DepthTypes

/// Rows of samples whose memory is reused from frame to frame. A plane without samples is missing.
package struct FramePlane<Sample: BitwiseCopyable & Sendable>: Sendable {
    /// Samples in a row.
    @inlinable package var width: Int { storedWidth }
    /// The number of rows.
    @inlinable package var height: Int { storedHeight }
    /// The samples, row by row. Modify the elements without changing their number: a copy of this array makes the next
    /// frame allocate.
    package var samples: [Sample] = []

    @usableFromInline var storedWidth = 0
    @usableFromInline var storedHeight = 0
    /// The memory of a cleared plane, for the next one of the same size.
    @usableFromInline var spare: [Sample] = []

    /// An empty plane.
    @inlinable
    package init() {}

    /// A plane of row-major samples. Their number must be `width · height`.
    @inlinable
    package init(width: Int, height: Int, samples: [Sample]) {
        precondition(samples.count == width * height)
        (storedWidth, storedHeight) = (width, height)
        self.samples = samples
    }

    /// The plane without the memory kept for the next samples.
    package var alone: FramePlane { FramePlane(width: width, height: height, samples: samples) }

    /// Whether the plane is empty.
    @inlinable
    package var isEmpty: Bool { samples.isEmpty }

    /// Width and height.
    @inlinable
    package var size: PixelSize { PixelSize(width: width, height: height) }

    /// Empties the plane, and keeps its memory.
    @inlinable
    package mutating func clear() {
        (storedWidth, storedHeight) = (0, 0)
        if !samples.isEmpty { spare = samples }
        samples = []
    }

    /// Empties the plane, and returns its memory with its former contents.
    package mutating func takeMemory() -> [Sample] {
        clear()
        defer { spare = [] }
        return spare
    }

    /// Copies samples of another plane, in the memory that is there.
    package mutating func copy(_ source: FramePlane) {
        guard let fill = source.samples.first else { return clear() }
        overwrite(width: source.width, height: source.height, fill: fill) {
            $0.copy(source.samples.span, source.samples.indices, to: 0)
        }
    }

    /// Gives the plane a size, and lets `body` write every sample. Allocates only if the number of samples changes.
    ///
    /// `body` gets the former contents of the plane, even if it was cleared since, or `fill`.
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
