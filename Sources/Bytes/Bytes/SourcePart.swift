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
