/// Two sources, the second behind the first, so that one cursor, cache or pipe reads both.
package struct JoinedSource: ByteSource {
    /// The source that comes first.
    package let first: any ByteSource
    /// The source behind it.
    package let second: any ByteSource

    /// Joins two sources. Throws where there are more bytes than can be counted.
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

    /// Copies the bytes of `range`, which may be partly in either.
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

/// A part of a source, as a source of its own.
package struct SourcePart: ByteSource {
    private let whole: any ByteSource
    private let range: Range<Int>

    /// The bytes of `range`, as far as the source has them.
    package init(_ range: Range<Int>, of whole: any ByteSource) {
        self.whole = whole
        self.range = range.clamped(to: 0..<whole.byteCount)
    }

    /// The number of bytes in the part.
    package var byteCount: Int { range.count }

    /// That of the complete source.
    package var firstByteCount: Int { whole.firstByteCount }

    /// Why the system failed to read from the complete source.
    package var failure: ContainerError? { whole.failure }

    /// Copies the bytes of a range of the part.
    package func read(_ range: Range<Int>) throws(ContainerError) -> [UInt8] {
        try check(range)
        return try whole.read(shifted(range))
    }

    /// Passes ranges on to the complete source.
    package func prefetch(_ ranges: @autoclosure () -> [Range<Int>]) {
        whole.prefetch(ranges().map { shifted($0.clamped(to: 0..<byteCount)) })
    }

    private func shifted(_ part: Range<Int>) -> Range<Int> {
        part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound
    }
}
