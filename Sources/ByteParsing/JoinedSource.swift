/// Two concatenated sources, so that one cursor, cache or pipe reads both.
package struct JoinedSource: ByteSource {
    /// The first source.
    package let first: any ByteSource
    /// The second source.
    package let second: any ByteSource

    /// Concatenates two sources. Throws if the sum of their sizes overflows.
    package init(_ first: any ByteSource, _ second: any ByteSource) throws(ContainerError) {
        guard !first.byteCount.addingReportingOverflow(second.byteCount).overflow else {
            throw ContainerError(.arithmeticOverflow)
        }
        (self.first, self.second) = (first, second)
    }

    /// The bytes of both.
    package var byteCount: Int { first.byteCount + second.byteCount }

    /// Why the system failed to read from one of them.
    package var failure: ContainerError? { first.failure ?? second.failure }

    /// Copies the bytes of `range`, which may span both.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        let seam = first.byteCount
        if range.upperBound <= seam { return try first.read(range) }
        if range.lowerBound >= seam {
            return try second.read(range.lowerBound - seam..<range.upperBound - seam)
        }
        return try first.read(range.lowerBound..<seam) + second.read(0..<range.upperBound - seam)
    }
}

/// A part of a source, as a separate source.
package struct SourcePart: ByteSource {
    private let whole: any ByteSource
    private let range: Range<Int>

    /// The bytes of `range`, clipped to the source.
    package init(_ range: Range<Int>, of whole: any ByteSource) {
        self.whole = whole
        self.range = range.clamped(to: 0..<whole.byteCount)
    }

    /// The number of bytes in the part.
    package var byteCount: Int { range.count }

    /// The value of the complete source.
    package var firstByteCount: Int { whole.firstByteCount }

    /// Why the system failed to read from the complete source.
    package var failure: ContainerError? { whole.failure }

    /// Copies the bytes of a range of the part.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        return try whole.read(shifted(range))
    }

    /// Forwards ranges to the complete source.
    package func prefetch(_ ranges: @autoclosure () -> [Range<Int>]) {
        whole.prefetch(ranges().map { shifted($0.clamped(to: 0..<byteCount)) })
    }

    private func shifted(_ part: Range<Int>) -> Range<Int> {
        part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound
    }
}
